#include "orchestrate/spec/parameter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "orchestrate/spec/reading.h"
#include "orchestrate/spec/value.h"

void parameter_release(struct parameter *p)
{
	variable_release(&p->var);
	free(p->doc);
	strlist_release(&p->choices);
	free(p->min);
	free(p->max);
}

bool parameter_is_required(const struct parameter *p)
{
	return !p->var.value && !p->var.lookup;
}

void parameters_release(struct parameter *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		parameter_release(&items[i]);
	free(items);
}

const struct parameter *parameters_find(const struct parameter *items,
					size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(items[i].var.name, name))
			return &items[i];
	return NULL;
}

void parameters_names(const struct parameter *items, size_t n,
		      struct strlist *out)
{
	for (size_t i = 0; i < n; i++)
		if (!strlist_has(out, items[i].var.name))
			strlist_push(out, items[i].var.name);
}

static const struct {
	const char *name;
	const char *expects;
} types[] = {
	[PARAMETER_TEXT] = { "text", "text" },
	[PARAMETER_INTEGER] = { "integer", "a whole number" },
	[PARAMETER_NUMBER] = { "number", "a number" },
	[PARAMETER_SIZE] = { "size", "a size such as 4096, 64K or 1.5G" },
	[PARAMETER_DURATION] = { "duration",
				 "a duration such as 90s, 5m or 1.5h" },
	[PARAMETER_BOOLEAN] = { "boolean", "true or false" },
	[PARAMETER_PATH] = { "path", "an absolute path without \"..\" in it" },
	[PARAMETER_CHOICE] = { "choice", "one of" },
};

const char *parameter_type_name(enum parameter_type type)
{
	return types[type].name;
}

bool parameter_type_is_ordered(enum parameter_type type)
{
	return type == PARAMETER_INTEGER || type == PARAMETER_NUMBER ||
	       type == PARAMETER_SIZE || type == PARAMETER_DURATION;
}

void parameter_expects(const struct parameter *p, struct buf *out)
{
	buf_adds(out, types[p->type].expects);
	for (size_t i = 0; i < p->choices.n; i++)
		buf_addf(out, "%s %s", i ? "," : ":", p->choices.items[i]);
	if (p->min && p->max)
		buf_addf(out, " from %s to %s", p->min, p->max);
	else if (p->min)
		buf_addf(out, " of at least %s", p->min);
	else if (p->max)
		buf_addf(out, " of at most %s", p->max);
}

/* Digits from *s on, added to *v; how many there were. */
static size_t digits(const char **s, double *v)
{
	const char *start = *s;

	for (; **s >= '0' && **s <= '9'; (*s)++)
		*v = 10 * *v + (**s - '0');
	return (size_t)(*s - start);
}

/* digits [ "." digits ]; what follows it, or NULL. */
static const char *decimal(const char *s, double *v)
{
	size_t before, after = 0;

	*v = 0;
	before = digits(&s, v);
	if (before && *s == '.') {
		s++;
		after = digits(&s, v);
		if (!after)
			return NULL;
	}
	*v /= pow(10, (double)after);
	return before ? s : NULL;
}

static bool parse_integer(const char *s, double *v)
{
	double sign = *s == '-' ? -1 : 1;

	s += *s == '-';
	*v = 0;
	if (!digits(&s, v) || *s)
		return false;
	*v *= sign;
	return true;
}

static bool parse_number(const char *s, double *v)
{
	double sign = *s == '-' ? -1 : 1, exponent = 0;

	s = decimal(s + (*s == '-'), v);
	if (s && (*s == 'e' || *s == 'E')) {
		bool below = s[1] == '-';

		s += below || s[1] == '+' ? 2 : 1;
		if (!digits(&s, &exponent))
			return false;
		*v *= pow(10, below ? -exponent : exponent);
	}
	*v *= sign;
	return s && !*s && isfinite(*v);
}

static bool parse_size(const char *s, double *v)
{
	static const char units[] = "kKmMgGtT";
	const char *unit;

	s = decimal(s, v);
	if (!s)
		return false;
	unit = *s ? strchr(units, *s) : NULL;
	if (unit) {
		*v *= pow(1024, (double)(size_t)((unit - units) / 2 + 1));
		s++;
		s += !strcmp(s, "iB") ? 2 : 0;
	}
	return !*s;
}

/* The number behind the text, for types that are ordered. */
static bool parse(enum parameter_type type, const char *text, double *v)
{
	switch (type) {
	case PARAMETER_INTEGER:
		return parse_integer(text, v);
	case PARAMETER_NUMBER:
		return parse_number(text, v);
	case PARAMETER_SIZE:
		return parse_size(text, v);
	default:
		return value_duration(text, v);
	}
}

static bool in_bounds(const struct parameter *p, double v)
{
	double bound;

	if (p->min && parse(p->type, p->min, &bound) && v < bound)
		return false;
	return !(p->max && parse(p->type, p->max, &bound) && v > bound);
}

static bool is_path(const char *text)
{
	size_t n;

	if (text[0] != '/')
		return false;
	for (; *text; text += n) {
		text += strspn(text, "/");
		n = strcspn(text, "/");
		if (n == 2 && !strncmp(text, "..", 2))
			return false;
	}
	return true;
}

bool parameter_fits(const struct parameter *p, const char *text)
{
	double v;
	bool truth;

	if (value_is_computed(text))
		return true;
	switch (p->type) {
	case PARAMETER_TEXT:
		return true;
	case PARAMETER_BOOLEAN:
		return value_bool(text, &truth);
	case PARAMETER_PATH:
		return is_path(text);
	case PARAMETER_CHOICE:
		return strlist_has(&p->choices, text);
	default:
		return parse(p->type, text, &v) && in_bounds(p, v);
	}
}

void parameter_check(struct reading *r, const char *of,
		     const struct parameter *p, const struct variable *given)
{
	struct buf wanted = BUF_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];
	const char *near;

	if (!given->value || parameter_fits(p, given->value))
		return;
	parameter_expects(p, &wanted);
	near = strlist_nearest(given->value,
			       (const char *const *)p->choices.items,
			       p->choices.n);
	problems_add(r->problems, given->mark,
		     "%s%s \"%s\": expected %s%s got \"%s\"%s%s%s",
		     of ? of : "the default of parameter",
		     of ? ": parameter" : "", p->var.name, wanted.data,
		     p->choices.n ? ";" : ",",
		     problem_quote(quoted, given->value),
		     near ? "; did you mean \"" : "", near ? near : "",
		     near ? "\"?" : "");
	buf_release(&wanted);
}
