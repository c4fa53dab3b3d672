#ifndef PLOT_CHART_STAMP_H
#define PLOT_CHART_STAMP_H

struct buf;
struct figure;

/*
 * Where a picture came from, written into its bytes. The same five facts in
 * each format: in a PDF as keywords, in an SVG as <metadata>, in a PNG as text
 * chunks.
 */

/* "experiment: x; commit: ...; campaign: ...; data: ...", facts that are not
 * known left out. */
void stamp_keywords(struct buf *out, const struct figure *f);
/* The figure's title, or what it shows. */
void stamp_title(struct buf *out, const struct figure *f);
/* "Bar chart of y (uom) by x: ...; series: ... . Caption", for those who do not see the picture. */
void stamp_description(struct buf *out, const struct figure *f);
/* "assay 0.1.0" */
void stamp_creator(struct buf *out, const struct figure *f);

/*
 * `svg` is what Cairo wrote: gets <title>, <desc>, <metadata>, and ids that
 * begin with a hash of the content.
 */
void stamp_svg(struct buf *svg, const struct figure *f);
/* `png` is what Cairo wrote: gets pHYs for 300 dpi and text chunks. */
void stamp_png(struct buf *png, const struct figure *f);

#endif
