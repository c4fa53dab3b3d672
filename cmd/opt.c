#include "cmd/opt.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"

/* Where the reading of one command line stands. */
struct reader {
	const struct opt *options;
	int argc;
	char **argv;
	int next;
	void *values;
	struct error *err;
};

static const struct opt *find_name(const struct opt *options,
				   const char *name, size_t n)
{
	for (const struct opt *o = options; o->name; o++)
		if (strlen(o->name) == n && !strncmp(o->name, name, n))
			return o;
	return NULL;
}

static const struct opt *find_letter(const struct opt *options, char letter)
{
	for (const struct opt *o = options; o->name; o++)
		if (o->letter && o->letter == letter)
			return o;
	return NULL;
}

static int unknown_option(struct reader *r, const char *name, size_t n)
{
	char *word = mem_strndup(name, n);
	struct strlist names = STRLIST_INIT;
	const char *near;

	for (const struct opt *o = r->options; o->name; o++)
		strlist_push(&names, o->name);
	strlist_push(&names, "help");
	near = strlist_nearest(word, (const char *const *)names.items,
			       names.n);
	if (near)
		error_set(r->err, ERROR_USAGE,
			  "unknown option '--%s'; did you mean --%s?", word,
			  near);
	else
		error_set(r->err, ERROR_USAGE,
			  "unknown option '--%s'; --help lists them", word);
	strlist_release(&names);
	free(word);
	return -1;
}

int opt_word_value(const struct opt_word *words, const char *what,
		   const char *word, int *value, struct error *err)
{
	struct strlist names = STRLIST_INIT;
	struct buf all = BUF_INIT;
	const char *near;

	for (const struct opt_word *w = words; w->name; w++) {
		if (!strcmp(w->name, word)) {
			*value = w->value;
			strlist_release(&names);
			buf_release(&all);
			return 0;
		}
		strlist_push(&names, w->name);
		buf_addf(&all, "%s%s", all.n ? ", " : "", w->name);
	}
	near = strlist_nearest(word, (const char *const *)names.items,
			       names.n);
	error_set(err, ERROR_USAGE, "%s: '%s' is not one of %s%s%s%s", what,
		  word, all.data, near ? "; did you mean " : "",
		  near ? near : "", near ? "?" : "");
	strlist_release(&names);
	buf_release(&all);
	return -1;
}

static int read_integer(const struct opt *o, const char *text,
			struct opt_integer *out, struct error *err)
{
	char *end = NULL;

	errno = 0;
	out->value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno ||
	    out->value < o->min || out->value > o->max)
		return error_set(err, ERROR_USAGE,
				 "--%s: '%s' is not a whole number from "
				 "%" PRIu64 " to %" PRIu64,
				 o->name, text, o->min, o->max);
	out->given = true;
	return 0;
}

static int read_real(const struct opt *o, const char *text,
		     struct opt_real *out, struct error *err)
{
	char *end = NULL;

	out->value = strtod(text, &end);
	if (end == text || *end || !isfinite(out->value) ||
	    out->value < o->low || out->value > o->high)
		return error_set(err, ERROR_USAGE,
				 "--%s: '%s' is not a number from %g to %g",
				 o->name, text, o->low, o->high);
	out->given = true;
	return 0;
}

static int read_choices(const struct opt *o, const char *text, unsigned *out,
			struct error *err)
{
	char what[64];

	snprintf(what, sizeof(what), "--%s", o->name);
	*out = 0;
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		char *word = mem_strndup(p, n);
		int value = 0;
		int failed = opt_word_value(o->words, what, word, &value, err);

		free(word);
		if (failed)
			return -1;
		*out |= 1u << value;
		p += n;
		if (!*p)
			return 0;
	}
}

static int check_not_empty(const struct opt *o, const char *text,
			   struct error *err)
{
	if (*text)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "--%s needs a value that is not empty", o->name);
}

static int set_value(const struct opt *o, const char *text, void *values,
		     struct error *err)
{
	struct opt_strings *list;
	void *at = (char *)values + o->offset;
	char what[64];

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)at = true;
		return 0;
	case OPT_STRING:
	case OPT_FILE:
	case OPT_DIR:
		*(const char **)at = text;
		return check_not_empty(o, text, err);
	case OPT_STRINGS:
		list = at;
		MEM_GROW(list->items, list->n, list->cap);
		list->items[list->n++] = text;
		return check_not_empty(o, text, err);
	case OPT_INTEGER:
		return read_integer(o, text, at, err);
	case OPT_REAL:
		return read_real(o, text, at, err);
	case OPT_CHOICE:
		snprintf(what, sizeof(what), "--%s", o->name);
		return opt_word_value(o->words, what, text, at, err);
	case OPT_CHOICES:
		return read_choices(o, text, at, err);
	}
	return 0;
}

/* `attached` is the text after "=" or after the letter, or NULL. */
static int take(struct reader *r, const struct opt *o, const char *attached)
{
	if (o->kind == OPT_FLAG) {
		if (attached)
			return error_set(r->err, ERROR_USAGE,
					 "--%s takes no value", o->name);
		return set_value(o, "", r->values, r->err);
	}
	if (!attached) {
		if (r->next >= r->argc)
			return error_set(r->err, ERROR_USAGE,
					 "--%s needs a value (%s)", o->name,
					 o->value);
		attached = r->argv[r->next++];
	}
	return set_value(o, attached, r->values, r->err);
}

/* Returns 1 for --help. */
static int take_long(struct reader *r, const char *word)
{
	size_t n = strcspn(word, "=");
	const struct opt *o = find_name(r->options, word, n);

	if (o)
		return take(r, o, word[n] ? word + n + 1 : NULL);
	if (!strcmp(word, "help"))
		return 1;
	return unknown_option(r, word, n);
}

static int take_letters(struct reader *r, const char *word)
{
	for (const char *p = word; *p; p++) {
		const struct opt *o = find_letter(r->options, *p);

		if (!o && *p == 'h')
			return 1;
		if (!o)
			return error_set(r->err, ERROR_USAGE,
					 "unknown option '-%s'; --help lists "
					 "them",
					 p);
		if (o->kind != OPT_FLAG)
			return take(r, o, p[1] ? p + 1 : NULL);
		set_value(o, "", r->values, r->err);
	}
	return 0;
}

static int check_operands(const struct operand *wanted,
			  const struct operands *got, struct error *err)
{
	size_t i = 0;
	bool many = false;

	for (; wanted[i].name; i++) {
		int ignored;

		many = wanted[i].many;
		if (i >= got->n && !wanted[i].optional)
			return error_set(err, ERROR_USAGE, "%s is missing",
					 wanted[i].name);
		if (i < got->n && wanted[i].words &&
		    opt_word_value(wanted[i].words, wanted[i].name,
				   got->items[i], &ignored, err))
			return -1;
	}
	if (got->n > i && !many)
		return error_set(err, ERROR_USAGE, "one operand too many: '%s'",
				 got->items[i]);
	return 0;
}

static int set_fallbacks(const struct opt *options, void *values,
			 struct error *err)
{
	for (const struct opt *o = options; o->name; o++)
		if (o->fallback && set_value(o, o->fallback, values, err))
			return -1;
	return 0;
}

int opt_parse(const struct opt *options, const struct operand *wanted,
	      int argc, char **argv, void *values, struct operands *operands,
	      struct error *err)
{
	struct reader r = { options, argc, argv, 0, values, err };
	bool ended = false;

	operands->items = mem_zalloc((size_t)argc + 1, sizeof(char *));
	operands->n = 0;
	if (set_fallbacks(options, values, err))
		return -1;
	while (r.next < argc) {
		const char *word = argv[r.next++];
		int got = 0;

		if (ended || word[0] != '-' || !word[1])
			operands->items[operands->n++] = word;
		else if (!strcmp(word, "--"))
			ended = true;
		else if (word[1] == '-')
			got = take_long(&r, word + 2);
		else
			got = take_letters(&r, word + 1);
		if (got)
			return got;
	}
	return check_operands(wanted, operands, err);
}

void operands_release(struct operands *operands)
{
	free(operands->items);
	operands->items = NULL;
	operands->n = 0;
}

const char *operand_get(const struct operands *operands, size_t i)
{
	return i < operands->n ? operands->items[i] : NULL;
}

void opt_release(const struct opt *options, void *values)
{
	for (const struct opt *o = options; o->name; o++) {
		struct opt_strings *list;

		if (o->kind != OPT_STRINGS)
			continue;
		list = (void *)((char *)values + o->offset);
		free(list->items);
		*list = (struct opt_strings){ .items = NULL };
	}
}
