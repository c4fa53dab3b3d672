#include "orchestrate/spec/tags.h"

#include <string.h>

#include "base/error.h"
#include "orchestrate/spec/problem.h"

#define DEEPEST 64

struct parser {
	const char *text; /* all of it */
	const char *at;
	unsigned depth;
	tag_is_there *has;
	void *ctx;
	struct error *err;
};

static int either(struct parser *p);

static bool is_first(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	if (!is_first(*s))
		return 0;
	while (is_first(s[n]) || s[n] == '.' || s[n] == '-')
		n++;
	return n;
}

static bool is(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && !strncmp(s, word, n);
}

static bool is_operator(const char *s, size_t n)
{
	return is(s, n, "and") || is(s, n, "or") || is(s, n, "not");
}

static void skip_space(struct parser *p)
{
	p->at += strspn(p->at, " \t\n");
}

/* Columns are characters. */
static unsigned column(const struct parser *p)
{
	unsigned n = 1;

	for (const char *s = p->text; s < p->at; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static int fail(const struct parser *p, const char *wanted)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (!*p->at)
		return error_set(p->err, ERROR_USAGE,
				 "column %u: expected %s, but it ends there",
				 column(p), wanted);
	return error_set(p->err, ERROR_USAGE,
			 "column %u: expected %s, got \"%s\"", column(p),
			 wanted, problem_quote(quoted, p->at));
}

static bool take_word(struct parser *p, const char *word)
{
	size_t n;

	skip_space(p);
	n = word_length(p->at);
	if (!is(p->at, n, word))
		return false;
	p->at += n;
	return true;
}

static int in_parentheses(struct parser *p)
{
	int v;

	p->at++;
	v = either(p);
	if (v < 0)
		return -1;
	skip_space(p);
	if (*p->at != ')')
		return fail(p, "\"and\", \"or\" or \")\"");
	p->at++;
	return v;
}

static int one(struct parser *p)
{
	bool negative = false;
	size_t n;
	int v;

	while (take_word(p, "not"))
		negative = !negative;
	n = word_length(p->at);
	if (*p->at == '(') {
		if (p->depth == DEEPEST)
			return error_set(p->err, ERROR_USAGE,
					 "column %u: more than %d parentheses "
					 "in each other", column(p), DEEPEST);
		p->depth++;
		v = in_parentheses(p);
		p->depth--;
		if (v < 0)
			return -1;
	} else if (n && !is_operator(p->at, n)) {
		v = p->has(p->ctx, p->at, n);
		p->at += n;
	} else {
		return fail(p, "a tag, \"not\" or \"(\"");
	}
	return negative ? !v : v;
}

static int both(struct parser *p)
{
	int v = one(p);

	while (v >= 0 && take_word(p, "and")) {
		int w = one(p);

		v = w < 0 ? w : v && w;
	}
	return v;
}

static int either(struct parser *p)
{
	int v = both(p);

	while (v >= 0 && take_word(p, "or")) {
		int w = both(p);

		v = w < 0 ? w : v || w;
	}
	return v;
}

int tags_match(const char *expression, tag_is_there *has, void *ctx,
	       struct error *err)
{
	struct parser p = { .text = expression, .at = expression, .has = has,
			    .ctx = ctx, .err = err };
	int v = either(&p);

	if (v < 0)
		return -1;
	skip_space(&p);
	return *p.at ? fail(&p, "\"and\" or \"or\"") : v;
}
