#include "orchestrate/spec/expr_parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *parser_quote(const struct parser *ps, struct span s,
			 char out[PROBLEM_QUOTE_SIZE])
{
	char *text = mem_strndup(ps->x->text + s.from,
				 (size_t)(s.to - s.from));

	problem_quote(out, text);
	free(text);
	return out;
}

/* A level's name that is no word, such as mq-deadline, stands here. */
static const char *unquoted(const struct parser *ps, size_t at,
			    const struct strlist *names)
{
	const char *text = ps->x->text + at, *found = NULL;

	for (size_t i = 0; i < names->n; i++) {
		const char *name = names->items[i];
		size_t n = strlen(name);

		if (strpbrk(name, "-.:/+ ") && !strncmp(text, name, n) &&
		    (!found || n > strlen(found)))
			found = name;
	}
	return found;
}

static int unknown_name(struct parser *ps, struct span at, const char *name,
			const char *is_no)
{
	struct strlist names = STRLIST_INIT;
	const char *near, *whole;
	char quoted[PROBLEM_QUOTE_SIZE], hint[PROBLEM_QUOTE_SIZE];

	ps->symbols->names(ps->symbols->ctx, &names);
	whole = unquoted(ps, at.from, &names);
	near = strlist_nearest(name, (const char *const *)names.items,
			       names.n);
	problem_quote(quoted, name);
	if (near && !strcmp(near, name))
		problems_add(ps->p, expr_at(ps->x, at.from),
			     "\"%s\" is a level and no variable; write '%s'",
			     quoted, quoted);
	else if (whole)
		problems_add(ps->p, expr_at(ps->x, at.from),
			     "\"%s\" is %s; write '%s' in quotes", quoted,
			     is_no, problem_quote(hint, whole));
	else if (near)
		problems_add(ps->p, expr_at(ps->x, at.from),
			     "\"%s\" is %s; did you mean \"%s\"?", quoted,
			     is_no, problem_quote(hint, near));
	else
		problems_add(ps->p, expr_at(ps->x, at.from),
			     "\"%s\" is %s; a text stands in quotes", quoted,
			     is_no);
	strlist_release(&names);
	return -1;
}

static bool is_truth_word(const char *name)
{
	return !strcmp(name, "true") || !strcmp(name, "false");
}

int parser_take_name(struct parser *ps, const struct token *t,
		     struct part *out)
{
	const struct expr_symbols *s = ps->symbols;
	char *name = mem_strndup(ps->x->text + t->first.from,
				 (size_t)(t->first.to - t->first.from));
	bool only_variable = t->kind == TOKEN_VARIABLE;
	uint32_t id = 0;
	int rc = -1;

	switch (s->name(s->ctx, name, expr_at(ps->x, t->first.from), &id)) {
	case EXPR_AMBIGUOUS:
		if (!only_variable) {
			problems_add(ps->p, expr_at(ps->x, t->first.from),
				     "\"%s\" is a variable and also a level; "
				     "write ${%s} or '%s'", name, name, name);
			break;
		}
		/* fall through */
	case EXPR_VARIABLE:
		rc = parser_add_variable(ps, id, t->span);
		break;
	case EXPR_WORD:
		if (!only_variable) {
			out->is_text = true;
			rc = parser_add_text(ps, t->first, t->span);
			break;
		}
		/* fall through */
	case EXPR_UNKNOWN:
		if (!only_variable && is_truth_word(name))
			rc = parser_add_text(ps, t->first, t->span);
		else
			unknown_name(ps, t->first, name, only_variable ?
				     "no variable" :
				     "no variable and no level");
		break;
	case EXPR_REFUSED:
		break;
	}
	free(name);
	return rc;
}

int parser_take_fact(struct parser *ps, const struct token *t)
{
	const struct expr_symbols *s = ps->symbols;
	struct mark at = expr_at(ps->x, t->span.from);
	const char *value;
	char *of, *fact;

	if (!s->fact)
		return problems_add(ps->p, at,
				    "facts of hosts cannot be used here");
	of = mem_strndup(ps->x->text + t->first.from,
			 (size_t)(t->first.to - t->first.from));
	fact = mem_strndup(ps->x->text + t->second.from,
			   (size_t)(t->second.to - t->second.from));
	value = s->fact(s->ctx, of, fact, at);
	free(of);
	free(fact);
	if (!value)
		return -1;
	return parser_add_fact(ps, value, t->span);
}

int parser_check_number(struct parser *ps, struct part part)
{
	char quoted[PROBLEM_QUOTE_SIZE], hint[PROBLEM_QUOTE_SIZE];
	struct strlist names = STRLIST_INIT;
	const char *whole;

	if (!part.is_text)
		return 0;
	ps->symbols->names(ps->symbols->ctx, &names);
	whole = unquoted(ps, part.span.from, &names);
	parser_quote(ps, part.span, quoted);
	if (whole)
		problems_add(ps->p, expr_at(ps->x, part.span.from),
			     "expected a number, got the text %s; write '%s' "
			     "in quotes", quoted, problem_quote(hint, whole));
	else
		problems_add(ps->p, expr_at(ps->x, part.span.from),
			     "expected a number, got the text %s", quoted);
	strlist_release(&names);
	return -1;
}
