#ifndef SPEC_EXPR_PARSER_H
#define SPEC_EXPR_PARSER_H

#include "orchestrate/spec/expr_private.h"

/* What expr_parse.c, expr_code.c and expr_names.c share. */
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

/* Adds an instruction; returns its index. */
size_t parser_emit(struct parser *ps, enum operator op, size_t arg,
		   struct span left, struct span right);
/* The jump leads to the next instruction. */
void parser_land(struct parser *ps, size_t jump);
/* Instructions that put a value on the stack; -1 after reporting. */
int parser_add_number(struct parser *ps, double number, struct span at);
int parser_add_text(struct parser *ps, struct span text, struct span at);
int parser_add_fact(struct parser *ps, const char *value, struct span at);
int parser_add_variable(struct parser *ps, uint32_t id, struct span at);

/* The value that a name or a fact stands for; -1 after reporting. */
int parser_take_name(struct parser *ps, const struct token *t,
		     struct part *out);
int parser_take_fact(struct parser *ps, const struct token *t);
/* A text alone can never be a number: reported, -1. */
int parser_check_number(struct parser *ps, struct part part);

/* The bytes of a span as a message quotes them. */
const char *parser_quote(const struct parser *ps, struct span s,
			 char out[PROBLEM_QUOTE_SIZE]);

#endif
