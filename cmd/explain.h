#ifndef CMD_EXPLAIN_H
#define CMD_EXPLAIN_H

#include <stddef.h>

#include "base/strlist.h"
#include "cmd/plan_hosts.h"
#include "cmd/plan_walk.h"
#include "orchestrate/spec/binding.h"

struct buf;
struct error;
struct plan;

/* One run of a plan, and where every value in it comes from. */
struct explanation {
	const struct plan *plan;
	size_t run;              /* index into the schedule */
	struct walk walk;
	struct walk_step step;
	struct plan_hosts hosts; /* that take part */
	struct bindings bindings;
	struct strlist library; /* folders that came with assay */
};

/* `name` is the run's number or key, or a treatment's key. Must be released in
 * both cases. */
int explanation_make(struct explanation *x, const struct plan *p,
		     const char *name, struct error *err);
void explanation_release(struct explanation *x);

/* Of all variables, or of the one called `key`: ERROR_USAGE suggests the
 * nearest when there is none. */
int explain_text(struct buf *out, const struct explanation *x,
		 const char *key, struct error *err);
int explain_json(struct buf *out, const struct explanation *x,
		 const char *key, struct error *err);

/* The winner for the name; NULL with an error when there is none. */
const struct binding *explain_find(const struct explanation *x,
				   const char *key, struct error *err);
/* Appends "file:line:column", of a definition that came with assay "library:
 * benchmarks/fio.yaml:9:47", or "-" for what assay itself made. */
void explain_place(struct buf *out, const struct explanation *x,
		   struct mark at);

#endif
