#include "cmd/planning.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "cmd/subject.h"

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
		.position = (uint32_t)(i + 1),
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

static bool role_names(const struct role *r, size_t host)
{
	for (size_t i = 0; i < r->n_hosts; i++)
		if (r->hosts[i] == host)
			return true;
	return false;
}

static bool is_used(const struct experiment *e, size_t host)
{
	for (size_t b = 0; b < e->n_benchmarks; b++)
		for (size_t r = 0; r < e->n_roles; r++)
			if (!strcmp(e->roles[r].name, e->benchmarks[b].role) &&
			    role_names(&e->roles[r], host))
				return true;
	return false;
}

size_t planning_hosts(const struct experiment *e)
{
	size_t n = 0;

	for (size_t h = 0; h < e->n_hosts; h++)
		n += is_used(e, h);
	return n;
}

static void add_count(struct buf *out, size_t n, const char *noun)
{
	buf_addf(out, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

void planning_counts(struct buf *out, const struct subject *s, size_t n_runs)
{
	const struct experiment *e = &s->experiment;

	add_count(out, e->n_factors, "factor");
	buf_adds(out, ", ");
	add_count(out, s->expansion.design.n_treatments, "treatment");
	buf_adds(out, ", ");
	add_count(out, e->n_benchmarks, "benchmark");
	buf_adds(out, ", ");
	add_count(out, n_runs, "run");
	buf_adds(out, " on ");
	add_count(out, planning_hosts(e), "host");
}
