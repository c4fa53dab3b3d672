#include "cmd/explain.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "cmd/places.h"
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
	places_library(&x->library);
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
	strlist_release(&x->library);
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

/* Where the file's name goes on behind a folder of the library; NULL: it is in
 * none of them. */
static const char *in_library(const struct explanation *x, const char *file)
{
	for (size_t i = 0; i < x->library.n; i++) {
		size_t n = strlen(x->library.items[i]);

		if (!strncmp(file, x->library.items[i], n) && file[n] == '/')
			return file + n + 1;
	}
	return NULL;
}

void explain_place(struct buf *out, const struct explanation *x,
		   struct mark at)
{
	const char *tail = at.file ? in_library(x, at.file) : NULL;

	if (!at.file) {
		buf_addc(out, '-');
		return;
	}
	buf_addf(out, "%s%s", tail ? "library: " : "",
		 tail ? tail : at.file);
	if (at.line)
		buf_addf(out, ":%u:%u", at.line, at.column);
}
