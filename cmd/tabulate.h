#ifndef CMD_TABULATE_H
#define CMD_TABULATE_H

#include <stddef.h>

struct cells;
struct error;
struct subject;
struct table;

/* A table that the experiment file asks for: rows and columns that treatments of
 * the benchmark have, the absence of a factor last. */
int tabulate_spec(struct table *t, const struct subject *s, size_t table,
		  struct error *err);

/* Every treatment of one response: n, mean, interval, sd, what was left out. */
int tabulate_response(struct table *t, const struct cells *c, double level,
		      struct error *err);

/* What the hosts are: a row for each fact, a column for each host. */
int tabulate_host_facts(struct table *t, const struct subject *s,
			struct error *err);

#endif
