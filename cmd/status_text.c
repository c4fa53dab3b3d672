#include "cmd/status_text.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/strlist.h"
#include "cmd/print.h"
#include "cmd/program.h"
#include "cmd/subject.h"
#include "cmd/subset_text.h"
#include "cmd/tally.h"
#include "orchestrate/store/store_state.h"
#include "plot/table/table.h"

#define FAILED_SHOWN 10
#define REASONS_SHOWN 3

static void add_number(struct table *t, size_t row, size_t column, size_t n)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%zu", n);
	table_set(t, row, column, text.data);
	buf_release(&text);
}

static void add_counts_row(struct table *t, const char *name,
			   const struct tally_counts *c)
{
	size_t row = table_row(t);

	table_set(t, row, 0, name);
	add_number(t, row, 1, c->planned);
	add_number(t, row, 2, c->by_outcome[OUTCOME_OK]);
	add_number(t, row, 3, c->by_outcome[OUTCOME_FAILED]);
	add_number(t, row, 4, c->by_outcome[OUTCOME_TIMEOUT]);
	add_number(t, row, 5, c->by_outcome[OUTCOME_INVALID]);
	add_number(t, row, 6, c->missing);
}

static void add_counts(struct buf *out, const struct status *s)
{
	static const char *const heads[] = { "benchmark", "runs", "ok",
					     "failed", "timed out", "invalid",
					     "missing" };
	const struct experiment *e = &s->subject->experiment;
	struct table t;

	table_init(&t, NULL);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		table_column(&t, heads[i], i ? TABLE_RIGHT : TABLE_LEFT, !i);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		add_counts_row(&t, e->benchmarks[b].name,
			       &s->tally->benchmarks[b]);
	add_counts_row(&t, "all", &s->tally->total);
	table_write_text(&t, 0, out);
	table_release(&t);
}

static bool is_bad(const struct run_status_row *row)
{
	return tally_is_settled(row) && row->outcome != OUTCOME_OK;
}

/* What is lost and no longer asked for is no one's concern. */
static bool is_lost(const struct status *s, size_t row)
{
	return s->tally->scheduled[row] && tally_is_lost(&s->tally->rows[row]);
}

/* --only and --skip leave some out; what the file dropped is told. */
static bool is_asked(const struct status *s, size_t row)
{
	return !s->tally->narrowed || s->tally->scheduled[row];
}

static void add_run(struct buf *out, const struct run_status_row *row,
		    size_t times_lost)
{
	buf_addf(out, "%s: %s: %s", row->host, row->key,
		 tally_outcome_text(row->outcome));
	if (times_lost > 1)
		buf_addf(out, " %zu times", times_lost);
	if (row->reason) {
		buf_adds(out, ": ");
		print_add(out, row->reason);
	}
	if (row->attempts > 1 && (size_t)row->attempts > times_lost)
		buf_addf(out, " (%d attempts)", row->attempts);
	buf_addc(out, '\n');
}

void status_failed(struct buf *out, const struct status *s, size_t limit)
{
	size_t n = 0;

	for (size_t i = 0; i < s->tally->n_rows; i++) {
		const struct run_status_row *row = &s->tally->rows[i];

		if (!(is_bad(row) && is_asked(s, i)) && !is_lost(s, i))
			continue;
		if (++n <= limit)
			add_run(out, row, s->times_lost[i]);
	}
	if (n > limit)
		buf_addf(out, "... and %zu more (--failed)\n", n - limit);
}

/* Of the missing, those that are more than not begun. */
static void add_lost(struct buf *out, const struct status *s)
{
	const struct tally_counts *c = &s->tally->total;
	struct strlist reasons = STRLIST_INIT;

	if (!c->lost)
		return;
	for (size_t i = 0; i < s->tally->n_rows; i++) {
		const char *reason = s->tally->rows[i].reason;

		if (is_lost(s, i) && reason && !strlist_has(&reasons, reason))
			strlist_push(&reasons, reason);
	}
	buf_addf(out, "%zu missing (%zu of them lost", c->missing, c->lost);
	for (size_t i = 0; i < reasons.n && i < REASONS_SHOWN; i++) {
		buf_adds(out, i ? "; " : ": ");
		print_add(out, reasons.items[i]);
	}
	if (reasons.n > REASONS_SHOWN)
		buf_adds(out, "; other reasons");
	buf_addf(out, "); '%s run %s' makes them again\n", program_name(),
		 s->subject->words);
	strlist_release(&reasons);
}

static void add_pending(struct buf *out, const struct status *s)
{
	if (!s->n_pending)
		return;
	buf_addf(out, "\nnot put back yet ('%s restore %s'):\n",
		 program_name(), s->subject->words);
	for (size_t i = 0; i < s->n_pending; i++)
		buf_addf(out, "%s: %s=%s\n", s->pending[i].host,
			 s->pending[i].factor, s->pending[i].level);
}

static void add_surplus(struct buf *out, const struct status *s)
{
	const struct tally *t = s->tally;
	struct strlist surplus = STRLIST_INIT;

	tally_surplus(&surplus, s->subject, t->n_foreign, t->n_beyond);
	for (size_t i = 0; i < surplus.n; i++)
		buf_addf(out, "%s\n", surplus.items[i]);
	strlist_release(&surplus);
	if (t->total.n_again) {
		char *again = tally_again(t->total.n_again);

		buf_addf(out, "%s\n", again);
		free(again);
	}
}

/* One alone is told already. */
static void add_campaigns(struct buf *out, const struct status *s)
{
	char started[CLOCK_TEXT_SIZE];

	if (s->n_campaigns < 2)
		return;
	buf_addf(out, "\ncampaigns in %s (--campaign=ID reads another):\n",
		 s->subject->store_path);
	for (size_t i = 0; i < s->n_campaigns; i++) {
		const struct campaign *c = &s->campaigns[i].campaign;

		buf_addf(out, "%c %.8s, begun %s, ",
			 c->id == s->subject->campaign.id ? '*' : ' ', c->uuid,
			 clock_iso8601(c->started, started));
		if (c->commit)
			buf_addf(out, "commit %.12s", c->commit);
		else
			buf_adds(out, "no commit");
		buf_addf(out, ", %zu run%s recorded\n",
			 s->campaigns[i].n_settled,
			 s->campaigns[i].n_settled == 1 ? "" : "s");
	}
}

/* What was asked for when the runs were made, and what is now. */
static void add_subsets(struct buf *out, const struct status *s)
{
	for (size_t i = 0; i < s->subsets->n; i++)
		buf_addf(out, "%s\n", s->subsets->items[i]);
	if (s->n_runs == s->n_planned)
		return;
	buf_addf(out, "below: %zu of %zu runs, ", s->n_runs, s->n_planned);
	subset_text(out, &s->subset);
	buf_addc(out, '\n');
}

void status_text(struct buf *out, const struct status *s)
{
	const struct campaign *c = &s->subject->campaign;
	char started[CLOCK_TEXT_SIZE];

	buf_addf(out, "%s: %s\n", s->subject->experiment.name,
		 s->subject->store_path);
	buf_addf(out, "campaign %.8s, begun %s, ", c->uuid,
		 clock_iso8601(c->started, started));
	if (c->commit)
		buf_addf(out, "commit %.12s\n", c->commit);
	else
		buf_adds(out, "not tied to a commit\n");
	if (!s->same_recipe)
		buf_adds(out, "the file measures something else today: 'assay "
			      "run' would begin a new campaign\n");
	add_subsets(out, s);
	buf_addc(out, '\n');
	add_counts(out, s);
	add_lost(out, s);
	add_surplus(out, s);
	if (tally_bad(&s->tally->total) || s->tally->total.lost)
		buf_addc(out, '\n');
	status_failed(out, s, FAILED_SHOWN);
	add_pending(out, s);
	add_campaigns(out, s);
}

static void json_counts(struct json *j, const char *name,
			const struct tally_counts *c)
{
	json_object(j);
	json_put_string(j, "benchmark", name);
	json_put_int(j, "runs", (int64_t)c->planned);
	for (int o = 0; o < TALLY_OUTCOMES; o++)
		if (outcome_settles((enum outcome)o))
			json_put_int(j, outcome_name((enum outcome)o),
				     (int64_t)c->by_outcome[o]);
	json_put_int(j, "missing", (int64_t)c->missing);
	json_put_int(j, "lost", (int64_t)c->lost);
	json_object_end(j);
}

static void json_run(struct json *j, const struct run_status_row *row)
{
	json_object(j);
	json_put_string(j, "key", row->key);
	json_put_string(j, "host", row->host);
	json_put_int(j, "position", row->position);
	json_put_string(j, "outcome",
			tally_is_settled(row) || row->ended
				? outcome_name(row->outcome)
				: NULL);
	json_put_string(j, "reason", row->reason);
	json_put_int(j, "attempts", row->attempts);
	json_put_double(j, "duration",
			tally_is_settled(row) || row->ended ? row->duration
							    : NAN);
	json_object_end(j);
}

static void json_pending(struct json *j, const struct status *s)
{
	json_key(j, "pending_restores");
	json_array(j);
	for (size_t i = 0; i < s->n_pending; i++) {
		json_object(j);
		json_put_string(j, "host", s->pending[i].host);
		json_put_string(j, "factor", s->pending[i].factor);
		json_put_string(j, "level", s->pending[i].level);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_campaigns(struct json *j, const struct status *s)
{
	char started[CLOCK_TEXT_SIZE];

	json_key(j, "campaigns");
	json_array(j);
	for (size_t i = 0; i < s->n_campaigns; i++) {
		const struct campaign *c = &s->campaigns[i].campaign;

		json_object(j);
		json_put_string(j, "id", c->uuid);
		json_put_string(j, "commit", c->commit);
		json_put_string(j, "started",
				clock_iso8601(c->started, started));
		json_put_int(j, "recorded",
			     (int64_t)s->campaigns[i].n_settled);
		json_object_end(j);
	}
	json_array_end(j);
}

void status_json(struct buf *out, const struct status *s)
{
	const struct experiment *e = &s->subject->experiment;
	const struct campaign *c = &s->subject->campaign;
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "experiment", e->name);
	json_put_string(&j, "store", s->subject->store_path);
	json_put_string(&j, "campaign", c->uuid);
	json_put_string(&j, "commit", c->commit);
	json_put_bool(&j, "same_recipe", s->same_recipe);
	json_key(&j, "subset");
	subset_json(&j, &s->subset);
	json_put_int(&j, "planned", (int64_t)s->n_planned);
	json_key(&j, "made_with");
	json_array(&j);
	for (size_t i = 0; i < s->subsets->n; i++)
		json_string(&j, s->subsets->items[i]);
	json_array_end(&j);
	json_key(&j, "benchmarks");
	json_array(&j);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		json_counts(&j, e->benchmarks[b].name,
			    &s->tally->benchmarks[b]);
	json_array_end(&j);
	json_key(&j, "runs");
	json_array(&j);
	for (size_t i = 0; i < s->tally->n_rows; i++)
		json_run(&j, &s->tally->rows[i]);
	json_array_end(&j);
	json_pending(&j, s);
	json_campaigns(&j, s);
	json_object_end(&j);
	buf_addc(out, '\n');
}
