#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strlist.h"
#include "cmd/plan.h"
#include "cmd/plan_hosts.h"
#include "cmd/plan_text.h"
#include "cmd/plan_walk.h"
#include "cmd/print.h"
#include "cmd/subset_text.h"
#include "cmd/subject.h"
#include "stats/fraction.h"

#define PART 65536 /* bytes printed at a time */

static const char *const block_names[] = { "round", "host", "day" };
static const char *const kind_names[] = {
	"full-factorial", "one-at-a-time", "fractional", "latin-square",
	"list",
};

static void json_levels(struct json *j, const struct plan *p, size_t treatment)
{
	const struct design *d = p->schedule.design;

	json_object(j);
	for (size_t f = 0; f < d->n_factors; f++)
		json_put_string(j, d->factors[f].name,
				plan_level(p, treatment, f));
	json_object_end(j);
}

static void json_changes(struct json *j, const struct walk *w,
			 const struct walk_step *step)
{
	struct strlist names = STRLIST_INIT;

	walk_changes(w, step, &names);
	json_key(j, "changes");
	json_array(j);
	for (size_t i = 0; i < names.n; i++)
		json_string(j, names.items[i]);
	json_array_end(j);
	strlist_release(&names);
}

static void json_place(struct json *j, const struct experiment *e,
		       const struct walk *w, const struct walk_step *step)
{
	const struct matrix *m = &e->matrices[step->run->matrix];

	json_put_string(j, "matrix", m->name);
	json_put_string(j, "block_kind", block_names[m->blocks]);
	json_put_int(j, "block", step->run->block -
				 w->first_block[step->run->matrix] + 1);
	json_key(j, "plot");
	if (step->plot)
		json_int(j, (int64_t)step->plot);
	else
		json_null(j);
	json_put_bool(j, "optional", step->run->optional);
}

static void json_run(struct json *j, const struct plan *p, struct walk *w,
		     struct plan_hosts *hosts, size_t i)
{
	const struct schedule *s = &p->schedule;
	const struct experiment *e = s->experiment;
	const struct run *run = &s->runs[i];
	const struct run_status_row *known;
	struct buf key = BUF_INIT;
	struct walk_step step;

	walk_next(w, i, &step);
	schedule_run_key(s, i, &key);
	known = tally_row(&p->tally, key.data);
	json_object(j);
	json_put_int(j, "position", run->position);
	json_put_string(j, "key", key.data);
	json_put_string(j, "host", e->hosts[run->host].name);
	plan_hosts_find(hosts, i);
	json_key(j, "hosts");
	plan_hosts_json(hosts, j);
	json_put_string(j, "benchmark", e->benchmarks[run->benchmark].name);
	json_put_int(j, "treatment", (int64_t)run->treatment + 1);
	json_put_int(j, "replicate", run->replicate);
	json_place(j, e, w, &step);
	json_changes(j, w, &step);
	json_key(j, "levels");
	json_levels(j, p, run->treatment);
	json_put_string(j, "recorded",
			tally_is_settled(known) ? outcome_name(known->outcome)
						: NULL);
	json_object_end(j);
	buf_release(&key);
}

/* As text: a reader that knows only doubles would round it. */
static void json_seed(struct json *j, const struct plan *p)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%" PRIu64, p->schedule.seed);
	json_put_string(j, "seed", text.data);
	json_put_string(j, "seed_origin", seed_origin_text(p->origin));
	buf_release(&text);
}

static void json_factors(struct json *j, const struct experiment *e)
{
	json_key(j, "factors");
	json_array(j);
	for (size_t f = 0; f < e->n_factors; f++) {
		const struct factor *factor = &e->factors[f];

		json_object(j);
		json_put_string(j, "name", factor->name);
		json_put_string(j, "definition", e->uses[f].definition);
		json_put_bool(j, "hard", factor->hard);
		json_key(j, "levels");
		json_array(j);
		for (size_t l = 0; l < factor->n_levels; l++)
			json_string(j, factor->levels[l].name);
		json_array_end(j);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_aliases(struct json *j, const struct fraction *f)
{
	struct alias_table t;
	struct buf text = BUF_INIT;

	alias_table_make(&t, f, ALIAS_ORDER, ALIAS_ORDER);
	json_key(j, "aliases");
	json_array(j);
	for (size_t i = 0; i < t.n; i++) {
		buf_clear(&text);
		alias_chain_add(f, &t.chains[i], &text);
		json_string(j, text.data);
	}
	json_array_end(j);
	alias_table_release(&t);
	buf_release(&text);
}

/* The value of "fraction": null unless the design is one. */
static void json_fraction(struct json *j, const struct plan *p, size_t matrix)
{
	struct error ignored = ERROR_INIT;
	struct fraction f;

	json_key(j, "fraction");
	if (p->subject->experiment.matrices[matrix].kind !=
	    DESIGN_FRACTIONAL) {
		json_null(j);
		return;
	}
	json_object(j);
	if (!expansion_fraction(&p->subject->expansion, matrix, &f,
				&ignored)) {
		struct buf relation = BUF_INIT;

		json_put_int(j, "resolution", (int64_t)f.resolution);
		fraction_add_relation(&f, SIZE_MAX, &relation);
		json_put_string(j, "relation", relation.data);
		json_aliases(j, &f);
		buf_release(&relation);
	}
	fraction_release(&f);
	json_object_end(j);
}

static void json_names(struct json *j, const char *key,
		       const struct experiment *e, const struct matrix *m,
		       bool factors)
{
	size_t n = factors ? m->n_factors : m->n_benchmarks;

	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < n; i++)
		json_string(j, factors ? e->factors[m->factors[i]].name
				       : e->benchmarks[m->benchmarks[i]].name);
	json_array_end(j);
}

static void json_matrix(struct json *j, const struct plan *p, size_t i)
{
	const struct experiment *e = &p->subject->experiment;
	const struct matrix *m = &e->matrices[i];

	json_object(j);
	json_put_string(j, "name", m->name);
	json_put_string(j, "kind", kind_names[m->kind]);
	json_names(j, "factors", e, m, true);
	json_names(j, "benchmarks", e, m, false);
	json_put_int(j, "treatments",
		     (int64_t)p->subject->expansion.shares[i].n_treatments);
	json_put_int(j, "replicates", plan_replicates(p, m));
	json_put_int(j, "replicates_most",
		     p->subject->options->replicates.given
			     ? plan_replicates(p, m)
			     : m->replicates_max);
	json_put_string(j, "blocks", block_names[m->blocks]);
	json_put_string(j, "order", m->order == ORDER_RANDOMIZED
					    ? "randomized"
					    : "as-written");
	json_fraction(j, p, i);
	json_object_end(j);
}

static void json_facts(struct json *j, const struct experiment *e)
{
	json_key(j, "facts");
	json_array(j);
	for (size_t i = 0; i < e->n_facts; i++) {
		json_object(j);
		json_put_string(j, "host", e->facts[i].host);
		json_put_string(j, "fact", e->facts[i].fact);
		json_put_string(j, "value", e->facts[i].known
						    ? e->facts[i].value
						    : NULL);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_head(struct json *j, const struct plan *p)
{
	const struct subject *s = p->subject;
	size_t excluded = s->expansion.n_excluded;

	json_put_string(j, "experiment", s->experiment.name);
	json_put_string(j, "store", s->store_path);
	json_put_string(j, "campaign",
			p->resumes ? s->campaign.uuid : NULL);
	json_put_bool(j, "recipe_differs", p->recorded_other);
	json_seed(j, p);
	json_key(j, "subset");
	subset_json(j, &p->subset);
	json_put_int(j, "treatments", (int64_t)s->expansion.design.n_treatments);
	json_key(j, "excluded");
	if (excluded == SIZE_MAX)
		json_null(j);
	else
		json_int(j, (int64_t)excluded);
	json_put_int(j, "planned", (int64_t)p->schedule.n_planned);
	json_put_int(j, "missing", (int64_t)p->tally.total.missing);
	json_put_int(j, "settings_applied",
		     (int64_t)p->forecast.cost.applied);
	json_key(j, "seconds_left");
	if (p->forecast.n_known)
		json_double(j, forecast_rounded(p->forecast.cost.longest));
	else
		json_null(j);
}

/* Prints what there is when it is more than `most` bytes. */
static int print_part(struct buf *out, size_t most, struct error *err)
{
	int rc = out->n > most ? print_out(out, err) : 0;

	if (out->n > most)
		buf_clear(out);
	return rc;
}

static int json_treatments(struct json *j, const struct plan *p,
			   struct error *err)
{
	int rc = 0;

	json_key(j, "treatment_levels");
	json_array(j);
	for (size_t i = 0;
	     !rc && i < p->subject->expansion.design.n_treatments; i++) {
		json_levels(j, p, i);
		rc = print_part(j->out, PART, err);
	}
	json_array_end(j);
	return rc;
}

static int json_runs(struct json *j, const struct plan *p, struct error *err)
{
	struct plan_hosts hosts;
	struct walk w;
	int rc = 0;

	walk_init(&w, &p->schedule);
	plan_hosts_init(&hosts, &p->schedule);
	json_key(j, "runs");
	json_array(j);
	for (size_t i = 0; !rc && i < p->schedule.n_runs; i++) {
		json_run(j, p, &w, &hosts, i);
		rc = print_part(j->out, PART, err);
	}
	json_array_end(j);
	plan_hosts_release(&hosts);
	walk_release(&w);
	return rc;
}

int plan_json(const struct plan *p, struct error *err)
{
	const struct subject *s = p->subject;
	struct buf out = BUF_INIT;
	struct json j;
	int rc;

	json_init(&j, &out);
	json_object(&j);
	json_head(&j, p);
	json_key(&j, "cost");
	forecast_json(&j, &p->forecast);
	json_key(&j, "matrices");
	json_array(&j);
	for (size_t i = 0; i < s->experiment.n_matrices; i++)
		json_matrix(&j, p, i);
	json_array_end(&j);
	json_factors(&j, &s->experiment);
	json_facts(&j, &s->experiment);
	rc = json_treatments(&j, p, err);
	if (!rc)
		rc = json_runs(&j, p, err);
	json_object_end(&j);
	buf_addc(&out, '\n');
	if (!rc)
		rc = print_part(&out, 0, err);
	buf_release(&out);
	return rc;
}
