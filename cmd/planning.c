#include "cmd/planning.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/narrow.h"
#include "orchestrate/spec/role.h"
#include "orchestrate/store/store_subset.h"

const char *seed_origin_text(enum seed_origin o)
{
	switch (o) {
	case SEED_OPTION:
		return "given";
	case SEED_FILE:
		return "from the file";
	case SEED_CAMPAIGN:
		return "of the campaign";
	case SEED_DRAWN:
		return "drawn now";
	}
	return "";
}

/* 53 bits: a JSON reader that knows only doubles reads it back. */
static uint64_t draw_seed(void)
{
	char hex[17];

	hash_random_hex(hex, 8);
	return strtoull(hex, NULL, 16) >> 11;
}

uint64_t planning_seed(const struct subject *s,
		       const struct opt_integer *option, bool resumes,
		       enum seed_origin *origin)
{
	if (option->given) {
		*origin = SEED_OPTION;
		return option->value;
	}
	if (s->experiment.seed_given) {
		*origin = SEED_FILE;
		return s->experiment.seed;
	}
	if (resumes) {
		*origin = SEED_CAMPAIGN;
		return s->campaign.seed;
	}
	*origin = SEED_DRAWN;
	return draw_seed();
}

/* What store_plan() asks for, one run at a time. */
struct recorder {
	const struct schedule *schedule;
	struct buf key, treatment;
	const char **factors, **levels;
};

static void describe_run(void *ctx, size_t i, struct planned_run *out)
{
	struct recorder *r = ctx;
	const struct run *run = &r->schedule->runs[i];
	const struct experiment *e = r->schedule->experiment;
	const struct design *d = r->schedule->design;
	size_t n = 0;

	buf_clear(&r->key);
	schedule_run_key(r->schedule, i, &r->key);
	buf_clear(&r->treatment);
	treatment_key(d, run->treatment, &r->treatment);
	for (size_t f = 0; f < e->n_factors; f++) {
		size_t level = design_level(d, run->treatment, f);

		if (level == DESIGN_ABSENT)
			continue;
		r->factors[n] = e->factors[f].name;
		r->levels[n++] = e->factors[f].levels[level].name;
	}
	*out = (struct planned_run){
		.key = r->key.data,
		.benchmark = e->benchmarks[run->benchmark].name,
		.treatment = r->treatment.data,
		.replicate = run->replicate,
		.host = e->hosts[run->host].name,
		.position = run->position,
		.factor_names = r->factors,
		.level_names = r->levels,
		.n_factors = n,
	};
}

int planning_record(struct store *store, int64_t campaign,
		    const struct schedule *schedule, struct error *err)
{
	size_t n = schedule->experiment->n_factors + 1;
	struct recorder r = { .schedule = schedule, .key = BUF_INIT,
			      .treatment = BUF_INIT,
			      .factors = mem_zalloc(n, sizeof(char *)),
			      .levels = mem_zalloc(n, sizeof(char *)) };
	int rc = store_plan(store, campaign, schedule->n_runs, describe_run,
			    &r, err);

	buf_release(&r.key);
	buf_release(&r.treatment);
	free(r.factors);
	free(r.levels);
	return rc;
}

static void push_all(struct strlist *out, const struct strlist *items,
		     const struct opt_strings *more)
{
	for (size_t i = 0; i < items->n; i++)
		strlist_push(out, items->items[i]);
	for (size_t i = 0; i < more->n; i++)
		strlist_push(out, more->items[i]);
}

static int make_narrowing(struct narrowing *n, const struct subject *s,
			  struct error *err)
{
	const struct subject_options *o = s->options;
	struct strlist only = STRLIST_INIT, skip = STRLIST_INIT;
	int rc;

	push_all(&only, &s->experiment.only, &o->only);
	push_all(&skip, &s->experiment.skip, &o->skip);
	rc = narrowing_parse(n, &s->experiment, &only, &skip, err);
	n->replicates = (uint32_t)o->replicates.value;
	strlist_release(&only);
	strlist_release(&skip);
	return rc;
}

static void make_subset(struct subset *subset, const struct subject *s,
		       const struct narrowing *n)
{
	const struct strlist *names = &s->experiment.profiles;
	struct buf text = BUF_INIT;

	*subset = (struct subset){ .tags = mem_strdup(s->options->tags) };
	for (size_t i = 0; i < names->n; i++)
		buf_addf(&text, "%s%s", i ? "," : "", names->items[i]);
	if (text.n)
		subset->profiles = mem_strdup(text.data);
	buf_clear(&text);
	narrowing_text(n, &text);
	if (text.n)
		subset->narrowing = mem_strdup(text.data);
	buf_release(&text);
}

int planning_schedule(struct schedule *schedule, const struct subject *s,
		      uint64_t seed, struct subset *subset, struct error *err)
{
	struct narrowing n;
	int rc = make_narrowing(&n, s, err);

	if (!rc)
		rc = schedule_plan(schedule, &s->experiment, &s->expansion,
				   seed, err);
	if (!rc) {
		schedule_narrow(schedule, &n);
		if (subset)
			make_subset(subset, s, &n);
	}
	if (!rc && !schedule->n_runs)
		rc = error_set(err, ERROR_USAGE,
			       "nothing is left of the %zu planned runs: what "
			       "--only, --skip and profiles name does not occur "
			       "together", schedule->n_planned);
	narrowing_release(&n);
	return rc;
}

static void mark_role(bool *used, const struct experiment *e,
		      const char *role)
{
	int r = role ? role_find(e, role) : -1;

	if (r >= 0)
		for (size_t i = 0; i < e->roles[r].n_hosts; i++)
			used[e->roles[r].hosts[i]] = true;
}

static void mark_roles(bool *used, const struct experiment *e,
		       const char *role, const struct lookup *by)
{
	mark_role(used, e, role);
	if (!by)
		return;
	for (size_t i = 0; i < by->n_cases; i++)
		mark_role(used, e, by->cases[i].value);
	mark_role(used, e, by->otherwise);
}

static void mark_benchmark(bool *used, const struct experiment *e,
			   const struct benchmark *b)
{
	mark_roles(used, e, b->role, b->role_by);
	for (size_t i = 0; i < b->n_services; i++)
		mark_roles(used, e, b->services[i].role,
			   b->services[i].role_by);
	for (size_t i = 0; i < b->n_monitors; i++)
		mark_roles(used, e, b->monitors[i].role,
			   b->monitors[i].role_by);
}

size_t planning_hosts(const struct experiment *e)
{
	bool *used = mem_zalloc(e->n_hosts + 1, sizeof(bool));
	size_t n = 0;

	for (size_t b = 0; b < e->n_benchmarks; b++)
		mark_benchmark(used, e, &e->benchmarks[b]);
	for (size_t h = 0; h < e->n_hosts; h++)
		n += used[h];
	free(used);
	return n;
}

static void add_count(struct buf *out, size_t n, const char *noun)
{
	buf_addf(out, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

bool *planning_treatments(const struct schedule *schedule, size_t *n)
{
	bool *used = mem_zalloc(schedule->design->n_treatments + 1,
				sizeof(bool));

	*n = 0;
	for (size_t i = 0; i < schedule->n_runs; i++) {
		size_t t = schedule->runs[i].treatment;

		*n += !used[t];
		used[t] = true;
	}
	return used;
}

static size_t count_benchmarks(const struct schedule *schedule)
{
	bool *used = mem_zalloc(schedule->experiment->n_benchmarks + 1,
				sizeof(bool));
	size_t n = 0;

	for (size_t i = 0; i < schedule->n_runs; i++) {
		size_t b = schedule->runs[i].benchmark;

		n += !used[b];
		used[b] = true;
	}
	free(used);
	return n;
}

void planning_counts(struct buf *out, const struct subject *s,
		     const struct schedule *schedule)
{
	const struct experiment *e = &s->experiment;
	size_t n_treatments;

	free(planning_treatments(schedule, &n_treatments));
	add_count(out, e->n_factors, "factor");
	buf_adds(out, ", ");
	add_count(out, n_treatments, "treatment");
	buf_adds(out, ", ");
	add_count(out, count_benchmarks(schedule), "benchmark");
	buf_adds(out, ", ");
	if (schedule->n_runs < schedule->n_planned)
		buf_addf(out, "%zu of %zu runs", schedule->n_runs,
			 schedule->n_planned);
	else
		add_count(out, schedule->n_runs, "run");
	buf_adds(out, " on ");
	add_count(out, planning_hosts(e), "host");
}
