#ifndef SPEC_EXPR_H
#define SPEC_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/spec/number.h"
#include "orchestrate/spec/problem.h"

struct error;
struct strlist;

/*
 * Expressions over variables:
 *
 *	8  0.5  64K  16GiB    numbers (number.h)
 *	'a text'  "a text"    texts, without escapes
 *	threads  ${threads}   variables; the second when the name is a level too
 *	docker                the text, when it is a level's name
 *	sut.cpus              a fact of a host or role; 'host-1'.cpus
 *	+ - * / %  -x  ( )    % has the sign of the left side
 *	== != < <= > >=       by number when both sides are numbers, else == and
 *	                      != compare texts and the others are an error
 *	x in [a, b]  x not in [a, b]
 *	and  or  not          not binds more loosely than a comparison
 *	c ? a : b             binds most loosely
 *	min(a, b...) max(a, b...) floor(x) ceil(x) round(x) log2(x)
 *	true false            texts, as in YAML
 *
 * Arithmetic is that of IEEE 754 doubles. A level or variable is a number when
 * its text is one ("4", "0.5", "64K"). A condition is a comparison, a number
 * (0 is false) or the text true or false.
 *
 * A variable may be absent (a factor that does not exist under these levels).
 * What needs its value is absent too: a comparison with it is neither true
 * nor false, "not" does not change that, "or" may still be true and "and"
 * still be false by their other side.
 */
enum expr_kind {
	EXPR_ABSENT,
	EXPR_NUMBER,
	EXPR_TEXT,
	EXPR_TRUTH,
};

struct expr_value {
	enum expr_kind kind;
	uint32_t id;        /* of the text: two that are not 0 tell whether
	                     * the texts are the same */
	double number;      /* a number; of a truth 1 or 0 */
	const char *text;   /* borrowed; of a number as it is written, NULL
	                     * when it was computed */
};

/* What a text is as a variable's value: a number or a text. Borrows. */
struct expr_value expr_value_of(const char *text);
/* The text of what is not absent; `room` is used when there is none yet. */
const char *expr_value_text(const struct expr_value *v,
			    char room[NUMBER_SIZE]);

/* Where an expression stands. */
struct expr_source {
	const char *text;
	struct mark mark;   /* of the value */
	int offset;         /* characters from there to the text; -1: it does
	                     * not stand there as it is (it has several
	                     * lines, or escapes) */
};

enum expr_meaning {
	EXPR_UNKNOWN,
	EXPR_VARIABLE,      /* *id says which */
	EXPR_WORD,          /* a level's name */
	EXPR_AMBIGUOUS,     /* both; *id is the variable */
	EXPR_REFUSED,       /* why has been reported */
};

/* What names mean. */
struct expr_symbols {
	enum expr_meaning (*name)(void *ctx, const char *name, struct mark at,
				  uint32_t *id);
	/* A fact's value, valid while the expression is; NULL after
	 * reporting. The member is NULL where there are no facts. */
	const char *(*fact)(void *ctx, const char *of, const char *fact,
			    struct mark at);
	/* All variables and levels, to suggest from. */
	void (*names)(void *ctx, struct strlist *out);
	/* The number of a text in the expression, 0: it has none. May be
	 * NULL. */
	uint32_t (*text)(void *ctx, const char *text);
	void *ctx;
};

#define EXPR_MAX_TEXT 4096
#define EXPR_MAX_DEPTH 64

struct expr;

/* NULL after reporting the first thing that is wrong, where it stands. The
 * mark's file is borrowed, the text is not. */
struct expr *expr_compile(const struct expr_source *source,
			  const struct expr_symbols *symbols,
			  struct problems *p);
void expr_free(struct expr *x); /* NULL-safe */

/* The variables it needs, each once. */
const uint32_t *expr_variables(const struct expr *x, size_t *n);

/* Calls `each` for every variable that is compared with a text (== != in);
 * returns -1 when one of the calls does. */
int expr_each_comparison(const struct expr *x,
			 int (*each)(void *ctx, uint32_t id, const char *text,
				     struct mark at),
			 void *ctx);

/* Gives a variable's value; -1 with an error when it has none. */
typedef int expr_get(void *ctx, uint32_t id, struct expr_value *out,
		     struct error *err);

/*
 * Texts in *out are borrowed from the expression or from what `get` gave.
 * Nothing is allocated. Returns -1 with "file:line:column: ..." when there is
 * no value: a division by 0, a text where a number is needed, a number out of
 * range.
 */
int expr_eval(const struct expr *x, expr_get *get, void *ctx,
	      struct expr_value *out, struct error *err);

/* A condition: 1, 0, and 0 when it is absent. */
int expr_test(const struct expr *x, expr_get *get, void *ctx,
	      struct error *err);

#endif
