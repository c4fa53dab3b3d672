#include "plot/report/svg_inline.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"

struct scan {
	const struct svg_source *svg;
	const char *p;
	const char *end;
	int depth;  /* elements that are open */
	bool found; /* the root has begun */
	struct buf *out;
	struct error *err;
};

struct span {
	const char *text;
	size_t n;
};

/*
 * Elements that a browser's HTML parser would take out of the svg element
 * (WHATWG HTML 13.2.6.5), and those that act or reach outside.
 */
static const char *const refused[] = {
	"a",	      "animate",    "audio",   "b",	 "big",
	"blockquote", "body",	    "br",      "canvas", "center",
	"code",	      "dd",	    "div",     "dl",	 "dt",
	"em",	      "embed",	    "font",    "foreignobject",
	"h1",	      "h2",	    "h3",      "h4",	 "h5",
	"h6",	      "head",	    "hr",      "i",	 "iframe",
	"img",	      "li",	    "link",    "listing", "menu",
	"meta",	      "nobr",	    "object",  "ol",	 "p",
	"pre",	      "ruby",	    "s",       "script", "set",
	"small",      "span",	    "strike",  "strong", "style",
	"sub",	      "sup",	    "table",   "tt",	 "u",
	"ul",	      "var",	    "video",
};

static int fault(const struct scan *s, const char *what)
{
	return error_set(s->err, ERROR_USAGE,
			 "figure %s cannot go into the report: %s",
			 s->svg->name, what);
}

static bool at(const struct scan *s, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(s->end - s->p) >= n && !memcmp(s->p, text, n);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(struct scan *s)
{
	while (s->p < s->end && blank(*s->p))
		s->p++;
}

/* Goes past the next `text`. */
static int skip_past(struct scan *s, const char *text)
{
	const char *found = memmem(s->p, (size_t)(s->end - s->p), text,
				   strlen(text));

	if (!found)
		return fault(s, "its SVG ends in the middle");
	s->p = found + strlen(text);
	return 0;
}

/* <!DOCTYPE svg PUBLIC "..." "..." [...]> */
static int skip_doctype(struct scan *s)
{
	bool inside = false;

	for (; s->p < s->end; s->p++) {
		if (*s->p == '[')
			inside = true;
		else if (*s->p == ']')
			inside = false;
		else if (*s->p == '>' && !inside) {
			s->p++;
			return 0;
		}
	}
	return fault(s, "its SVG ends in the middle");
}

static bool is(struct span s, const char *text)
{
	return s.n == strlen(text) && !strncasecmp(s.text, text, s.n);
}

static bool begins(struct span s, const char *text)
{
	size_t n = strlen(text);

	return s.n >= n && !strncasecmp(s.text, text, n);
}

/* A name of an element or attribute. */
static struct span take_name(struct scan *s)
{
	struct span name = { .text = s->p };

	while (s->p < s->end && !blank(*s->p) && !strchr("=/><\"'", *s->p))
		s->p++;
	name.n = (size_t)(s->p - name.text);
	return name;
}

/* A value with its quotes. */
static int take_value(struct scan *s, struct span *value)
{
	const char *start = s->p, *close;

	if (s->p >= s->end || (*s->p != '"' && *s->p != '\''))
		return fault(s, "its SVG has an attribute without quotes");
	close = memchr(s->p + 1, *s->p, (size_t)(s->end - s->p - 1));
	if (!close)
		return fault(s, "its SVG ends in the middle");
	*value = (struct span){ start + 1, (size_t)(close - start - 1) };
	s->p = close + 1;
	return 0;
}

static void add_span(struct buf *out, struct span s)
{
	buf_add(out, s.text, s.n);
}

/* Appends the value with every url(#id) made url(#prefix id). */
static int add_with_urls(struct scan *s, struct span value)
{
	while (value.n) {
		if (begins(value, "url(")) {
			if (value.n < 5 || value.text[4] != '#')
				return fault(s, "its SVG refers to another "
						"file");
			buf_adds(s->out, "url(#");
			buf_adds(s->out, s->svg->prefix);
			value.text += 5;
			value.n -= 5;
			continue;
		}
		buf_addc(s->out, *value.text++);
		value.n--;
	}
	return 0;
}

static int add_reference(struct scan *s, struct span value)
{
	if (begins(value, "#")) {
		buf_addc(s->out, '#');
		buf_adds(s->out, s->svg->prefix);
		buf_add(s->out, value.text + 1, value.n - 1);
		return 0;
	}
	if (!begins(value, "data:image/"))
		return fault(s, "its SVG refers to another file");
	add_span(s->out, value);
	return 0;
}

static int add_attribute(struct scan *s, struct span name, struct span value)
{
	char quote = value.text[-1];
	int rc;

	if (begins(name, "on"))
		return fault(s, "its SVG holds a script");
	buf_addc(s->out, ' ');
	add_span(s->out, name);
	buf_addc(s->out, '=');
	buf_addc(s->out, quote);
	if (is(name, "id")) {
		buf_adds(s->out, s->svg->prefix);
		add_span(s->out, value);
		rc = 0;
	} else if (is(name, "href") || is(name, "xlink:href") ||
		   is(name, "src")) {
		rc = add_reference(s, value);
	} else {
		rc = add_with_urls(s, value);
	}
	buf_addc(s->out, quote);
	return rc;
}

/* What the root gets anew, or must not have in a page. */
static bool ours(struct span name)
{
	return is(name, "role") || is(name, "aria-label") ||
	       is(name, "aria-labelledby") || is(name, "version");
}

/* The attributes and the ">" or "/>". */
static int copy_attributes(struct scan *s, bool root)
{
	for (;;) {
		struct span name, value = { s->p, 0 };

		skip_blanks(s);
		if (at(s, ">") || at(s, "/>"))
			break;
		name = take_name(s);
		skip_blanks(s);
		if (!name.n || !at(s, "="))
			return fault(s, "its SVG is not well-formed");
		s->p++;
		skip_blanks(s);
		if (take_value(s, &value) < 0)
			return -1;
		if (!(root && ours(name)) &&
		    add_attribute(s, name, value) < 0)
			return -1;
	}
	s->depth++;
	if (*s->p == '/') {
		s->depth--;
		buf_addc(s->out, *s->p++);
	}
	buf_addc(s->out, *s->p++);
	return 0;
}

static int check_element(struct scan *s, struct span name)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (is(name, refused[i]))
			return error_set(s->err, ERROR_USAGE,
					 "figure %s cannot go into the report: "
					 "its SVG has an element <%s>",
					 s->svg->name, refused[i]);
	return 0;
}

static int copy_element(struct scan *s)
{
	struct span name;
	bool root = !s->found;

	s->p++;
	name = take_name(s);
	if (!name.n || (s->found && !s->depth))
		return fault(s, "its SVG is not well-formed");
	if (root && !is(name, "svg"))
		return fault(s, "it is not an SVG image");
	if (check_element(s, name) < 0)
		return -1;
	buf_addc(s->out, '<');
	add_span(s->out, name);
	if (root) {
		s->found = true;
		buf_adds(s->out, " role=\"img\" aria-label=\"");
		buf_add_xml(s->out, s->svg->alt);
		buf_addc(s->out, '"');
	}
	return copy_attributes(s, root);
}

static int copy_past(struct scan *s, const char *text)
{
	const char *start = s->p;

	if (!s->depth)
		return fault(s, "its SVG is not well-formed");
	if (skip_past(s, text) < 0)
		return -1;
	buf_add(s->out, start, (size_t)(s->p - start));
	return 0;
}

static int copy_end(struct scan *s)
{
	if (copy_past(s, ">") < 0)
		return -1;
	s->depth--;
	return 0;
}

/* One comment, declaration, tag or stretch of text. */
static int scan_next(struct scan *s)
{
	const char *start = s->p;

	if (at(s, "<?"))
		return skip_past(s, "?>");
	if (at(s, "<!--"))
		return skip_past(s, "-->");
	if (at(s, "<![CDATA["))
		return copy_past(s, "]]>");
	if (at(s, "<!"))
		return skip_doctype(s);
	if (at(s, "</"))
		return copy_end(s);
	if (at(s, "<"))
		return copy_element(s);
	while (s->p < s->end && *s->p != '<')
		s->p++;
	if (s->depth)
		buf_add(s->out, start, (size_t)(s->p - start));
	return 0;
}

int svg_inline(const struct svg_source *svg, struct buf *out,
	       struct error *err)
{
	struct scan s = { .svg = svg,
			  .p = svg->data,
			  .end = svg->data + svg->n,
			  .out = out,
			  .err = err };

	if (memchr(svg->data, '\0', svg->n) ||
	    !utf8_valid(svg->data, svg->n, NULL))
		return fault(&s, "its SVG is not UTF-8 text");
	while (s.p < s.end)
		if (scan_next(&s) < 0)
			return -1;
	if (!s.found)
		return fault(&s, "it is not an SVG image");
	if (s.depth)
		return fault(&s, "its SVG ends in the middle");
	return 0;
}
