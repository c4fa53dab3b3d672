#ifndef BENCH_BUDGET_H
#define BENCH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/mem.h"
#include "stats/describe.h"

#define BUDGET_PEAK_KIB (400 * 1024)

/* Prints the median time of some rounds of work, the extremes, and the peak of
 * memory so far, beside the budget in ms; false when one is exceeded. */
static inline bool budget_report(const char *what, double budget, int rounds,
				 void (*work)(void *ctx), void *ctx)
{
	double *ms = mem_realloc(NULL, (size_t)rounds, sizeof(*ms)), median;
	struct rusage usage;
	bool ok;

	for (int i = 0; i < rounds; i++) {
		int64_t start = clock_monotonic_ns();

		work(ctx);
		ms[i] = (double)(clock_monotonic_ns() - start) / 1e6;
	}
	getrusage(RUSAGE_SELF, &usage);
	median = describe_median(ms, (size_t)rounds);
	ok = median <= budget && usage.ru_maxrss <= BUDGET_PEAK_KIB;
	printf("%-52s %6.1f ms (%.1f to %.1f, n = %d), peak %ld MiB; "
	       "budget %.0f ms%s\n", what, median,
	       describe_quantile(ms, (size_t)rounds, 0),
	       describe_quantile(ms, (size_t)rounds, 1), rounds,
	       usage.ru_maxrss / 1024, budget, ok ? "" : ": BROKEN");
	fflush(stdout);
	free(ms);
	return ok;
}

#endif
