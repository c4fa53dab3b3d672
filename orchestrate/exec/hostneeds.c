#include "orchestrate/exec/hostneeds.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "orchestrate/exec/hostfacts.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

/* What our own scripts call. */
static const char *const own[] = {
	"cat",   "grep", "mkdir", "mkfifo",  "rm",	 "sed",
	"setsid", "sleep", "stat",  "tail", "timeout", "uname",
};

static void add_programs(struct strlist *all, const struct strlist *more)
{
	for (size_t i = 0; i < more->n; i++)
		if (!strlist_has(all, more->items[i]))
			strlist_push(all, more->items[i]);
}

static void add_treatment(struct strlist *all, const struct treatment_use *u)
{
	if (u->def)
		add_programs(all, &u->def->needs);
}

static void add_factor(struct strlist *all, const struct experiment *e,
		       size_t factor)
{
	const struct factor_use *u = &e->uses[factor];

	add_treatment(all, &u->treatment);
	for (size_t l = 0; u->levels && l < e->factors[factor].n_levels; l++)
		add_treatment(all, &u->levels[l].treatment);
}

static void add_benchmark(struct strlist *all, const struct benchmark *b)
{
	add_programs(all, &b->needs);
	for (size_t i = 0; i < b->n_monitors; i++)
		add_programs(all, &b->monitors[i].needs);
}

void hostneeds_all(struct strlist *programs, const struct experiment *e)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		strlist_push(programs, own[i]);
	for (size_t i = 0; i < e->n_factors; i++)
		add_factor(programs, e, i);
	for (size_t i = 0; i < e->n_setups; i++)
		add_treatment(programs, &e->setups[i].treatment);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		add_benchmark(programs, &e->benchmarks[i]);
}

int hostneeds_check(const struct hostfacts *f, const struct experiment *e,
		    size_t host, struct error *err)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strlist_has(&f->missing, own[i]))
			return error_set(err, ERROR_ENVIRONMENT,
					 "%s: %s is not installed, without "
					 "which assay cannot work there",
					 e->hosts[host].name, own[i]);
	return 0;
}

/* The first of the programs that is missing, or NULL. */
static const char *first_missing(const struct hostfacts *f,
				 const struct strlist *needs)
{
	for (size_t i = 0; i < needs->n; i++)
		if (strlist_has(&f->missing, needs->items[i]))
			return needs->items[i];
	return NULL;
}

/* "factor place (work-dir)", "level platform=docker (platform/docker)",
 * "set-up build" */
static void add_layer(struct buf *out, const struct experiment *e,
		      size_t layer, const size_t *levels)
{
	const struct layer *l = &e->layers[layer];
	const struct treatment_use *u = layer_treatment(e, layer, levels);
	bool own_level = l->kind == LAYER_FACTOR &&
			 u != &e->uses[l->index].treatment;

	if (l->kind == LAYER_SETUP) {
		buf_addf(out, "set-up %s", layer_name(e, layer));
		return;
	}
	buf_addf(out, "%s %s", own_level ? "level" : "factor",
		 layer_name(e, layer));
	if (own_level) {
		buf_addc(out, '=');
		layer_level(e, layer, levels, out);
	}
	buf_addf(out, " (%s)", u->def->name);
}

static int check_layer(const struct hostfacts *f, const struct experiment *e,
		       size_t host, size_t layer, const size_t *levels,
		       struct error *err)
{
	const struct treatment_use *u = layer_treatment(e, layer, levels);
	const char *program = u ? first_missing(f, &u->def->needs) : NULL;
	struct buf what = BUF_INIT;
	int result = 0;

	if (!u)
		return 0;
	add_layer(&what, e, layer, levels);
	if (program)
		result = error_set(err, ERROR_ENVIRONMENT, "%s: %s is not "
				   "installed; install it or remove %s",
				   e->hosts[host].name, program, what.data);
	else if (u->def->needs_root && !f->root)
		result = error_set(err, ERROR_ENVIRONMENT, "%s: %s needs "
				   "root; log in as root or remove it",
				   e->hosts[host].name, what.data);
	buf_release(&what);
	return result;
}

static int check_programs(const struct hostfacts *f,
			  const struct experiment *e, size_t host,
			  const struct strlist *needs, const char *what,
			  const char *name, struct error *err)
{
	const char *program = first_missing(f, needs);

	if (!program)
		return 0;
	return error_set(err, ERROR_ENVIRONMENT, "%s: %s is not installed; "
			 "install it or remove %s %s", e->hosts[host].name,
			 program, what, name);
}

static int check_benchmark(const struct hostfacts *f,
			   const struct experiment *e, size_t host,
			   const size_t *levels, const struct benchmark *b,
			   struct error *err)
{
	const char *role = benchmark_role(e, b, levels);

	if (check_programs(f, e, host, &b->needs, "benchmark", b->name, err))
		return -1;
	for (size_t i = 0; i < b->n_monitors; i++) {
		const struct monitor *m = &b->monitors[i];
		const char *its = monitor_role(e, m, levels);

		if (its && role && strcmp(its, role) == 0 &&
		    check_programs(f, e, host, &m->needs, "monitor", m->name,
				   err))
			return -1;
	}
	return 0;
}

int hostneeds_check_run(const struct hostfacts *f, const struct experiment *e,
			size_t host, const size_t *levels, size_t benchmark,
			struct error *err)
{
	/* nearly always */
	if (f->root && !f->missing.n)
		return 0;
	for (size_t i = 0; i < e->n_layers; i++)
		if (check_layer(f, e, host, i, levels, err))
			return -1;
	return check_benchmark(f, e, host, levels, &e->benchmarks[benchmark],
			       err);
}
