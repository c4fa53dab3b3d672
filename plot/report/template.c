#include "plot/report/template.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/report/template_parse.h"

#define STEPS_MAX 4000000
#define BYTES_MAX ((size_t)256 << 20)

struct render {
	const struct template *t;
	const struct filling *stack[TEMPLATE_DEPTH_MAX + 1]; /* innermost last */
	size_t depth;
	unsigned long steps;
	size_t start; /* out->n before the first byte */
	struct buf *out;
	struct error *err;
};

static int shown(size_t n)
{
	return n > 60 ? 60 : (int)n;
}

/* What a name stands for, from the innermost object outwards. */
static const struct filling *find(const struct render *r, const char *name,
				size_t n)
{
	const char *dot = memchr(name, '.', n);
	size_t first = dot ? (size_t)(dot - name) : n;
	const struct filling *v = NULL;

	if (n == 1 && dot)
		return r->stack[r->depth];
	for (size_t i = r->depth + 1; i-- && !v;)
		v = filling_get(r->stack[i], name, first);
	while (v && dot) {
		const char *part = dot + 1;
		size_t rest = n - (size_t)(part - name);

		dot = memchr(part, '.', rest);
		v = filling_get(v, part, dot ? (size_t)(dot - part) : rest);
	}
	return v;
}

static int lookup(const struct render *r, const struct template_node *node,
		  const struct filling **v)
{
	*v = find(r, node->text, node->n);
	if (*v)
		return 0;
	return error_set(r->err, ERROR_USAGE, "%s:%u: nothing is named '%.*s'",
			 r->t->name, node->line, shown(node->n), node->text);
}

static int add_variable(struct render *r, const struct template_node *node)
{
	const struct filling *v;
	const char *text;
	size_t n;

	if (lookup(r, node, &v) < 0)
		return -1;
	if (filling_kind(v) != FILLING_TEXT)
		return error_set(r->err, ERROR_USAGE,
				 "%s:%u: '%.*s' is %s, not a text; open it "
				 "with {{#%.*s}}",
				 r->t->name, node->line, shown(node->n),
				 node->text,
				 filling_kind(v) == FILLING_LIST ? "a list"
							     : "an object",
				 shown(node->n), node->text);
	text = filling_bytes(v, &n);
	if (node->tag == TAG_RAW)
		buf_add(r->out, text, n);
	else
		buf_add_xml(r->out, text);
	return 0;
}

static int check_budget(struct render *r, const struct template_node *node)
{
	if (++r->steps <= STEPS_MAX && r->out->n - r->start <= BYTES_MAX)
		return 0;
	return error_set(r->err, ERROR_USAGE,
			 "%s:%u: the page grows without end: sections repeat "
			 "each other",
			 r->t->name, node->line);
}

static int render_range(struct render *r, size_t from, size_t to);

static int render_with(struct render *r, const struct filling *v, size_t from,
		       size_t to)
{
	int rc;

	r->stack[++r->depth] = v;
	rc = render_range(r, from, to);
	r->depth--;
	return rc;
}

static int render_section(struct render *r, size_t index)
{
	const struct template_node *node = &r->t->nodes[index];
	const struct filling *v;

	if (lookup(r, node, &v) < 0)
		return -1;
	if (filling_is_true(v) == (node->tag == TAG_INVERTED))
		return 0;
	if (node->tag == TAG_INVERTED)
		return render_range(r, index + 1, node->end);
	if (filling_kind(v) != FILLING_LIST)
		return render_with(r, v, index + 1, node->end);
	for (size_t i = 0; i < filling_count(v); i++) {
		if (check_budget(r, node) < 0 ||
		    render_with(r, filling_at(v, i), index + 1, node->end) < 0)
			return -1;
	}
	return 0;
}

/* As deep as sections are nested, which the parser has bounded. */
static int render_range(struct render *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct template_node *node = &r->t->nodes[i];
		int rc = check_budget(r, node);

		if (rc < 0)
			return rc;
		switch (node->tag) {
		case TAG_TEXT:
			buf_add(r->out, node->text, node->n);
			break;
		case TAG_ESCAPED:
		case TAG_RAW:
			rc = add_variable(r, node);
			break;
		case TAG_SECTION:
		case TAG_INVERTED:
			rc = render_section(r, i);
			i = node->end;
			break;
		case TAG_END:
		case TAG_COMMENT:
			break;
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

int template_render(const char *name, const char *text,
		    const struct filling *root, struct buf *out,
		    struct error *err)
{
	struct render r = { .stack = { root }, .out = out, .err = err };
	struct template t;
	size_t start = out->n;
	int rc;

	r.t = &t;
	r.start = start;
	rc = template_parse(&t, name, text, err);
	if (rc == 0)
		rc = render_range(&r, 0, t.n);
	if (rc < 0 && out->n > start) {
		out->n = start;
		out->data[start] = '\0';
	}
	template_release(&t);
	return rc;
}
