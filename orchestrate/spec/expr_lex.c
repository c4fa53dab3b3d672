#include <string.h>

#include "base/utf8.h"
#include "orchestrate/spec/expr_private.h"

static const struct {
	const char *name;
	enum operator op;
} operators[] = {
	/* longer ones first */
	{ "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE }, { ">=", OP_GE },
	{ "<", OP_LT }, { ">", OP_GT }, { "+", OP_ADD }, { "-", OP_SUB },
	{ "*", OP_MUL }, { "/", OP_DIV }, { "%", OP_MOD }, { "(", OP_OPEN },
	{ ")", OP_CLOSE }, { "[", OP_OPEN_LIST }, { "]", OP_CLOSE_LIST },
	{ ",", OP_COMMA }, { "?", OP_QUESTION }, { ":", OP_COLON },
	{ "and", OP_AND }, { "or", OP_OR }, { "not", OP_NOT },
	{ "in", OP_IN },
};
#define N_OPERATORS (sizeof(operators) / sizeof(*operators))

const char *operator_name(enum operator op)
{
	for (size_t i = 0; i < N_OPERATORS; i++)
		if (operators[i].op == op)
			return operators[i].name;
	return "";
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t name_length(const char *s)
{
	size_t n = 0;

	if (!is_letter(*s))
		return 0;
	while (is_letter(s[n]) || (s[n] >= '0' && s[n] <= '9'))
		n++;
	return n;
}

static struct span span(size_t from, size_t n)
{
	return (struct span){ .from = (uint16_t)from,
			      .to = (uint16_t)(from + n) };
}

/* What other languages write. */
static const char *hint(const char *s)
{
	if (*s == '=')
		return "; write == to compare";
	if (!strncmp(s, "&&", 2))
		return "; write and";
	if (!strncmp(s, "||", 2))
		return "; write or";
	if (*s == '!')
		return "; write not";
	if (*s == '$')
		return "; write ${name}, or the name alone";
	return "";
}

static int unknown(const struct expr *x, size_t at, struct problems *p)
{
	const char *s = x->text + at;
	size_t n = utf8_sequence(s, strlen(s));
	char quoted[PROBLEM_QUOTE_SIZE], one[8] = "";

	memcpy(one, s, n ? n : 1);
	return problems_add(p, expr_at(x, at),
			    "\"%s\" has no meaning in an expression%s",
			    problem_quote(quoted, one), hint(s));
}

/* A "." and a name directly behind make it a fact. */
static void take_fact(const struct expr *x, struct token *out)
{
	const char *s = x->text + out->span.to;
	size_t n = *s == '.' ? name_length(s + 1) : 0;

	if (!n)
		return;
	out->kind = TOKEN_FACT;
	out->second = span(out->span.to + 1u, n);
	out->span.to = out->second.to;
}

static int take_quoted(const struct expr *x, size_t at, struct token *out,
		       struct problems *p)
{
	const char *s = x->text + at, *end = strchr(s + 1, *s);

	if (!end)
		return problems_add(p, expr_at(x, at),
				    "the text that begins here has no closing "
				    "%c", *s);
	out->kind = TOKEN_TEXT;
	out->first = span(at + 1, (size_t)(end - s) - 1);
	out->span = span(at, (size_t)(end - s) + 1);
	take_fact(x, out);
	return 0;
}

static int take_variable(const struct expr *x, size_t at, struct token *out,
			 struct problems *p)
{
	const char *s = x->text + at;
	size_t n = name_length(s + 2);

	if (!n || s[2 + n] != '}')
		return problems_add(p, expr_at(x, at), "expected a variable's "
				    "name and \"}\" behind \"${\"");
	out->kind = TOKEN_VARIABLE;
	out->first = span(at + 2, n);
	out->span = span(at, n + 3);
	return 0;
}

static int take_number(const struct expr *x, size_t at, struct token *out,
		       struct problems *p)
{
	const char *s = x->text + at;
	size_t n = number_scan(s, &out->number);

	out->kind = TOKEN_NUMBER;
	out->span = out->first = span(at, n);
	if (n && !name_length(s + n) && s[n] != '.')
		return 0;
	return problems_add(p, expr_at(x, at),
			    "no number: write one such as 8, 0.5 or 64K, and "
			    "a text in quotes");
}

static bool take_operator(const struct expr *x, size_t at, struct token *out)
{
	const char *s = x->text + at;
	size_t word = name_length(s);

	for (size_t i = 0; i < N_OPERATORS; i++) {
		size_t n = strlen(operators[i].name);

		if (strncmp(s, operators[i].name, n) || (word && word != n))
			continue;
		out->kind = TOKEN_OPERATOR;
		out->op = operators[i].op;
		out->span = span(at, n);
		return true;
	}
	return false;
}

int token_next(const struct expr *x, size_t at, struct token *out,
	       struct problems *p)
{
	const char *s;
	size_t n;

	at += strspn(x->text + at, " \t\r\n");
	s = x->text + at;
	*out = (struct token){ .kind = TOKEN_END, .span = span(at, 0) };
	if (!*s || take_operator(x, at, out))
		return 0;
	if (*s >= '0' && *s <= '9')
		return take_number(x, at, out, p);
	if (*s == '\'' || *s == '"')
		return take_quoted(x, at, out, p);
	if (s[0] == '$' && s[1] == '{')
		return take_variable(x, at, out, p);
	n = name_length(s);
	if (!n)
		return unknown(x, at, p);
	out->kind = TOKEN_NAME;
	out->span = out->first = span(at, n);
	take_fact(x, out);
	return 0;
}
