#ifndef CMD_PLAN_TEXT_H
#define CMD_PLAN_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct matrix;
struct plan;

/* The first line: how much there is. Needs no plan_count(). */
void plan_head(struct buf *out, const struct plan *p);
/* All that follows; at most `limit` treatments and runs are listed. */
void plan_text(struct buf *out, const struct plan *p, size_t limit);

/* Parts of it. */
void plan_factors(struct buf *out, const struct plan *p);
void plan_designs(struct buf *out, const struct plan *p);
void plan_aliases(struct buf *out, const struct plan *p);
void plan_treatments(struct buf *out, const struct plan *p, size_t limit);
void plan_runs(struct buf *out, const struct plan *p, size_t limit);

/* All of it, printed on the way: of a million runs it is long. */
int plan_json(const struct plan *p, struct error *err);

/* Of each treatment of the matrix, as asked for: --replicates may want fewer
 * than the file. */
uint32_t plan_replicates(const struct plan *p, const struct matrix *m);
/* "full factorial" */
const char *plan_design_name(int kind);
/* "first", "12 levels" ... what is known of a level that may be absent. */
const char *plan_level(const struct plan *p, size_t treatment, size_t factor);

#endif
