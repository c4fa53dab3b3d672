#include "cmd/plan_text.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "cmd/forecast.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "plot/table/table.h"

#define LEVELS_SHOWN 12

static void add_levels(struct buf *out, const struct factor *f)
{
	for (size_t l = 0; l < f->n_levels && l < LEVELS_SHOWN; l++)
		buf_addf(out, "%s%s", l ? ", " : ": ", f->levels[l].name);
	if (f->n_levels > LEVELS_SHOWN)
		buf_addf(out, ", ... (%zu levels)", f->n_levels);
	buf_addc(out, '\n');
}

static void add_factors(struct buf *out, const struct experiment *e)
{
	for (size_t f = 0; f < e->n_factors; f++) {
		buf_addf(out, "  factor    %s", e->factors[f].name);
		if (e->uses[f].definition)
			buf_addf(out, " (%s)", e->uses[f].definition);
		add_levels(out, &e->factors[f]);
	}
}

static void add_recorded(struct buf *out, const struct plan *p)
{
	const struct subject *s = p->subject;
	const struct tally_counts *total = &p->tally->total;

	if (p->resumes) {
		buf_addf(out, "  recorded  %zu of %zu in %s (",
			 total->planned - total->missing, total->planned,
			 s->store_path);
		tally_outcomes(out, total);
		buf_addf(out, "; campaign %.8s)\n", s->campaign.uuid);
		return;
	}
	buf_addf(out, "  recorded  none in %s", s->store_path);
	if (p->recorded_other)
		buf_addf(out, " of what the file measures today: campaign "
			      "%.8s measured something else, a new one would "
			      "begin",
			 s->campaign.uuid);
	buf_addc(out, '\n');
}

static void add_time(struct buf *out, const struct forecast *f,
		     size_t n_missing)
{
	char text[CLOCK_TEXT_SIZE];

	if (!n_missing) {
		buf_adds(out, "  time      none: every run is recorded\n");
		return;
	}
	if (!f->n_known) {
		buf_adds(out, "  time      unknown until runs are recorded\n");
		return;
	}
	buf_addf(out, "  time      about %s, from %zu recorded runs",
		 clock_duration((int64_t)(f->seconds * 1e9), text),
		 f->n_known);
	if (f->n_guessed)
		buf_addf(out, "; %zu runs of benchmarks never made are not in "
			      "it",
			 f->n_guessed);
	buf_addc(out, '\n');
}

static void add_runs(struct buf *out, const struct plan *p, size_t limit)
{
	const struct schedule *s = &p->schedule;
	size_t n = limit < s->n_runs ? limit : s->n_runs;
	struct table t;

	table_init(&t, NULL);
	table_column(&t, "run", TABLE_RIGHT, true);
	table_column(&t, "host", TABLE_LEFT, false);
	table_column(&t, "key", TABLE_LEFT, false);
	table_column(&t, "recorded", TABLE_LEFT, false);
	for (size_t i = 0; i < n; i++) {
		size_t row = table_row(&t);
		const struct run_status_row *known;
		struct buf text = BUF_INIT;

		buf_addf(&text, "%zu", i + 1);
		table_set(&t, row, 0, text.data);
		table_set(&t, row, 1,
			  s->experiment->hosts[s->runs[i].host].name);
		buf_clear(&text);
		schedule_run_key(s, i, &text);
		table_set(&t, row, 2, text.data);
		known = tally_row(p->tally, text.data);
		if (tally_is_settled(known))
			table_set(&t, row, 3,
				  tally_outcome_text(known->outcome));
		buf_release(&text);
	}
	if (n)
		buf_addc(out, '\n');
	if (n)
		table_write_text(&t, 0, out);
	if (n < s->n_runs)
		buf_addf(out, "... and %zu more (--all)\n", s->n_runs - n);
	table_release(&t);
}

void plan_text(struct buf *out, const struct plan *p, size_t limit)
{
	const struct experiment *e = &p->subject->experiment;
	struct forecast f;

	forecast_make(&f, &p->schedule, p->tally);
	buf_addf(out, "%s: ", e->name);
	planning_counts(out, p->subject, p->schedule.n_runs);
	buf_addc(out, '\n');
	add_factors(out, e);
	if (e->matrices[0].order == ORDER_RANDOMIZED)
		buf_addf(out, "  order     randomized, seed %" PRIu64 " (%s)\n",
			 p->schedule.seed, seed_origin_text(p->origin));
	else
		buf_adds(out, "  order     as written\n");
	buf_addf(out, "  settings  applied %zu times for the runs that are "
		      "missing\n",
		 f.n_changes);
	add_recorded(out, p);
	add_time(out, &f, p->tally->total.missing);
	add_runs(out, p, limit);
}

static void json_run(struct json *j, const struct plan *p, size_t i)
{
	const struct schedule *s = &p->schedule;
	const struct experiment *e = s->experiment;
	const struct run *run = &s->runs[i];
	const struct run_status_row *known;
	struct buf key = BUF_INIT;

	schedule_run_key(s, i, &key);
	known = tally_row(p->tally, key.data);
	json_object(j);
	json_put_int(j, "position", (int64_t)i + 1);
	json_put_string(j, "key", key.data);
	json_put_string(j, "host", e->hosts[run->host].name);
	json_put_string(j, "benchmark", e->benchmarks[run->benchmark].name);
	json_put_int(j, "replicate", run->replicate);
	json_key(j, "levels");
	json_object(j);
	for (size_t f = 0; f < e->n_factors; f++) {
		size_t level = design_level(s->design, run->treatment, f);

		json_put_string(j, e->factors[f].name,
				level == DESIGN_ABSENT
					? NULL
					: e->factors[f].levels[level].name);
	}
	json_object_end(j);
	json_put_string(j, "recorded",
			tally_is_settled(known) ? outcome_name(known->outcome)
						: NULL);
	json_object_end(j);
	buf_release(&key);
}

/* As text: a reader that knows only doubles would round it. */
static void json_seed(struct json *j, uint64_t seed)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%" PRIu64, seed);
	json_put_string(j, "seed", text.data);
	buf_release(&text);
}

void plan_json(struct buf *out, const struct plan *p)
{
	const struct subject *s = p->subject;
	struct forecast f;
	struct json j;

	forecast_make(&f, &p->schedule, p->tally);
	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "experiment", s->experiment.name);
	json_put_string(&j, "store", s->store_path);
	json_seed(&j, p->schedule.seed);
	json_put_int(&j, "treatments", (int64_t)s->expansion.design.n_treatments);
	json_put_int(&j, "missing", (int64_t)p->tally->total.missing);
	json_put_int(&j, "settings_applied", (int64_t)f.n_changes);
	json_key(&j, "seconds_left");
	if (f.n_known)
		json_double(&j, f.seconds);
	else
		json_null(&j);
	json_key(&j, "runs");
	json_array(&j);
	for (size_t i = 0; i < p->schedule.n_runs; i++)
		json_run(&j, p, i);
	json_array_end(&j);
	json_object_end(&j);
	buf_addc(out, '\n');
}
