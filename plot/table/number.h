#ifndef PLOT_TABLE_NUMBER_H
#define PLOT_TABLE_NUMBER_H

#include "stats/estimate.h"

struct buf;

/*
 * Numbers for people. The uncertainty decides the digits: two significant
 * digits of the interval's half width (or of the sd), the value to the same
 * place; thin spaces (U+202F) between groups of three from 10 000 on; a true
 * minus sign (U+2212). Missing (NaN) is an en dash. Without an uncertainty,
 * or with one of exactly zero, four significant digits, but never less than the
 * whole number. From 10^9 on and below 10^-4 in scientific form:
 * "1.234 × 10⁹", "(1.234 ± 0.012) × 10⁻⁶".
 *
 * The text is the same in every locale (the point is always "."): nothing
 * here depends on setlocale(). Localised numbers are a matter of their own.
 */
void number_add(struct buf *out, double v, double uncertainty);
/* "412.3 ± 4.1" (mean and sd); without an sd only the value. */
void number_add_mean_sd(struct buf *out, const struct estimate *e);
/* "412.3 [408.9, 415.7]"; open ends are −∞ and ∞; without an interval only
 * the value. */
void number_add_interval(struct buf *out, const struct estimate *e);

#endif
