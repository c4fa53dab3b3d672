#include "orchestrate/spec/expr.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/expr_private.h"

struct expr_value expr_value_of(const char *text)
{
	struct expr_value v = { .kind = EXPR_TEXT, .text = text };

	if (number_parse(text, &v.number))
		v.kind = EXPR_NUMBER;
	return v;
}

const char *expr_value_text(const struct expr_value *v, char room[NUMBER_SIZE])
{
	if (v->kind == EXPR_TRUTH)
		return v->number > 0 ? "true" : "false";
	return v->text ? v->text : number_print(room, v->number);
}

struct mark expr_at(const struct expr *x, size_t byte)
{
	struct mark at = x->mark;

	if (x->offset < 0)
		return at;
	at.column += (unsigned)x->offset;
	for (size_t i = 0; i < byte; i++)
		at.column += ((unsigned char)x->text[i] & 0xc0) != 0x80;
	return at;
}

struct expr *expr_compile(const struct expr_source *source,
			  const struct expr_symbols *symbols,
			  struct problems *p)
{
	struct expr *x;

	if (strlen(source->text) > EXPR_MAX_TEXT) {
		problems_add(p, source->mark,
			     "an expression of %zu bytes; at most %d are "
			     "possible", strlen(source->text), EXPR_MAX_TEXT);
		return NULL;
	}
	x = mem_zalloc(1, sizeof(*x));
	x->text = mem_strdup(source->text);
	x->length = (uint16_t)strlen(source->text);
	x->mark = source->mark;
	x->offset = source->offset;
	if (!expr_parse(x, symbols, p))
		return x;
	expr_free(x);
	return NULL;
}

void expr_free(struct expr *x)
{
	if (!x)
		return;
	free(x->text);
	free(x->code);
	free(x->operands);
	free(x->constants);
	strlist_release(&x->texts);
	free(x->variables);
	free(x);
}

const uint32_t *expr_variables(const struct expr *x, size_t *n)
{
	*n = x->n_variables;
	return x->variables;
}

/* The constant or variable that is all of this operand, or NULL. */
static const struct instruction *simple(const struct expr *x, size_t before,
					struct span operand)
{
	for (size_t i = before; i-- > 0;) {
		const struct span *s = &x->operands[i].left;

		if ((x->code[i].code == OP_CONSTANT ||
		     x->code[i].code == OP_VARIABLE) &&
		    s->from == operand.from && s->to == operand.to)
			return &x->code[i];
	}
	return NULL;
}

int expr_each_comparison(const struct expr *x,
			 int (*each)(void *ctx, uint32_t id, const char *text,
				     struct mark at),
			 void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < x->n; i++) {
		unsigned code = x->code[i].code;
		struct span left = x->operands[i].left,
			    right = x->operands[i].right;
		const struct instruction *a, *b;
		const struct expr_value *v;

		if (code != OP_EQ && code != OP_NE && code != OP_IN_ITEM)
			continue;
		a = simple(x, i, left);
		b = simple(x, i, right);
		if (!a || !b || a->code == b->code)
			continue;
		v = &x->constants[a->code == OP_CONSTANT ? a->arg : b->arg];
		if (v->kind == EXPR_TEXT &&
		    each(ctx,
			 x->variables[a->code == OP_VARIABLE ? a->arg : b->arg],
			 v->text,
			 expr_at(x, a->code == OP_CONSTANT ? left.from :
							     right.from)) < 0)
			rc = -1;
	}
	return rc;
}
