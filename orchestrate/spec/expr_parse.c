#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/expr_parser.h"

static int parse_choice(struct parser *ps, struct part *out);

static int next(struct parser *ps)
{
	return token_next(ps->x, ps->now.span.to, &ps->now, ps->p);
}

static bool at_operator(const struct parser *ps, enum operator op)
{
	return ps->now.kind == TOKEN_OPERATOR && ps->now.op == op;
}

static int expected(struct parser *ps, const char *what)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	struct mark at = expr_at(ps->x, ps->now.span.from);

	if (ps->now.kind == TOKEN_END)
		return problems_add(ps->p, at, "expected %s, but the "
				    "expression ends here", what);
	return problems_add(ps->p, at, "expected %s, got \"%s\"", what,
			    parser_quote(ps, ps->now.span, quoted));
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

	parser_quote(ps, name, quoted);
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
	    parse_choice(ps, &first) < 0 || parser_check_number(ps, first) < 0)
		return -1;
	if (!f->many) {
		parser_emit(ps, f->op, 0, first.span, first.span);
		return expect(ps, OP_CLOSE, "\")\"");
	}
	if (!at_operator(ps, OP_COMMA))
		return expected(ps, "\",\" and a second number");
	for (more = true; more;) {
		if (next(ps) < 0 || parse_choice(ps, &other) < 0 ||
		    parser_check_number(ps, other) < 0)
			return -1;
		parser_emit(ps, f->op, 0, first.span, other.span);
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
		return parser_add_number(ps, t->number, t->span);
	case TOKEN_TEXT:
		out->is_text = true;
		return parser_add_text(ps, t->first, t->span);
	case TOKEN_FACT:
		return parser_take_fact(ps, t);
	default:
		return parser_take_name(ps, t, out);
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
	    parser_check_number(ps, *out) < 0)
		return -1;
	ps->depth--;
	parser_emit(ps, OP_NEG, 0, out->span, out->span);
	out->span.from = from;
	return 0;
}

static int join(struct parser *ps, enum operator op, struct part *left,
		struct part right)
{
	bool any = op == OP_EQ || op == OP_NE;

	if (!any && (parser_check_number(ps, *left) < 0 ||
		     parser_check_number(ps, right) < 0))
		return -1;
	parser_emit(ps, op, 0, left->span, right.span);
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
		jumps[n++] = parser_emit(ps, OP_IN_ITEM, 0, left, item.span);
		x->span.to = ps->now.span.to;
		rc = accept(ps, OP_COMMA, &more);
	}
	if (!rc)
		rc = expect(ps, OP_CLOSE_LIST, "\",\" or \"]\"");
	parser_emit(ps, OP_IN_END, 0, x->span, x->span);
	for (size_t i = 0; i < n; i++)
		parser_land(ps, jumps[i]);
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
		parser_emit(ps, OP_NOT, 0, out->span, out->span);
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
	parser_emit(ps, OP_NOT, 0, out->span, out->span);
	out->span.from = from;
	out->is_text = false;
	return 0;
}

static int parse_logic(struct parser *ps, struct part *out, enum operator op)
{
	enum operator jump = op == OP_AND ? OP_AND_IF : OP_OR_IF;
	struct part right;
	size_t at;

	if (op == OP_AND ? parse_not(ps, out) :
			   parse_logic(ps, out, OP_AND))
		return -1;
	while (at_operator(ps, op)) {
		at = parser_emit(ps, jump, 0, out->span, out->span);
		if (next(ps) < 0)
			return -1;
		if (op == OP_AND ? parse_not(ps, &right) :
				   parse_logic(ps, &right, OP_AND))
			return -1;
		parser_emit(ps, op, 0, out->span, right.span);
		parser_land(ps, at);
		out->span.to = right.span.to;
		out->is_text = false;
	}
	return 0;
}

/* Behind "c ?" */
static int parse_branches(struct parser *ps, struct part *out)
{
	size_t choose, jump;
	struct part yes, no;

	choose = parser_emit(ps, OP_CHOOSE, 0, out->span, out->span);
	if (parse_choice(ps, &yes) < 0)
		return -1;
	jump = parser_emit(ps, OP_JUMP, 0, yes.span, yes.span);
	parser_land(ps, choose);
	if (expect(ps, OP_COLON, "an operator or \":\"") < 0 ||
	    parse_choice(ps, &no) < 0)
		return -1;
	parser_land(ps, jump);
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
