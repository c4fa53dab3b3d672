#ifndef SPEC_FILTER_H
#define SPEC_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/spec/reading.h"

struct error;
struct experiment;

/*
 * Some treatments: by a partial match or by an expression over factors and
 * what their levels set (expr.h).
 *
 *	{platform: docker, storage: [zvol, dir]}    all of these
 *	{storage: ["-", dir]}    "-": where the factor is absent
 *	"threads * block_kib > 8192"
 *
 * Made once, asked for millions of treatments: levels are numbers or texts
 * already, and nothing is allocated.
 */
struct filter;

/* NULL after reporting what is wrong. `factors` says which of the
 * experiment's factors it may name (NULL: all). */
struct filter *filter_read(struct reading *r, const struct yaml_node *node,
			   const bool *factors);
void filter_free(struct filter *f); /* NULL-safe */

/* Whether the treatment is one of them: 1 or 0; -1 with an error when the
 * expression has no value (text where a number is needed; err says at which
 * level). A factor that is absent matches "-" alone, and makes an expression
 * that needs its value not match. */
int filter_match(const struct filter *f, const uint16_t *levels,
		 struct error *err);
/* Whether its answer depends on the factor. */
bool filter_uses(const struct filter *f, size_t factor);
/* Whether it names the factor's absence, and where. */
bool filter_asks_absence(const struct filter *f, size_t factor,
			 struct mark *at);
struct mark filter_mark(const struct filter *f);

#endif
