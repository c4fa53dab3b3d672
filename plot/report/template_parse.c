#include "plot/report/template_parse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "plot/report/template.h"

struct parser {
	struct template *t;
	const char *p;          /* what is still to be read */
	const char *line_start; /* of the line that p is on */
	unsigned line;
	size_t open[TEMPLATE_DEPTH_MAX];
	size_t depth;
	struct error *err;
};

/* Names in messages come from the file: short and harmless. */
static int shown(size_t n)
{
	return n > 60 ? 60 : (int)n;
}

static struct template_node *add_node(struct parser *s, enum template_tag tag,
				      const char *text, size_t n)
{
	struct template *t = s->t;

	MEM_GROW(t->nodes, t->n, t->cap);
	t->nodes[t->n] = (struct template_node){
		.tag = tag, .text = text, .n = n, .line = s->line
	};
	return &t->nodes[t->n++];
}

/* Goes on to `to`, counting lines. */
static void advance(struct parser *s, const char *to)
{
	for (; s->p < to; s->p++) {
		if (*s->p == '\n') {
			s->line++;
			s->line_start = s->p + 1;
		}
	}
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, size_t *n)
{
	while (*n && blank(**text)) {
		(*text)++;
		(*n)--;
	}
	while (*n && blank((*text)[*n - 1]))
		(*n)--;
}

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* "a", "a.b.c" or "." */
static bool is_name(const char *text, size_t n)
{
	bool after_dot = true;

	if (n == 1 && *text == '.')
		return true;
	for (size_t i = 0; i < n; i++) {
		bool dot = text[i] == '.';

		if (dot ? after_dot : !name_char(text[i]))
			return false;
		after_dot = dot;
	}
	return !after_dot;
}

static int open_section(struct parser *s, size_t index)
{
	const struct template_node *node = &s->t->nodes[index];

	if (s->depth == TEMPLATE_DEPTH_MAX)
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: more than %d sections within each "
				 "other",
				 s->t->name, node->line, TEMPLATE_DEPTH_MAX);
	s->open[s->depth++] = index;
	return 0;
}

static int close_section(struct parser *s, size_t index)
{
	struct template_node *end = &s->t->nodes[index], *open;

	if (!s->depth)
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: {{/%.*s}} ends no section",
				 s->t->name, end->line, shown(end->n),
				 end->text);
	open = &s->t->nodes[s->open[--s->depth]];
	if (open->n != end->n || memcmp(open->text, end->text, end->n) != 0)
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: {{/%.*s}} where section '%.*s' of "
				 "line %u should end",
				 s->t->name, end->line, shown(end->n),
				 end->text, shown(open->n), open->text,
				 open->line);
	open->end = index;
	return 0;
}

/* What the sign after "{{" makes of a tag; -1 for signs that we refuse. */
static int kind_of(struct parser *s, char sign, enum template_tag *tag)
{
	switch (sign) {
	case '!':
		*tag = TAG_COMMENT;
		return 0;
	case '#':
		*tag = TAG_SECTION;
		return 0;
	case '^':
		*tag = TAG_INVERTED;
		return 0;
	case '/':
		*tag = TAG_END;
		return 0;
	case '&':
	case '{':
		*tag = TAG_RAW;
		return 0;
	case '>':
	case '<':
	case '$':
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: {{%c...}}: templates cannot use other "
				 "templates; put the text here",
				 s->t->name, s->line, sign);
	case '=':
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: {{=...=}}: the delimiters are always "
				 "{{ and }}",
				 s->t->name, s->line);
	default:
		*tag = TAG_ESCAPED;
		return 0;
	}
}

/*
 * Whether the tag from `start` to `end` is alone on its line; if so *end
 * becomes the start of the next line.
 */
static bool standalone(const struct parser *s, const char *start,
		       const char **end)
{
	const char *p = *end;

	for (const char *q = s->line_start; q < start; q++)
		if (*q != ' ' && *q != '\t')
			return false;
	while (*p == ' ' || *p == '\t')
		p++;
	if (p[0] == '\r' && p[1] == '\n')
		p++;
	if (*p && *p != '\n')
		return false;
	*end = *p ? p + 1 : p;
	return true;
}

/* Finds the tag at `p` ("{{"): its inner text and where it ends. */
static int scan_tag(struct parser *s, const char **inner, size_t *n,
		    const char **end)
{
	const char *text = s->p + 2;
	const char *close = *text == '{' ? "}}}" : "}}";
	const char *stop = strstr(text, close);

	if (!stop)
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: {{ without its %s", s->t->name,
				 s->line, close);
	*inner = text;
	*n = (size_t)(stop - text);
	*end = stop + strlen(close);
	return 0;
}

static int add_tag(struct parser *s, enum template_tag tag, const char *inner,
		   size_t n)
{
	size_t index = s->t->n;

	trim(&inner, &n);
	if (tag != TAG_COMMENT && !is_name(inner, n))
		return error_set(s->err, ERROR_USAGE,
				 "%s:%u: '%.*s' is no name: letters, digits, "
				 "_ and -, with dots between",
				 s->t->name, s->line, shown(n), inner);
	add_node(s, tag, inner, n);
	if (tag == TAG_SECTION || tag == TAG_INVERTED)
		return open_section(s, index);
	if (tag == TAG_END)
		return close_section(s, index);
	return 0;
}

/* Reads the text up to the next tag, and the tag. */
static int parse_next(struct parser *s)
{
	const char *text = s->p, *start = strstr(s->p, "{{");
	const char *inner = start, *end = start;
	enum template_tag tag = TAG_TEXT;
	unsigned line = s->line;
	size_t n = 0;

	if (!start) {
		add_node(s, TAG_TEXT, text, strlen(text));
		s->p += strlen(text);
		return 0;
	}
	advance(s, start);
	if (scan_tag(s, &inner, &n, &end) < 0 ||
	    kind_of(s, *inner, &tag) < 0)
		return -1;
	if (tag != TAG_ESCAPED) {
		inner++;
		n -= n > 0;
	}
	if (tag != TAG_ESCAPED && tag != TAG_RAW &&
	    standalone(s, start, &end))
		start = s->line_start > text ? s->line_start : text;
	if (start > text)
		add_node(s, TAG_TEXT, text, (size_t)(start - text))->line =
			line;
	if (add_tag(s, tag, inner, n) < 0)
		return -1;
	advance(s, end);
	return 0;
}

int template_parse(struct template *t, const char *name, const char *text,
		   struct error *err)
{
	struct parser s = {
		.t = t, .p = text, .line_start = text, .line = 1, .err = err
	};

	*t = (struct template){ .name = name };
	while (*s.p)
		if (parse_next(&s) < 0)
			return -1;
	if (s.depth) {
		const struct template_node *open =
			&t->nodes[s.open[s.depth - 1]];

		return error_set(err, ERROR_USAGE,
				 "%s:%u: section '%.*s' is never ended", name,
				 open->line, shown(open->n), open->text);
	}
	return 0;
}

void template_release(struct template *t)
{
	free(t->nodes);
	t->nodes = NULL;
}
