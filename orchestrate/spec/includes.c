#include "orchestrate/spec/includes.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/format_version.h"
#include "orchestrate/spec/source.h"
#include "orchestrate/spec/yaml_merge.h"

/* From a file down to the experiment, by who includes it. */
struct chain {
	const char *file;
	const struct chain *by;
};

struct including {
	struct includes *in;
	struct reading *r;
	struct strlist seen; /* paths of the included files */
	bool failed;
};

static void take_in(struct including *g, const struct chain *c,
		    const struct yaml_node *root);

static void fail(struct including *g, const struct yaml_node *at,
		 const char *path, const char *why)
{
	problems_add(g->r->problems, at->mark, "cannot include %s: %s", path,
		     why);
	g->failed = true;
}

static void add_chain(struct buf *text, const struct chain *c,
		      const char *until)
{
	if (c->by && !source_same(c->file, until))
		add_chain(text, c->by, until);
	buf_addf(text, "%s -> ", c->file);
}

/* Whether the file includes itself by way of others, which is reported. */
static bool is_cycle(struct including *g, const struct chain *chain,
		     const struct yaml_node *at, const char *path)
{
	struct buf text = BUF_INIT;

	for (const struct chain *c = chain; c; c = c->by) {
		if (!source_same(c->file, path))
			continue;
		add_chain(&text, chain, path);
		problems_add(g->r->problems, at->mark,
			     "%s%s: a file cannot include itself; remove one "
			     "of these", text.data, c->file);
		buf_release(&text);
		g->failed = true;
		return true;
	}
	return false;
}

static bool was_seen(const struct including *g, const char *path)
{
	for (size_t i = 0; i < g->seen.n; i++)
		if (source_same(g->seen.items[i], path))
			return true;
	return false;
}

/* What only the experiment itself can say. */
static void check_root(struct including *g, const struct yaml_node *root)
{
	const struct yaml_pair *version = yaml_get(root, "assay");
	const struct yaml_pair *name = yaml_get(root, "experiment");

	if (format_is_newer(g->r, root)) {
		g->failed = true;
		return;
	}
	if (version && version->value->kind == YAML_SCALAR)
		format_version_read(g->r, NULL, version->value);
	else if (version)
		problems_add(g->r->problems, version->value->mark,
			     "\"assay\": expected text, got %s",
			     yaml_shape(version->value));
	if (name)
		problems_add(g->r->problems, name->mark,
			     "\"experiment\" cannot stand in an included file: "
			     "move what two experiments share into a file of "
			     "its own, and include that");
}

static void parse(struct including *g, const struct chain *c,
		  const struct yaml_node *at, const struct buf *data)
{
	struct yaml_doc *doc;

	MEM_GROW(g->in->docs, g->in->n, g->in->cap);
	doc = &g->in->docs[g->in->n++];
	if (yaml_doc_parse(doc, c->file, data->data, data->n,
			   g->r->problems) < 0) {
		g->failed = true;
	} else if (!doc->root || yaml_is_nothing(doc->root)) {
		fail(g, at, c->file, "there is nothing in it");
	} else if (doc->root->kind != YAML_MAPPING) {
		problems_add(g->r->problems, at->mark,
			     "cannot include %s: it holds %s, not keys of an "
			     "experiment", c->file, yaml_shape(doc->root));
		g->failed = true;
	} else {
		const struct yaml_node *root = doc->root;

		check_root(g, root);
		take_in(g, c, root);
	}
}

static void read_file(struct including *g, const struct chain *by,
		      const struct yaml_node *at, const char *path)
{
	struct chain c = { .by = by };
	struct error err = ERROR_INIT;
	struct buf data = BUF_INIT;

	strlist_push(&g->seen, path);
	if (source_read(g->r, path, YAML_DOC_MAX_FILE, &data, &err) < 0) {
		fail(g, at, path, err.text);
	} else {
		c.file = source_keep(g->r->e, path);
		parse(g, &c, at, &data);
	}
	buf_release(&data);
}

static void include(struct including *g, const struct chain *by,
		    const struct yaml_node *item)
{
	const char *name = reading_text(g->r, item, "include");
	char *path;

	if (!name || !*name) {
		if (name)
			problems_add(g->r->problems, item->mark,
				     "\"include\" is empty; write a file's "
				     "name");
		g->failed = true;
		return;
	}
	path = source_path(by->file, name);
	if (is_cycle(g, by, item, path) || was_seen(g, path))
		goto out;
	if (g->seen.n == INCLUDES_MAX) {
		problems_add(g->r->problems, item->mark,
			     "more than %d files are included", INCLUDES_MAX);
		g->failed = true;
		goto out;
	}
	read_file(g, by, item, path);
out:
	free(path);
}

/* Puts the file over all that has been read. */
static void put_over(struct including *g, const struct yaml_node *root,
		     bool included)
{
	static const char *const taken[] = { "include", NULL };
	static const char *const taken_of_included[] = {
		"include", "assay", "experiment", NULL
	};
	struct includes *in = g->in;

	root = yaml_without(&in->made, root,
			    included ? taken_of_included : taken);
	in->root = in->root ? yaml_merge(&in->made, in->root, root) : root;
	g->failed |= !yaml_merge_fits(in->root, root->mark, "the experiment",
				      g->r->problems);
}

static void take_in(struct including *g, const struct chain *c,
		    const struct yaml_node *root)
{
	const struct yaml_pair *pair = yaml_get(root, "include");
	const struct yaml_node *list = pair ? pair->value : NULL;

	if (list && (list->kind == YAML_MAPPING || yaml_is_nothing(list))) {
		problems_add(g->r->problems, list->mark,
			     "\"include\": expected text or a list, got %s",
			     yaml_shape(list));
		g->failed = true;
		list = NULL;
	}
	for (size_t i = 0; list && i < reading_items(list); i++)
		include(g, c, reading_item(list, i));
	if (!g->failed)
		put_over(g, root, c->by);
}

int includes_read(struct includes *in, struct reading *r, const char *file,
		  const struct yaml_node *root)
{
	struct including g = { .in = in, .r = r };
	struct chain c = { .file = file };

	*in = (struct includes){ .root = NULL };
	if (yaml_get(root, "include"))
		take_in(&g, &c, root);
	else
		in->root = root;
	strlist_release(&g.seen);
	return g.failed ? -1 : 0;
}

void includes_release(struct includes *in)
{
	for (size_t i = 0; i < in->n; i++)
		yaml_doc_release(&in->docs[i]);
	free(in->docs);
	yaml_doc_release(&in->made);
}

void include_section_read(struct reading *r, void *into,
			  const struct yaml_node *value)
{
	(void)r;
	(void)into;
	(void)value;
}
