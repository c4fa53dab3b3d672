#ifndef STATS_SELECTION_H
#define STATS_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

struct design;
struct frame;
struct setting;

/*
 * A frame knows its treatments by key, the design by index. Which is which:
 * the key that each treatment of a design has in a frame, for charts, tables
 * and contrasts.
 */
#define SELECTION_NONE ((size_t)-1)

struct selection {
	size_t *key;   /* treatment -> index into frame->keys, or
	                * SELECTION_NONE: no run of it (yet) */
	size_t n;      /* treatments of the design */
	size_t others; /* keys of the frame that are not of the design */
};

void selection_build(struct selection *s, const struct frame *f,
		     const struct design *d);
void selection_release(struct selection *s);

/*
 * For sample_from_frame(): sets selected[k] for the keys of the treatments
 * that have all n settings and clears the others (frame->n_keys entries).
 * Returns how many it set.
 */
size_t selection_mark(const struct selection *s, const struct frame *f,
		      const struct design *d, const struct setting *settings,
		      size_t n, bool *selected);

#endif
