#ifndef CMD_READING_H
#define CMD_READING_H

#include <stddef.h>

struct buf;
struct comparison;
struct subject;

/* The sentence that says what a comparison found. No full stop. */
void reading_sentence(struct buf *out, const struct subject *s,
		      const struct comparison *c);

/* Its label, else its name. */
const char *reading_response_name(const struct subject *s, size_t benchmark,
				  size_t response);

/* "random-write bandwidth"; with a label "Random writes: bandwidth". */
void reading_response(struct buf *out, const struct subject *s,
		      size_t benchmark, size_t response);

/* "place=memory, block_kib=4", without factors that are absent; "all runs"
 * when the experiment has no factor. */
void reading_treatment(struct buf *out, const struct subject *s,
		       size_t treatment);

#endif
