#ifndef CMD_FACTS_H
#define CMD_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strlist.h"

struct error;
struct experiment;
struct fact_source;

/* What is known of hosts, as they reported it; parallel lists. */
struct facts {
	struct strlist hosts, keys, values;
};

/* What the newest campaign in the store recorded; nothing when there is no
 * store, or it cannot be read: whoever needs it will say so. */
void facts_recorded(struct facts *f, const char *store);
/* Asks every host of which the experiment needs a fact that is not here. */
int facts_ask(struct facts *f, const struct experiment *e, struct error *err);
void facts_release(struct facts *f);

/* For experiment_load(); borrows the facts. */
struct fact_source facts_source(const struct facts *f);

/* Whether the experiment needs facts that it was read without. */
bool facts_are_missing(const struct experiment *e);
/* "levels depend on cpus of sut, which is not known yet"; caller frees. */
char *facts_missing_text(const struct experiment *e);

#endif
