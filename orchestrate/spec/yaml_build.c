#include "orchestrate/spec/yaml_doc.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/spec/yaml_fault.h"
#include "orchestrate/spec/yaml_text.h"

/* A collection that is being filled. */
struct frame {
	struct yaml_node *node;
	struct map keys;      /* of a mapping: key to its struct place */
	char *key;            /* seen, its value is to come */
	struct mark key_mark;
	bool skip;            /* a key that is refused: drop its value */
};

struct builder {
	struct yaml_doc *doc;
	const char *file;
	struct problems *problems;
	struct frame stack[YAML_DOC_MAX_DEPTH];
	unsigned depth;
	struct map anchors;   /* name to struct yaml_node */
	size_t values, bytes; /* so far, aliases expanded */
	bool ended;           /* the first document is complete */
};

static struct mark mark_of(const struct builder *b, yaml_mark_t m)
{
	return (struct mark){ .file = b->file,
			      .line = (unsigned)m.line + 1,
			      .column = (unsigned)m.column + 1 };
}

static struct yaml_node *node_new(struct builder *b, enum yaml_kind kind,
				  struct mark mark)
{
	struct yaml_doc *d = b->doc;
	struct yaml_node *node = mem_zalloc(1, sizeof(*node));

	node->kind = kind;
	node->mark = mark;
	node->values = 1;
	MEM_GROW(d->nodes, d->n_nodes, d->cap_nodes);
	d->nodes[d->n_nodes++] = node;
	return node;
}

/* Counts what the node (a new one, or one under an alias) adds. */
static int charge(struct builder *b, const struct yaml_node *node,
		  struct mark at, const char *alias)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	b->values += node->values;
	b->bytes += node->bytes;
	if (b->values <= YAML_DOC_MAX_VALUES && b->bytes <= YAML_DOC_MAX_TEXT)
		return 0;
	if (!alias)
		return problems_add(b->problems, at,
				    "more than %d values in one file",
				    YAML_DOC_MAX_VALUES);
	return problems_add(b->problems, at,
			    "alias \"*%s\": with its aliases written out, the "
			    "file is too large (at most %d values, %d MiB)",
			    problem_quote(quoted, alias), YAML_DOC_MAX_VALUES,
			    YAML_DOC_MAX_TEXT / (1024 * 1024));
}

static void append_item(struct yaml_node *list, const struct yaml_node *value)
{
	MEM_GROW(list->items, list->n_items, list->cap_items);
	list->items[list->n_items++] = value;
}

static void append_pair(struct frame *f, const struct yaml_node *value)
{
	struct yaml_node *map = f->node;

	if (f->skip) {
		free(f->key);
	} else {
		MEM_GROW(map->pairs, map->n_pairs, map->cap_pairs);
		map->pairs[map->n_pairs++] = (struct yaml_pair){
			.key = f->key, .mark = f->key_mark, .value = value
		};
	}
	f->key = NULL;
	f->skip = false;
}

/* Hands a complete value to the collection it is in. */
static void attach(struct builder *b, const struct yaml_node *value)
{
	struct frame *f;

	if (!b->depth) {
		b->doc->root = value;
		return;
	}
	assert(value);
	f = &b->stack[b->depth - 1];
	if (f->node->kind == YAML_SEQUENCE)
		append_item(f->node, value);
	else
		append_pair(f, value);
	f->node->values += value->values;
	f->node->bytes += value->bytes;
	if (value->height + 1 > f->node->height)
		f->node->height = value->height + 1;
}

static bool wants_key(const struct builder *b)
{
	const struct frame *f = b->depth ? &b->stack[b->depth - 1] : NULL;

	return f && f->node->kind == YAML_MAPPING && !f->key;
}

/*
 * Keys map to the line they stand on, kept as a pointer-sized number so that
 * growing pair arrays do not matter.
 */
static void check_key(struct builder *b, struct frame *f)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	void *line = (void *)(uintptr_t)f->key_mark.line;
	void *first = map_get(&f->keys, f->key);

	if (first)
		problems_add(b->problems, f->key_mark,
			     "duplicate key \"%s\"; the first is on line %u",
			     problem_quote(quoted, f->key),
			     (unsigned)(uintptr_t)first);
	else
		map_put(&f->keys, f->key, line);
	f->skip = first;
	if (strcmp(f->key, "<<"))
		return;
	problems_add(b->problems, f->key_mark,
		     "merge keys (<<) are not supported; write the keys out");
	f->skip = true;
}

static void begin_key(struct builder *b, const char *text, struct mark at)
{
	struct frame *f = &b->stack[b->depth - 1];

	f->key = mem_strdup(text);
	f->key_mark = at;
	b->bytes += strlen(text);
	check_key(b, f);
}

static void check_tag(struct builder *b, const yaml_char_t *tag,
		      struct mark at)
{
	/* of the YAML core; they change nothing, a text stays as written */
	static const char *const core[] = { "str", "int", "float", "bool",
					    "null", "seq", "map" };
	static const char prefix[] = "tag:yaml.org,2002:";
	char quoted[PROBLEM_QUOTE_SIZE];
	const char *t = (const char *)tag;

	if (!t || !strcmp(t, "!"))
		return;
	for (size_t i = 0; i < sizeof(core) / sizeof(*core); i++)
		if (!strncmp(t, prefix, strlen(prefix)) &&
		    !strcmp(t + strlen(prefix), core[i]))
			return;
	problems_add(b->problems, at,
		     "the tag \"%s\" means nothing here; remove it",
		     problem_quote(quoted, t));
}

/* Where a scalar's text begins behind its mark. A tag, an anchor, escapes and
 * line breaks make it shorter than what stands there. */
static int text_at(const yaml_event_t *ev)
{
	bool plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	size_t quotes = plain ? 0 : 2, characters = 0;

	if (ev->start_mark.line != ev->end_mark.line)
		return -1;
	for (size_t i = 0; i < ev->data.scalar.length; i++)
		characters += (ev->data.scalar.value[i] & 0xc0) != 0x80;
	if (ev->end_mark.column - ev->start_mark.column != characters + quotes)
		return -1;
	return plain ? 0 : 1;
}

static void set_anchor(struct builder *b, const yaml_char_t *anchor,
		       struct yaml_node *node)
{
	if (anchor)
		map_put(&b->anchors, (const char *)anchor, node);
}

static int on_scalar(struct builder *b, const yaml_event_t *ev)
{
	struct mark at = mark_of(b, ev->start_mark);
	const char *text = (const char *)ev->data.scalar.value;
	size_t n = ev->data.scalar.length;
	struct yaml_node *node;

	check_tag(b, ev->data.scalar.tag, at);
	if (yaml_text_check_value(at, text, n, b->problems) < 0)
		return -1;
	if (wants_key(b) && ev->data.scalar.anchor)
		return problems_add(b->problems, at,
				    "a key cannot have an anchor (&)");
	if (wants_key(b)) {
		begin_key(b, text, at);
		return 0;
	}
	node = node_new(b, YAML_SCALAR, at);
	node->text = mem_strdup(text);
	node->bytes = n;
	node->plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	node->text_at = text_at(ev);
	set_anchor(b, ev->data.scalar.anchor, node);
	if (charge(b, node, at, NULL) < 0)
		return -1;
	attach(b, node);
	return 0;
}

static int too_deep(struct builder *b, struct mark at)
{
	return problems_add(b->problems, at,
			    "nested more than %d levels deep",
			    YAML_DOC_MAX_DEPTH);
}

static int on_start(struct builder *b, const yaml_event_t *ev,
		    enum yaml_kind kind, const yaml_char_t *tag,
		    const yaml_char_t *anchor)
{
	struct mark at = mark_of(b, ev->start_mark);
	struct yaml_node *node;

	if (wants_key(b))
		return problems_add(b->problems, at,
				    "a key must be a text, not %s",
				    kind == YAML_MAPPING ? "a mapping" :
							   "a list");
	if (b->depth == YAML_DOC_MAX_DEPTH)
		return too_deep(b, at);
	check_tag(b, tag, at);
	node = node_new(b, kind, at);
	node->open = true;
	set_anchor(b, anchor, node);
	if (charge(b, node, at, NULL) < 0)
		return -1;
	b->stack[b->depth++] = (struct frame){ .node = node };
	return 0;
}

static void frame_release(struct frame *f)
{
	map_release(&f->keys);
	free(f->key);
}

static int on_end(struct builder *b)
{
	struct frame *f = &b->stack[--b->depth];
	struct yaml_node *node = f->node;

	assert(node); /* libyaml ends only what it began */
	frame_release(f);
	node->open = false;
	attach(b, node);
	return 0;
}

static int on_alias(struct builder *b, const yaml_event_t *ev)
{
	struct mark at = mark_of(b, ev->start_mark);
	const char *name = (const char *)ev->data.alias.anchor;
	const struct yaml_node *node = map_get(&b->anchors, name);
	char quoted[PROBLEM_QUOTE_SIZE];

	problem_quote(quoted, name);
	if (wants_key(b))
		return problems_add(b->problems, at,
				    "a key cannot be an alias (*%s)", quoted);
	if (!node)
		return problems_add(b->problems, at,
				    "alias \"*%s\": no anchor \"&%s\" stands "
				    "before it", quoted, quoted);
	if (node->open)
		return problems_add(b->problems, at,
				    "alias \"*%s\" stands inside the value it "
				    "stands for", quoted);
	if (b->depth + node->height > YAML_DOC_MAX_DEPTH)
		return too_deep(b, at);
	if (charge(b, node, at, name) < 0)
		return -1;
	attach(b, node);
	return 0;
}

static int on_document(struct builder *b, const yaml_event_t *ev)
{
	if (!b->ended)
		return 0;
	return problems_add(b->problems, mark_of(b, ev->start_mark),
			    "a second document (---) in one file; one file "
			    "holds one");
}

static int on_event(struct builder *b, const yaml_event_t *ev)
{
	switch (ev->type) {
	case YAML_SCALAR_EVENT:
		return on_scalar(b, ev);
	case YAML_ALIAS_EVENT:
		return on_alias(b, ev);
	case YAML_SEQUENCE_START_EVENT:
		return on_start(b, ev, YAML_SEQUENCE,
				ev->data.sequence_start.tag,
				ev->data.sequence_start.anchor);
	case YAML_MAPPING_START_EVENT:
		return on_start(b, ev, YAML_MAPPING,
				ev->data.mapping_start.tag,
				ev->data.mapping_start.anchor);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return on_end(b);
	case YAML_DOCUMENT_START_EVENT:
		return on_document(b, ev);
	case YAML_DOCUMENT_END_EVENT:
		b->ended = true;
		return 0;
	default:
		return 0;
	}
}

static int build(struct builder *b, yaml_parser_t *parser)
{
	yaml_event_type_t type = YAML_NO_EVENT;
	yaml_event_t ev;
	int rc = 0;

	while (!rc && type != YAML_STREAM_END_EVENT) {
		if (!yaml_parser_parse(parser, &ev))
			return yaml_fault(parser, b->file, b->problems);
		type = ev.type;
		rc = on_event(b, &ev);
		yaml_event_delete(&ev);
	}
	return rc;
}

int yaml_doc_parse(struct yaml_doc *d, const char *file, const char *data,
		   size_t n, struct problems *p)
{
	struct builder b = { .doc = d, .file = file, .problems = p };
	yaml_parser_t parser;
	size_t skip;
	int rc;

	*d = (struct yaml_doc){ .root = NULL };
	if (yaml_text_check(file, data, n, p) < 0)
		return -1;
	if (!yaml_parser_initialize(&parser))
		return problems_add(p, (struct mark){ .file = file },
				    "out of memory");
	skip = yaml_text_order_mark(data, n);
	yaml_parser_set_input_string(&parser,
				     (const unsigned char *)data + skip,
				     n - skip);
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	rc = build(&b, &parser);
	while (b.depth)
		frame_release(&b.stack[--b.depth]);
	map_release(&b.anchors);
	yaml_parser_delete(&parser);
	if (rc)
		d->root = NULL;
	return rc;
}
