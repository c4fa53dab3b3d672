#ifndef STATS_VALUES_H
#define STATS_VALUES_H

#include <stddef.h>

struct error;

/* What every estimating function asks of its arguments; ERROR_USAGE. */

/* At least one value, all finite; `what` names them: "values", "baseline". */
int values_check(const double *x, size_t n, const char *what,
		 struct error *err);
/* 0 < level < 1 */
int values_check_level(double level, struct error *err);

#endif
