#ifndef CMD_SIDES_H
#define CMD_SIDES_H

struct buf;
struct comparison;
struct subject;

/* What a comparison calls its two sides, and what both have in common. */

/* "in memory": the levels of the factors that the baseline fixes, or, without
 * one, of those that both sides differ in. */
void sides_add_treatment(struct buf *out, const struct subject *s,
			 const struct comparison *c);
/* "native, which has no storage driver": what the other side has beside, since
 * the context tells as if both had it. */
void sides_add_base(struct buf *out, const struct subject *s,
		    const struct comparison *c);
/* "Random writes: bandwidth, block size (KiB) 4: " */
void sides_add_context(struct buf *out, const struct subject *s,
		       const struct comparison *c);

#endif
