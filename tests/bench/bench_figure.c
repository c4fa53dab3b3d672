/*
 * One grouped bar chart (6 categories, 4 series, intervals) to PDF and SVG:
 * cold = the first figure of a process, fonts and all; warm = those after it.
 * Prints medians; exit 1 when a budget of DESIGN section 10 is broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "plot/chart/figure.h"

#define COLD_BUDGET_MS 40.0
#define WARM_BUDGET_MS 5.0
#define COLD_RUNS 15
#define WARM_RUNS 101
#define N_CATEGORIES 6
#define N_SERIES 4

static const char *const categories[N_CATEGORIES] = {
	"aufs", "volume", "zvol", "dir", "overlay2", "btrfs",
};
static const char *const series[N_SERIES] = {
	"native", "Docker", "LXC", "KVM",
};

static double draw_ms(void)
{
	struct estimate cells[N_CATEGORIES * N_SERIES];
	struct figure f = {
		.title = "Throughput of storage drivers",
		.x_title = "Storage driver", .y_title = "Bandwidth",
		.uom = "MiB/s", .better = BETTER_HIGHER,
		.categories = categories, .n_categories = N_CATEGORIES,
		.series_title = "Platform", .series = series,
		.n_series = N_SERIES, .cells = cells,
		.caption = "Bars: mean; whiskers: 95 % t interval, n = 5",
		.width_mm = 150,
		.provenance = { "bench", "0123456789abcdef", "campaign",
				"fedcba9876543210", "0" },
	};
	struct buf out = BUF_INIT;
	struct error err = ERROR_INIT;
	int64_t start;

	for (int i = 0; i < N_CATEGORIES * N_SERIES; i++) {
		double v = 200 + 37 * (i * 7 % 11);

		cells[i] = (struct estimate){ .value = v, .low = v - 20,
					      .high = v + 20, .n = 5 };
	}
	start = clock_monotonic_ns();
	if (figure_render(&f, FIGURE_PDF, &out, &err) < 0 ||
	    figure_render(&f, FIGURE_SVG, &out, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(3);
	}
	start = clock_monotonic_ns() - start;
	buf_release(&out);
	return (double)start / 1e6;
}

/* In a process of its own, so that nothing is cached in it. */
static double cold_ms(const char *self)
{
	char command[4096];
	double ms = -1;
	FILE *p;

	snprintf(command, sizeof(command), "'%s' once", self);
	p = popen(command, "r");
	if (!p || fscanf(p, "%lf", &ms) != 1)
		ms = -1;
	if (p)
		pclose(p);
	return ms;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	double cold[COLD_RUNS], warm[WARM_RUNS];

	if (argc > 1) {
		printf("%f\n", draw_ms());
		return 0;
	}
	for (int i = 0; i < COLD_RUNS; i++)
		cold[i] = cold_ms(argv[0]);
	draw_ms();
	for (int i = 0; i < WARM_RUNS; i++)
		warm[i] = draw_ms();
	qsort(cold, COLD_RUNS, sizeof(*cold), by_value);
	qsort(warm, WARM_RUNS, sizeof(*warm), by_value);
	printf("figure, PDF + SVG, cold: %.1f ms (budget %.0f)\n",
	       cold[COLD_RUNS / 2], COLD_BUDGET_MS);
	printf("figure, PDF + SVG, warm: %.2f ms (budget %.0f)\n",
	       warm[WARM_RUNS / 2], WARM_BUDGET_MS);
	return cold[COLD_RUNS / 2] < COLD_BUDGET_MS &&
			       warm[WARM_RUNS / 2] < WARM_BUDGET_MS
		       ? 0
		       : 1;
}
