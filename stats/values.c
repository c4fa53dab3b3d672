#include "stats/values.h"

#include <math.h>

#include "base/error.h"

int values_check(const double *x, size_t n, const char *what,
		 struct error *err)
{
	if (!n)
		return error_set(err, ERROR_USAGE,
				 "%s: there are none; at least one run must "
				 "succeed", what);
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return error_set(err, ERROR_USAGE,
					 "%s: number %zu of %zu is %s; mark "
					 "such a run as failed or timed out, "
					 "or leave it out", what, i + 1, n,
					 isnan(x[i]) ? "not a number"
						     : "infinite");
	return 0;
}

int values_check_level(double level, struct error *err)
{
	if (level > 0 && level < 1)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "a confidence level of %g is not between 0 and 1; "
			 "95 %% is 0.95", level);
}
