#include "orchestrate/spec/expr_parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

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

size_t parser_emit(struct parser *ps, enum operator op, size_t arg,
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

void parser_land(struct parser *ps, size_t jump)
{
	ps->x->code[jump].arg = (uint16_t)ps->x->n;
}

static int add_constant(struct parser *ps, struct expr_value v,
			struct span at)
{
	struct expr *x = ps->x;

	MEM_GROW(x->constants, x->n_constants, x->cap_constants);
	x->constants[x->n_constants] = v;
	parser_emit(ps, OP_CONSTANT, x->n_constants++, at, at);
	return check_stack(ps, at);
}

static const char *keep_text(struct parser *ps, const char *text, size_t n)
{
	strlist_push_nodup(&ps->x->texts, mem_strndup(text, n));
	return ps->x->texts.items[ps->x->texts.n - 1];
}

int parser_add_text(struct parser *ps, struct span text, struct span at)
{
	struct expr_value v = { .kind = EXPR_TEXT };

	v.text = keep_text(ps, ps->x->text + text.from,
			   (size_t)(text.to - text.from));
	if (ps->symbols->text)
		v.id = ps->symbols->text(ps->symbols->ctx, v.text);
	return add_constant(ps, v, at);
}

int parser_add_variable(struct parser *ps, uint32_t id, struct span at)
{
	struct expr *x = ps->x;
	size_t i = 0;

	while (i < x->n_variables && x->variables[i] != id)
		i++;
	if (i == x->n_variables) {
		MEM_GROW(x->variables, x->n_variables, x->cap_variables);
		x->variables[x->n_variables++] = id;
	}
	parser_emit(ps, OP_VARIABLE, i, at, at);
	return check_stack(ps, at);
}

int parser_add_number(struct parser *ps, double number, struct span at)
{
	struct expr_value v = { .kind = EXPR_NUMBER, .number = number };

	v.text = keep_text(ps, ps->x->text + at.from,
			   (size_t)(at.to - at.from));
	return add_constant(ps, v, at);
}

int parser_add_fact(struct parser *ps, const char *value, struct span at)
{
	value = keep_text(ps, value, strlen(value));
	return add_constant(ps, expr_value_of(value), at);
}
