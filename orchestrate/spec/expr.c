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
