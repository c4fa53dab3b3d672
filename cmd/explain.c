#include "cmd/explain.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "cmd/plan.h"
#include "cmd/run_name.h"
#include "cmd/subject.h"

int explanation_make(struct explanation *x, const struct plan *p,
		     const char *name, struct error *err)
{
	const struct schedule *s = &p->schedule;
	struct binding_run run;

	*x = (struct explanation){ .plan = p, .bindings = BINDINGS_INIT };
	walk_init(&x->walk, s);
	plan_hosts_init(&x->hosts, s);
	if (run_name_find(&x->run, s, name, err))
		return -1;
	for (size_t i = 0; i <= x->run; i++)
		walk_next(&x->walk, i, &x->step);
	plan_hosts_find(&x->hosts, x->run);
	run = (struct binding_run){
		.levels = x->step.levels,
		.host = s->runs[x->run].host,
		.benchmark = s->runs[x->run].benchmark,
		.replicate = s->runs[x->run].replicate,
	};
	return bindings_benchmark(&x->bindings, s->experiment, &run, err);
}

void explanation_release(struct explanation *x)
{
	bindings_release(&x->bindings);
	plan_hosts_release(&x->hosts);
	walk_release(&x->walk);
}

const struct binding *explain_find(const struct explanation *x,
				   const char *key, struct error *err)
{
	const struct binding *b = bindings_find(&x->bindings, key);
	struct strlist names = STRLIST_INIT;
	const char *near;

	if (b)
		return b;
	for (size_t i = 0; i < x->bindings.n; i++)
		strlist_push(&names, x->bindings.items[i].name);
	near = strlist_nearest(key, (const char *const *)names.items, names.n);
	error_set(err, ERROR_USAGE, "the run has no variable '%s'%s%s%s", key,
		  near ? "; did you mean '" : "", near ? near : "",
		  near ? "'?" : "");
	strlist_release(&names);
	return NULL;
}

void explain_place(struct buf *out, struct mark at)
{
	if (!at.file)
		buf_adds(out, "-");
	else if (!at.line)
		buf_adds(out, at.file);
	else
		buf_addf(out, "%s:%u:%u", at.file, at.line, at.column);
}
