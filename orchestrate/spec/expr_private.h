#ifndef SPEC_EXPR_PRIVATE_H
#define SPEC_EXPR_PRIVATE_H

#include "base/strlist.h"
#include "orchestrate/spec/expr.h"

/* What expr.c, expr_lex.c, expr_parse.c and expr_eval.c share. */

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_TEXT,       /* in quotes */
	TOKEN_NAME,
	TOKEN_VARIABLE,   /* ${name} */
	TOKEN_FACT,       /* name.name */
	TOKEN_OPERATOR,   /* also and, or, not, in */
};

enum operator {
	OP_NONE,
	/* two operands */
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
	OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE,
	OP_MIN, OP_MAX,
	/* one operand */
	OP_NEG, OP_FLOOR, OP_CEIL, OP_ROUND, OP_LOG2,
	OP_NOT,
	/* none */
	OP_CONSTANT,      /* arg: index */
	OP_VARIABLE,      /* arg: index */
	/*
	 * a AND_IF(arg: behind AND) b AND: does not look at b when a is
	 * false; OR alike. c CHOOSE(arg: start of b) a JUMP(arg: behind b) b.
	 * x (item IN_ITEM(arg: behind IN_END))* IN_END.
	 */
	OP_AND_IF, OP_AND, OP_OR_IF, OP_OR,
	OP_CHOOSE, OP_JUMP,
	OP_IN_ITEM, OP_IN_END,
	/* tokens only */
	OP_OPEN, OP_CLOSE, OP_OPEN_LIST, OP_CLOSE_LIST, OP_COMMA,
	OP_QUESTION, OP_COLON, OP_IN,
};

/* Bytes of the text. */
struct span {
	uint16_t from, to;
};

struct token {
	enum token_kind kind;
	enum operator op;
	struct span span;   /* of all of it */
	struct span first;  /* the name, or the text in its quotes */
	struct span second; /* the fact */
	double number;
};

struct instruction {
	uint16_t code;
	uint16_t arg;
};

/* The operands of an instruction, for messages. */
struct operands {
	struct span left, right;
};

/* Instructions for a machine with a stack of values. */
struct expr {
	char *text;
	uint16_t length;
	struct mark mark;
	int offset;
	struct instruction *code;
	struct operands *operands; /* as many */
	size_t n, cap, cap_operands;
	struct expr_value *constants;
	size_t n_constants, cap_constants;
	struct strlist texts;      /* of the constants */
	uint32_t *variables;
	size_t n_variables, cap_variables;
};

#define EXPR_STACK 256

/* The token at byte `at`; -1 after reporting. */
int token_next(const struct expr *x, size_t at, struct token *out,
	       struct problems *p);
/* "==" */
const char *operator_name(enum operator op);

/* Where a byte of the text stands. */
struct mark expr_at(const struct expr *x, size_t byte);

/* Fills code, constants and variables; -1 after reporting. */
int expr_parse(struct expr *x, const struct expr_symbols *symbols,
	       struct problems *p);

#endif
