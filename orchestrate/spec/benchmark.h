#ifndef SPEC_BENCHMARK_H
#define SPEC_BENCHMARK_H

#include <stddef.h>

#include "orchestrate/spec/experiment.h"

/*
 * What a benchmark, its services and its monitors are for one treatment:
 * `levels` has an index for each factor, or DESIGN_ABSENT. All that is
 * returned is borrowed. An experiment that loads has a role and a script for
 * all levels and hosts; NULL is possible only where a factor is absent and
 * the look-up has no `else`, which experiment_check() refuses as well.
 */
const char *benchmark_role(const struct experiment *e,
			   const struct benchmark *b, const size_t *levels);
const char *benchmark_script(const struct experiment *e,
			     const struct benchmark *b, const size_t *levels,
			     size_t host, struct mark *mark);
const char *service_role(const struct experiment *e, const struct service *s,
			 const size_t *levels);
const char *service_script(const struct experiment *e,
			   const struct service *s, const size_t *levels,
			   size_t host, struct mark *mark);
const char *monitor_role(const struct experiment *e, const struct monitor *m,
			 const size_t *levels);

/* Frees what it holds. */
void benchmark_release(struct benchmark *b);

#endif
