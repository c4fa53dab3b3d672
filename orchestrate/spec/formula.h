#ifndef SPEC_FORMULA_H
#define SPEC_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "orchestrate/spec/expr.h"

struct buf;
struct error;

/*
 * The text of a value (variable.h), compiled:
 *
 *	plain text            itself
 *	= EXPR                an expression's value
 *	a ${name} b           text with variables (or facts, ${sut.cpus}) in it
 *	$${name}              the text "${name}"
 *
 * A text that begins with "=" is an expression always: = '=' is the text "=".
 */
struct formula;

/* Whether nothing is to be computed, nor unescaped. */
bool formula_is_plain(const char *text);

/* NULL after reporting what is wrong, where it stands. */
struct formula *formula_compile(const struct expr_source *source,
				const struct expr_symbols *symbols,
				struct problems *p);
void formula_free(struct formula *f); /* NULL-safe */

/* The variables it needs; some perhaps more than once. */
const uint32_t *formula_variables(const struct formula *f, size_t *n);

/* Appends the value, or sets *absent when it needs what is absent. */
int formula_value(const struct formula *f, expr_get *get, void *ctx,
		  struct buf *out, bool *absent, struct error *err);

/* Reports the error of formula_value(): the place that the text begins with
 * becomes the problem's. `at` is the formula's mark. Returns -1. */
int formula_report(struct problems *p, struct mark at,
		   const struct error *err);

#endif
