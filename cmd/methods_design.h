#ifndef CMD_METHODS_DESIGN_H
#define CMD_METHODS_DESIGN_H

struct buf;
struct schedule;
struct subject;

/* What was varied, how and in which order: whole sentences, appended. */
void methods_design(struct buf *out, const struct subject *s,
		    const struct schedule *schedule);

#endif
