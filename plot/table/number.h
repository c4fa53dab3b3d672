#ifndef PLOT_TABLE_NUMBER_H
#define PLOT_TABLE_NUMBER_H

#include "stats/estimate.h"

struct buf;

/*
 * Numbers for people. The uncertainty decides the digits: two significant
 * digits of the interval's half width (or of the sd), the value to the same
 * place; thin spaces between groups of three from 10,000 on; a true minus
 * sign. Missing is an en dash.
 */
void number_add(struct buf *out, double v, double uncertainty);
/* "412.3 ± 4.1" (mean and sd) */
void number_add_mean_sd(struct buf *out, const struct estimate *e);
/* "412.3 [408.9, 415.7]" */
void number_add_interval(struct buf *out, const struct estimate *e);

#endif
