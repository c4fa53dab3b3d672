#ifndef PLOT_CHART_FIGURE_H
#define PLOT_CHART_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/provenance.h"
#include "stats/estimate.h"
#include "stats/frame.h"

struct buf;
struct error;

enum figure_format {
	FIGURE_PDF,
	FIGURE_SVG,
	FIGURE_PNG, /* 300 dpi */
};

enum figure_kind {
	FIGURE_BARS = 0, /* grouped bars from zero, with interval whiskers */
};

/*
 * A figure: numbers with intervals, and the words around them. `plot/` does no
 * statistics; it maps estimates to ink. All strings borrowed, UTF-8.
 */
struct figure {
	enum figure_kind kind;
	const char *title;          /* "" or NULL: none */
	const char *x_title;        /* the factor's label */
	const char *y_title;        /* the response's label */
	const char *uom;            /* goes into the y title: "Bandwidth (MiB/s)" */
	enum better better;         /* an arrow and words: "higher is better" */
	const char *const *categories; /* x labels */
	size_t n_categories;
	const char *series_title;   /* the factor's label; NULL: no series */
	const char *const *series;  /* legend labels; NULL: one, unnamed */
	size_t n_series;            /* 1 when there is no series factor */
	const struct estimate *cells; /* n_categories x n_series, row-major by
	                               * category; value NaN = nothing there */
	const bool *exists;         /* for each cell; one that does not takes no
	                             * room among the bars. NULL: all do */
	const char *caption;        /* "Bars: mean; whiskers: 95 % t interval, n = 5" */
	double width_mm;            /* 150 for a thesis, 88 for a column;
	                             * 40 to 600 */
	double height_mm;           /* 0: chosen (about 0.62 of the width) */
	struct provenance provenance;
};

/*
 * Renders into `out` (cleared first, and left empty after a fault).
 * Deterministic: the same figure gives the same bytes (no creation date, fixed
 * ids); the ids of an SVG begin with a hash of its content, so that many fit
 * into one page. Negative and positive mixes are fine; open interval ends
 * (+-INF) become arrows, missing values (NaN) a mark, both said in a note
 * behind the caption. ERROR_USAGE: nothing to draw, more series than the
 * palette carries (8), more categories than the width holds, an infinite value.
 * ERROR_ENVIRONMENT: Cairo or a missing font.
 */
int figure_render(const struct figure *f, enum figure_format format,
		  struct buf *out, struct error *err);

/*
 * Optional, after the last figure of this thread: gives back the cached fonts
 * so that leak checkers have less to look at.
 */
void figure_shutdown(void);

#endif
