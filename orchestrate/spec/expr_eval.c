#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/expr_private.h"

#define TRUTH(v) ((struct expr_value){ .kind = EXPR_TRUTH, .number = (v) })

/* A Boolean of three values. */
enum condition {
	NO,
	YES,
	NEITHER, /* absent */
	NO_CONDITION,
};

static enum condition condition_of(const struct expr_value *v)
{
	switch (v->kind) {
	case EXPR_ABSENT:
		return NEITHER;
	case EXPR_NUMBER:
	case EXPR_TRUTH:
		return v->number < 0 || v->number > 0 ? YES : NO;
	case EXPR_TEXT:
		break;
	}
	if (!strcmp(v->text, "true"))
		return YES;
	return !strcmp(v->text, "false") ? NO : NO_CONDITION;
}

/* "threads / 0": the part of the text. */
static char *source_of(const struct expr *x, struct span s)
{
	char *text = mem_strndup(x->text + s.from, (size_t)(s.to - s.from));
	char quoted[PROBLEM_QUOTE_SIZE];

	problem_quote(quoted, text);
	free(text);
	return mem_strdup(quoted);
}

static int fault(const struct expr *x, struct span s, struct error *err,
		 const char *text)
{
	struct mark at = expr_at(x, s.from);
	char *source = source_of(x, s);

	error_set(err, ERROR_USAGE, "%s:%u:%u: %s %s",
		  at.file ? at.file : "", at.line, at.column, source, text);
	free(source);
	return -1;
}

static int wrong_kind(const struct expr *x, struct span s,
		      const struct expr_value *v, const char *wanted,
		      struct error *err)
{
	char quoted[PROBLEM_QUOTE_SIZE], room[NUMBER_SIZE], *text;

	text = mem_printf("is \"%s\", which is no %s",
			  problem_quote(quoted, expr_value_text(v, room)),
			  wanted);
	fault(x, s, err, text);
	free(text);
	return -1;
}

/* IEEE 754 fmod: the result has the sign of a. */
static double arithmetic(enum operator op, double a, double b)
{
	switch (op) {
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_DIV:
		return a / b;
	case OP_MOD:
		return fmod(a, b);
	case OP_MIN:
		return fmin(a, b);
	default:
		return fmax(a, b);
	}
}

static double apply(enum operator op, double a)
{
	switch (op) {
	case OP_NEG:
		return -a;
	case OP_FLOOR:
		return floor(a);
	case OP_CEIL:
		return ceil(a);
	case OP_ROUND:
		return round(a);
	default:
		return log2(a);
	}
}

static bool same(const struct expr_value *a, const struct expr_value *b)
{
	char room_a[NUMBER_SIZE], room_b[NUMBER_SIZE];

	if (a->kind == EXPR_NUMBER && b->kind == EXPR_NUMBER)
		return !(a->number < b->number || a->number > b->number);
	if (a->id && b->id)
		return a->id == b->id;
	return !strcmp(expr_value_text(a, room_a),
		       expr_value_text(b, room_b));
}

static bool ordered(enum operator op, double a, double b)
{
	switch (op) {
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static int wrong_operand(const struct expr *x, size_t pc,
			 const struct expr_value *a,
			 const struct expr_value *b, struct error *err)
{
	if (a->kind != EXPR_NUMBER)
		return wrong_kind(x, x->operands[pc].left, a, "number", err);
	return wrong_kind(x, x->operands[pc].right, b, "number", err);
}

static int out_of_range(const struct expr *x, size_t pc, enum operator op,
			double b, struct error *err)
{
	struct span all = { x->operands[pc].left.from,
			    x->operands[pc].right.to };

	if ((op == OP_DIV || op == OP_MOD) && !(b < 0) && !(b > 0))
		return fault(x, x->operands[pc].right, err,
			     "is 0: there is no dividing by it");
	if (op == OP_LOG2)
		return fault(x, x->operands[pc].left, err,
			     "has no log2: it is not above 0");
	return fault(x, all, err, "is out of range (above 1.8e308)");
}

/* Replaces a by a op b. */
static int binary(const struct expr *x, size_t pc, struct expr_value *a,
		  const struct expr_value *b, struct error *err)
{
	enum operator op = x->code[pc].code;

	if (a->kind == EXPR_ABSENT || b->kind == EXPR_ABSENT) {
		a->kind = EXPR_ABSENT;
		return 0;
	}
	if (op == OP_EQ || op == OP_NE) {
		*a = TRUTH(same(a, b) == (op == OP_EQ));
		return 0;
	}
	if (a->kind != EXPR_NUMBER || b->kind != EXPR_NUMBER)
		return wrong_operand(x, pc, a, b, err);
	if (op >= OP_LT && op <= OP_GE) {
		*a = TRUTH(ordered(op, a->number, b->number));
		return 0;
	}
	a->number = arithmetic(op, a->number, b->number);
	a->text = NULL;
	a->id = 0;
	return isfinite(a->number) ? 0 :
				     out_of_range(x, pc, op, b->number, err);
}

static int unary(const struct expr *x, size_t pc, struct expr_value *a,
		 struct error *err)
{
	enum operator op = x->code[pc].code;

	if (a->kind == EXPR_ABSENT)
		return 0;
	if (a->kind != EXPR_NUMBER)
		return wrong_operand(x, pc, a, a, err);
	a->number = apply(op, a->number);
	a->text = NULL;
	a->id = 0;
	return isfinite(a->number) ? 0 : out_of_range(x, pc, op, 1, err);
}

static int take_condition(const struct expr *x, struct span s,
			  struct expr_value *v, struct error *err)
{
	enum condition c = condition_of(v);

	if (c == NO_CONDITION)
		return wrong_kind(x, s, v, "condition", err);
	if (c == NEITHER)
		v->kind = EXPR_ABSENT;
	else
		*v = TRUTH(c == YES);
	return 0;
}

/* Kleene's three-valued logic. */
static int logic(const struct expr *x, size_t pc, struct expr_value *a,
		 struct expr_value *b, struct error *err)
{
	double decides = x->code[pc].code == OP_OR;

	/* a is a condition already, and does not decide */
	if (take_condition(x, x->operands[pc].right, b, err) < 0)
		return -1;
	if (a->kind == EXPR_TRUTH || b->kind == EXPR_ABSENT ||
	    (b->number > 0) == (decides > 0))
		*a = *b;
	return 0;
}

/* Whether a AND_IF or OR_IF knows the answer from its left side. */
static bool decides(enum operator op, const struct expr_value *a)
{
	return a->kind == EXPR_TRUTH && (a->number > 0) == (op == OP_OR_IF);
}

/* A machine at work. */
struct machine {
	size_t pc;
	size_t n;          /* values on the stack */
	struct expr_value stack[EXPR_STACK];
};

static void choose(struct machine *m, const struct expr *x,
		   const struct expr_value *c)
{
	size_t otherwise = x->code[m->pc].arg;

	if (c->kind == EXPR_TRUTH && c->number > 0) {
		m->pc++;
	} else if (c->kind == EXPR_TRUTH) {
		m->pc = otherwise;
	} else {
		m->stack[m->n++].kind = EXPR_ABSENT;
		m->pc = x->code[otherwise - 1].arg;
	}
}

static void in_item(struct machine *m, const struct expr *x)
{
	const struct expr_value *item = &m->stack[--m->n];
	struct expr_value *wanted = &m->stack[m->n - 1];

	if (wanted->kind == EXPR_ABSENT || item->kind == EXPR_ABSENT ||
	    !same(wanted, item)) {
		m->pc++;
		return;
	}
	*wanted = TRUTH(1);
	m->pc = x->code[m->pc].arg;
}

/* Instructions that may lead elsewhere than to the next. */
static int flow(struct machine *m, const struct expr *x, struct error *err)
{
	const struct instruction *i = &x->code[m->pc];
	struct expr_value *top = &m->stack[m->n - 1];
	struct span left = x->operands[m->pc].left;

	switch (i->code) {
	case OP_AND_IF:
	case OP_OR_IF:
		if (take_condition(x, left, top, err) < 0)
			return -1;
		m->pc = decides(i->code, top) ? i->arg : m->pc + 1;
		break;
	case OP_CHOOSE:
		if (take_condition(x, left, top, err) < 0)
			return -1;
		m->n--;
		choose(m, x, top);
		break;
	case OP_IN_ITEM:
		in_item(m, x);
		break;
	default:
		m->pc = i->arg;
	}
	return 0;
}

static int negate(struct machine *m, const struct expr *x,
		  struct error *err)
{
	struct expr_value *top = &m->stack[m->n - 1];

	if (take_condition(x, x->operands[m->pc].left, top, err) < 0)
		return -1;
	if (top->kind == EXPR_TRUTH)
		top->number = top->number > 0 ? 0 : 1;
	return 0;
}

/* One that leads to the next; two operands are joined elsewhere. */
static int step(struct machine *m, const struct expr *x, struct error *err)
{
	struct expr_value *top = &m->stack[m->n - 1];

	switch (x->code[m->pc].code) {
	case OP_NOT:
		return negate(m, x, err);
	case OP_AND:
	case OP_OR:
		m->n--;
		return logic(x, m->pc, top - 1, top, err);
	case OP_IN_END:
		if (top->kind != EXPR_ABSENT)
			*top = TRUTH(0);
		return 0;
	default:
		return unary(x, m->pc, top, err);
	}
}

static int run(struct machine *m, const struct expr *x, expr_get *get,
	       void *ctx, struct error *err)
{
	int rc = 0;

	while (!rc && m->pc < x->n) {
		const struct instruction i = x->code[m->pc];

		if (i.code == OP_CONSTANT) {
			m->stack[m->n++] = x->constants[i.arg];
		} else if (i.code == OP_VARIABLE) {
			rc = get(ctx, x->variables[i.arg], &m->stack[m->n++],
				 err);
		} else if (i.code <= OP_MAX) {
			m->n--;
			rc = binary(x, m->pc, &m->stack[m->n - 1],
				    &m->stack[m->n], err);
		} else if (i.code >= OP_AND_IF && i.code != OP_AND &&
			   i.code != OP_OR && i.code != OP_IN_END) {
			rc = flow(m, x, err);
			continue;
		} else {
			rc = step(m, x, err);
		}
		m->pc++;
	}
	return rc;
}

/* No more values than instructions ever lie on the stack. */
static void machine_init(struct machine *m, const struct expr *x)
{
	size_t most = x->n < EXPR_STACK ? x->n : EXPR_STACK;

	m->pc = 0;
	m->n = 0;
	memset(m->stack, 0, most * sizeof(*m->stack));
}

int expr_eval(const struct expr *x, expr_get *get, void *ctx,
	      struct expr_value *out, struct error *err)
{
	struct machine m;

	machine_init(&m, x);
	if (run(&m, x, get, ctx, err) < 0)
		return -1;
	*out = m.stack[0];
	return 0;
}

int expr_test(const struct expr *x, expr_get *get, void *ctx,
	      struct error *err)
{
	struct span all = { 0, x->length };
	struct expr_value v;

	if (expr_eval(x, get, ctx, &v, err) < 0 ||
	    take_condition(x, all, &v, err) < 0)
		return -1;
	return v.kind == EXPR_TRUTH && v.number > 0;
}
