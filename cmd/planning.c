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
