#ifndef TESTS_UNIT_FIGURE_EXAMPLE_H
#define TESTS_UNIT_FIGURE_EXAMPLE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/chart/figure.h"

/* One figure with all that can be in a cell. */
#define COMMIT "60771e4aa0c1f2d3e4b5a69788796a5b4c3d2e1f"
#define CAMPAIGN "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
#define DIGEST                                                               \
	"0123abcd456789ef0123abcd456789ef0123abcd456789ef0123abcd456789ef"

static const char *const sizes[] = { "4", "64", "1024" };
static const char *const places[] = { "on disk", "in memory" };
static const struct estimate cells[] = {
	{ .value = 12, .low = 10, .high = 14, .n = 5 },
	{ .value = 310, .low = 298, .high = 322, .n = 5 },
	{ .value = 88, .low = 79, .high = 97, .n = 5 },
	{ .value = NAN, .low = NAN, .high = NAN },
	{ .value = 120, .low = NAN, .high = NAN, .n = 1 },
	{ .value = 900, .low = -INFINITY, .high = INFINITY, .n = 3 },
};

static struct figure example(void)
{
	return (struct figure){
		.title = "Synced \"random\" <writes>",
		.x_title = "Block size (KiB)",
		.y_title = "Bandwidth", .uom = "MiB/s",
		.better = BETTER_HIGHER,
		.categories = sizes, .n_categories = 3,
		.series_title = "Work directory", .series = places,
		.n_series = 2, .cells = cells,
		.caption = "Bars: mean; whiskers: 95 % t interval, n = 5",
		.width_mm = 88,
		.provenance = { .experiment = "quickstart", .commit = COMMIT,
				.campaign = CAMPAIGN, .digest = DIGEST,
				.version = "0.1.0" },
	};
}

static void render(const struct figure *f, enum figure_format format,
		   struct buf *out)
{
	struct error err = ERROR_INIT;

	if (figure_render(f, format, out, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(out->n > 1000);
}

#endif
