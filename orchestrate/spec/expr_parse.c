#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/expr_private.h"

struct parser {
	struct expr *x;
	const struct expr_symbols *symbols;
	struct problems *p;
	struct token now;
	unsigned depth;    /* of nesting */
	size_t stack;      /* values on it at this point */
};

/* A part of the expression, and whether it is nothing but a text. */
struct part {
	struct span span;
	bool is_text;
};

static int parse_choice(struct parser *ps, struct part *out);

static int next(struct parser *ps)
{
	return token_next(ps->x, ps->now.span.to, &ps->now, ps->p);
}

static bool at_operator(const struct parser *ps, enum operator op)
{
	return ps->now.kind == TOKEN_OPERATOR && ps->now.op == op;
}

/* The bytes of a span as a message quotes them. */
static const char *quote(const struct parser *ps, struct span s,
			 char out[PROBLEM_QUOTE_SIZE])
{
	char *text = mem_strndup(ps->x->text + s.from,
				 (size_t)(s.to - s.from));

	problem_quote(out, text);
	free(text);
	return out;
}

static int expected(struct parser *ps, const char *what)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	struct mark at = expr_at(ps->x, ps->now.span.from);

	if (ps->now.kind == TOKEN_END)
		return problems_add(ps->p, at, "expected %s, but the "
				    "expression ends here", what);
	return problems_add(ps->p, at, "expected %s, got \"%s\"", what,
			    quote(ps, ps->now.span, quoted));
}

/* Takes it when it is there. */
static int accept(struct parser *ps, enum operator op, bool *taken)
{
	*taken = at_operator(ps, op);
	return *taken ? next(ps) : 0;
}

static int expect(struct parser *ps, enum operator op, const char *what)
{
	return at_operator(ps, op) ? next(ps) : expected(ps, what);
}

/* How many values it takes away from the stack, below 0: puts there. */
static int taken_by(enum operator op)
{
	if (op == OP_CONSTANT || op == OP_VARIABLE)
		return -1;
	if (op <= OP_MAX || op == OP_AND || op == OP_OR ||
	    op == OP_CHOOSE || op == OP_IN_ITEM)
		return 1;
	/* the other way has not put its value there yet */
	return op == OP_JUMP;
}

static size_t emit(struct parser *ps, enum operator op, size_t arg,
		   struct span left, struct span right)
{
	struct expr *x = ps->x;

	MEM_GROW(x->operands, x->n, x->cap_operands);
	x->operands[x->n] = (struct operands){ left, right };
	MEM_GROW(x->code, x->n, x->cap);
	x->code[x->n] = (struct instruction){ (uint16_t)op, (uint16_t)arg };
	ps->stack = (size_t)((long)ps->stack - taken_by(op));
	return x->n++;
}

static int check_stack(struct parser *ps, struct span at)
{
	if (ps->stack <= EXPR_STACK)
		return 0;
	return problems_add(ps->p, expr_at(ps->x, at.from),
			    "this expression is too complex; divide it with a "
			    "variable");
}

/* The jump leads to the next instruction. */
static void land(struct parser *ps, size_t jump)
{
	ps->x->code[jump].arg = (uint16_t)ps->x->n;
}

static int add_constant(struct parser *ps, struct expr_value v,
			struct span at)
{
	struct expr *x = ps->x;

	MEM_GROW(x->constants, x->n_constants, x->cap_constants);
	x->constants[x->n_constants] = v;
	emit(ps, OP_CONSTANT, x->n_constants++, at, at);
	return check_stack(ps, at);
}

static const char *keep_text(struct parser *ps, const char *text, size_t n)
{
	strlist_push_nodup(&ps->x->texts, mem_strndup(text, n));
	return ps->x->texts.items[ps->x->texts.n - 1];
}

static int add_text(struct parser *ps, struct span text, struct span at)
{
	struct expr_value v = { .kind = EXPR_TEXT };

	v.text = keep_text(ps, ps->x->text + text.from,
			   (size_t)(text.to - text.from));
	if (ps->symbols->text)
		v.id = ps->symbols->text(ps->symbols->ctx, v.text);
	return add_constant(ps, v, at);
}

static int add_variable(struct parser *ps, uint32_t id, struct span at)
{
	struct expr *x = ps->x;
	size_t i = 0;

	while (i < x->n_variables && x->variables[i] != id)
		i++;
	if (i == x->n_variables) {
		MEM_GROW(x->variables, x->n_variables, x->cap_variables);
		x->variables[x->n_variables++] = id;
	}
	emit(ps, OP_VARIABLE, i, at, at);
	return check_stack(ps, at);
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

static int take_name(struct parser *ps, const struct token *t,
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
		rc = add_variable(ps, id, t->span);
		break;
	case EXPR_WORD:
		if (!only_variable) {
			out->is_text = true;
			rc = add_text(ps, t->first, t->span);
			break;
		}
		/* fall through */
	case EXPR_UNKNOWN:
		if (!only_variable && is_truth_word(name))
			rc = add_text(ps, t->first, t->span);
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

static int take_fact(struct parser *ps, const struct token *t)
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
	value = keep_text(ps, value, strlen(value));
	return add_constant(ps, expr_value_of(value), t->span);
}

static int take_number(struct parser *ps, const struct token *t)
{
	struct expr_value v = { .kind = EXPR_NUMBER, .number = t->number };

	v.text = keep_text(ps, ps->x->text + t->span.from,
			   (size_t)(t->span.to - t->span.from));
	return add_constant(ps, v, t->span);
}

/* A text alone can never be a number. */
static int check_number(struct parser *ps, struct part part)
{
	char quoted[PROBLEM_QUOTE_SIZE], hint[PROBLEM_QUOTE_SIZE];
	struct strlist names = STRLIST_INIT;
	const char *whole;

	if (!part.is_text)
		return 0;
	ps->symbols->names(ps->symbols->ctx, &names);
	whole = unquoted(ps, part.span.from, &names);
	quote(ps, part.span, quoted);
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

static const struct function {
	const char *name;
	enum operator op;
	bool many;
} functions[] = {
	{ "ceil", OP_CEIL, false },
	{ "floor", OP_FLOOR, false },
	{ "log2", OP_LOG2, false },
	{ "max", OP_MAX, true },
	{ "min", OP_MIN, true },
	{ "round", OP_ROUND, false },
};
#define N_FUNCTIONS (sizeof(functions) / sizeof(*functions))

static int find_function(struct parser *ps, struct span name,
			 const struct function **out)
{
	const char *names[N_FUNCTIONS], *near;
	char quoted[PROBLEM_QUOTE_SIZE];

	quote(ps, name, quoted);
	for (size_t i = 0; i < N_FUNCTIONS; i++) {
		names[i] = functions[i].name;
		*out = &functions[i];
		if (!strcmp(quoted, names[i]))
			return 0;
	}
	near = strlist_nearest(quoted, names, N_FUNCTIONS);
	return problems_add(ps->p, expr_at(ps->x, name.from),
			    "there is no function \"%s\"; %s%s%s", quoted,
			    near ? "did you mean \"" : "there are ceil, floor,"
			    " log2, max, min and round", near ? near : "",
			    near ? "\"?" : "");
}

/* Behind "name(". */
static int parse_call(struct parser *ps, struct span name)
{
	const struct function *f;
	struct part first, other;
	bool more;

	if (find_function(ps, name, &f) < 0 || next(ps) < 0 ||
	    parse_choice(ps, &first) < 0 || check_number(ps, first) < 0)
		return -1;
	if (!f->many) {
		emit(ps, f->op, 0, first.span, first.span);
		return expect(ps, OP_CLOSE, "\")\"");
	}
	if (!at_operator(ps, OP_COMMA))
		return expected(ps, "\",\" and a second number");
	for (more = true; more;) {
		if (next(ps) < 0 || parse_choice(ps, &other) < 0 ||
		    check_number(ps, other) < 0)
			return -1;
		emit(ps, f->op, 0, first.span, other.span);
		more = at_operator(ps, OP_COMMA);
	}
	return expect(ps, OP_CLOSE, "\",\" or \")\"");
}

static int parse_group(struct parser *ps, struct part *out)
{
	if (next(ps) < 0 || parse_choice(ps, out) < 0)
		return -1;
	return expect(ps, OP_CLOSE, "an operator or \")\"");
}

static int take_simple(struct parser *ps, const struct token *t,
		       struct part *out)
{
	switch (t->kind) {
	case TOKEN_NUMBER:
		return take_number(ps, t);
	case TOKEN_TEXT:
		out->is_text = true;
		return add_text(ps, t->first, t->span);
	case TOKEN_FACT:
		return take_fact(ps, t);
	default:
		return take_name(ps, t, out);
	}
}

static int parse_primary(struct parser *ps, struct part *out)
{
	struct token t = ps->now;

	*out = (struct part){ .span = t.span };
	if (at_operator(ps, OP_OPEN)) {
		if (parse_group(ps, out) < 0)
			return -1;
	} else if (t.kind == TOKEN_END || t.kind == TOKEN_OPERATOR) {
		return expected(ps, "a value");
	} else if (next(ps) < 0) {
		return -1;
	} else if (t.kind == TOKEN_NAME && at_operator(ps, OP_OPEN)) {
		if (parse_call(ps, t.span) < 0)
			return -1;
	} else {
		return take_simple(ps, &t, out);
	}
	return 0;
}

static int deeper(struct parser *ps)
{
	if (++ps->depth <= EXPR_MAX_DEPTH)
		return 0;
	return problems_add(ps->p, expr_at(ps->x, ps->now.span.from),
			    "nested more than %d levels deep; divide the "
			    "expression with a variable", EXPR_MAX_DEPTH);
}

static int parse_unary(struct parser *ps, struct part *out)
{
	uint16_t from = ps->now.span.from;
	bool minus;

	if (accept(ps, OP_SUB, &minus) < 0)
		return -1;
	if (!minus)
		return parse_primary(ps, out);
	if (deeper(ps) < 0 || parse_unary(ps, out) < 0 ||
	    check_number(ps, *out) < 0)
		return -1;
	ps->depth--;
	emit(ps, OP_NEG, 0, out->span, out->span);
	out->span.from = from;
	return 0;
}

static int join(struct parser *ps, enum operator op, struct part *left,
		struct part right)
{
	bool any = op == OP_EQ || op == OP_NE;

	if (!any && (check_number(ps, *left) < 0 ||
		     check_number(ps, right) < 0))
		return -1;
	emit(ps, op, 0, left->span, right.span);
	left->span.to = right.span.to;
	left->is_text = false;
	return 0;
}

static int parse_product(struct parser *ps, struct part *out)
{
	struct part right;

	if (parse_unary(ps, out) < 0)
		return -1;
	while (at_operator(ps, OP_MUL) || at_operator(ps, OP_DIV) ||
	       at_operator(ps, OP_MOD)) {
		enum operator op = ps->now.op;

		if (next(ps) < 0 || parse_unary(ps, &right) < 0 ||
		    join(ps, op, out, right) < 0)
			return -1;
	}
	return 0;
}

static int parse_sum(struct parser *ps, struct part *out)
{
	struct part right;

	if (parse_product(ps, out) < 0)
		return -1;
	while (at_operator(ps, OP_ADD) || at_operator(ps, OP_SUB)) {
		enum operator op = ps->now.op;

		if (next(ps) < 0 || parse_product(ps, &right) < 0 ||
		    join(ps, op, out, right) < 0)
			return -1;
	}
	return 0;
}

/* Behind "x in" */
static int parse_list(struct parser *ps, struct part *x)
{
	size_t *jumps = NULL, n = 0, cap = 0;
	struct span left = x->span;
	struct part item;
	bool more = true;
	int rc = expect(ps, OP_OPEN_LIST, "a list such as [a, b]");

	while (!rc && more) {
		rc = parse_choice(ps, &item);
		if (rc)
			break;
		MEM_GROW(jumps, n, cap);
		jumps[n++] = emit(ps, OP_IN_ITEM, 0, left, item.span);
		x->span.to = ps->now.span.to;
		rc = accept(ps, OP_COMMA, &more);
	}
	if (!rc)
		rc = expect(ps, OP_CLOSE_LIST, "\",\" or \"]\"");
	emit(ps, OP_IN_END, 0, x->span, x->span);
	for (size_t i = 0; i < n; i++)
		land(ps, jumps[i]);
	free(jumps);
	x->is_text = false;
	return rc;
}

static bool at_comparison(const struct parser *ps)
{
	return ps->now.kind == TOKEN_OPERATOR && ps->now.op >= OP_EQ &&
	       ps->now.op <= OP_GE;
}

/* "not in" is two tokens. */
static int parse_membership(struct parser *ps, struct part *out)
{
	bool negated, in;

	if (accept(ps, OP_NOT, &negated) < 0)
		return -1;
	if (negated && !at_operator(ps, OP_IN))
		return expected(ps, "\"in\" behind \"not\"");
	if (accept(ps, OP_IN, &in) < 0)
		return -1;
	if (in && parse_list(ps, out) < 0)
		return -1;
	if (negated)
		emit(ps, OP_NOT, 0, out->span, out->span);
	return 0;
}

static int parse_comparison(struct parser *ps, struct part *out)
{
	enum operator op;
	struct part right;

	if (parse_sum(ps, out) < 0)
		return -1;
	if (!at_comparison(ps))
		return parse_membership(ps, out);
	op = ps->now.op;
	if (next(ps) < 0 || parse_sum(ps, &right) < 0 ||
	    join(ps, op, out, right) < 0)
		return -1;
	if (at_comparison(ps))
		return expected(ps, "\"and\" or \"or\" between two "
				    "comparisons");
	return 0;
}

static int parse_not(struct parser *ps, struct part *out)
{
	uint16_t from = ps->now.span.from;
	bool negated;

	if (accept(ps, OP_NOT, &negated) < 0)
		return -1;
	if (!negated)
		return parse_comparison(ps, out);
	if (deeper(ps) < 0 || parse_not(ps, out) < 0)
		return -1;
	ps->depth--;
	emit(ps, OP_NOT, 0, out->span, out->span);
	out->span.from = from;
	out->is_text = false;
	return 0;
}

static int parse_logic(struct parser *ps, struct part *out, enum operator op)
{
	enum operator jump = op == OP_AND ? OP_AND_IF : OP_OR_IF;
	struct part right;
	size_t at;

	if (op == OP_AND ? parse_not(ps, out) : parse_logic(ps, out, OP_AND))
		return -1;
	while (at_operator(ps, op)) {
		at = emit(ps, jump, 0, out->span, out->span);
		if (next(ps) < 0)
			return -1;
		if (op == OP_AND ? parse_not(ps, &right) :
				   parse_logic(ps, &right, OP_AND))
			return -1;
		emit(ps, op, 0, out->span, right.span);
		land(ps, at);
		out->span.to = right.span.to;
		out->is_text = false;
	}
	return 0;
}

/* Behind "c ?" */
static int parse_branches(struct parser *ps, struct part *out)
{
	size_t choose = emit(ps, OP_CHOOSE, 0, out->span, out->span), jump;
	struct part yes, no;

	if (parse_choice(ps, &yes) < 0)
		return -1;
	jump = emit(ps, OP_JUMP, 0, yes.span, yes.span);
	land(ps, choose);
	if (expect(ps, OP_COLON, "an operator or \":\"") < 0 ||
	    parse_choice(ps, &no) < 0)
		return -1;
	land(ps, jump);
	out->span.to = no.span.to;
	out->is_text = false;
	return 0;
}

static int parse_choice(struct parser *ps, struct part *out)
{
	bool choice;

	if (deeper(ps) < 0 || parse_logic(ps, out, OP_OR) < 0 ||
	    accept(ps, OP_QUESTION, &choice) < 0)
		return -1;
	if (choice && parse_branches(ps, out) < 0)
		return -1;
	ps->depth--;
	return 0;
}

int expr_parse(struct expr *x, const struct expr_symbols *symbols,
	       struct problems *p)
{
	struct parser ps = { .x = x, .symbols = symbols, .p = p };
	struct part all;

	if (next(&ps) < 0 || parse_choice(&ps, &all) < 0)
		return -1;
	if (ps.now.kind != TOKEN_END)
		return expected(&ps, "an operator");
	return 0;
}
