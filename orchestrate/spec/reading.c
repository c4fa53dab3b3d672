#include "orchestrate/spec/reading.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/names.h"
#include "orchestrate/spec/printed.h"

static int expected(struct reading *r, const struct yaml_node *node,
		    const char *what, const char *shape)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	return problems_add(r->problems, node->mark,
			    "\"%s\": expected %s, got %s",
			    problem_quote(quoted, what), shape,
			    yaml_shape(node));
}

const char *reading_text(struct reading *r, const struct yaml_node *node,
			 const char *what)
{
	if (node->kind == YAML_SCALAR && !yaml_is_nothing(node))
		return node->text;
	expected(r, node, what, "text");
	return NULL;
}

bool reading_mapping(struct reading *r, const struct yaml_node *node,
		     const char *what)
{
	return node->kind == YAML_MAPPING ||
	       expected(r, node, what, "a mapping") == 0;
}

const struct yaml_node *reading_item(const struct yaml_node *node, size_t i)
{
	return node->kind == YAML_SEQUENCE ? node->items[i] : node;
}

size_t reading_items(const struct yaml_node *node)
{
	return node->kind == YAML_SEQUENCE ? node->n_items : 1;
}

size_t reading_entries(struct reading *r, const struct yaml_node *map,
		       const char *whats)
{
	if (map->n_pairs <= READING_MAX_ENTRIES)
		return map->n_pairs;
	problems_add(r->problems, map->mark, "%zu %s; at most %d are possible",
		     map->n_pairs, whats, READING_MAX_ENTRIES);
	return 0;
}

static bool legal(struct reading *r, struct mark at, const char *what,
		  const char *name, const char *fault)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (fault)
		problems_add(r->problems, at, "%s \"%s\" %s", what,
			     problem_quote(quoted, name), fault);
	return !fault;
}

bool reading_name(struct reading *r, struct mark at, const char *what,
		  const char *name)
{
	return legal(r, at, what, name, name_fault(name));
}

bool reading_variable(struct reading *r, struct mark at, const char *what,
		      const char *name)
{
	return legal(r, at, what, name, variable_fault(name));
}

/* BCP 47 by shape only: "en", "pt-BR", "sr-Latn-RS". */
static bool is_language(const char *s)
{
	static const char alnum[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t n = strspn(s, alnum);

	if (n < 2 || n > 8 || strcspn(s, "0123456789") < n)
		return false;
	for (s += n; *s; s += n) {
		if (*s++ != '-')
			return false;
		n = strspn(s, alnum);
		if (n < 1 || n > 8)
			return false;
	}
	return true;
}

static void add_localized(struct reading *r, const struct yaml_node *node,
			  const char *what, const char *language,
			  bool one_line, struct localized *out)
{
	const char *text = reading_text(r, node, *language ? language : what);
	const char *fault = text ? printed_fault(text, one_line) : NULL;

	if (fault)
		problems_add(r->problems, node->mark, "\"%s\" is %s text; it "
			     "cannot hold %s", what,
			     one_line ? "one line of" : "a", fault);
	else if (text)
		localized_add(out, language, text);
}

static void read_localized(struct reading *r, const struct yaml_node *node,
			   const char *what, bool one_line,
			   struct localized *out)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (node->kind != YAML_MAPPING) {
		add_localized(r, node, what, "", one_line, out);
		return;
	}
	for (size_t i = 0; i < reading_entries(r, node, "languages"); i++) {
		const struct yaml_pair *pair = &node->pairs[i];

		if (!is_language(pair->key))
			problems_add(r->problems, pair->mark,
				     "\"%s\" is no language; write one such "
				     "as en, fi or pt-BR",
				     problem_quote(quoted, pair->key));
		add_localized(r, pair->value, what, pair->key, one_line, out);
	}
}

void reading_localized(struct reading *r, const struct yaml_node *node,
		       const char *what, struct localized *out)
{
	read_localized(r, node, what, true, out);
}

void reading_paragraph(struct reading *r, const struct yaml_node *node,
		       const char *what, struct localized *out)
{
	read_localized(r, node, what, false, out);
}

void reading_texts(struct reading *r, const struct yaml_node *node,
		   const char *what, struct strlist *out)
{
	for (size_t i = 0; i < reading_items(node); i++) {
		const char *text =
			reading_text(r, reading_item(node, i), what);

		if (text)
			strlist_push(out, text);
	}
}

void reading_warn(struct reading *r, struct mark at, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	if (!r->e)
		return;
	buf_addf(&text, "%s:%u:%u: ", at.file, at.line, at.column);
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	strlist_push_nodup(&r->e->warnings, buf_detach(&text));
}
