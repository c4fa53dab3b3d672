#include "cmd/tally.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/schedule.h"

bool tally_is_settled(const struct run_status_row *row)
{
	return row && row->settlings > 0;
}

bool tally_is_lost(const struct run_status_row *row)
{
	return row && !tally_is_settled(row) && row->outcome == OUTCOME_LOST;
}

static void count_run(struct tally_counts *c, const struct run_status_row *row)
{
	c->planned++;
	if (tally_is_settled(row)) {
		c->by_outcome[row->outcome]++;
		c->n_again += row->settlings > 1;
	} else {
		c->missing++;
		c->lost += tally_is_lost(row);
	}
}

/* As a rule, nothing: then the treatments' keys need not be made. */
static bool has_surplus(const struct tally *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (!t->scheduled[i] && tally_is_settled(&t->rows[i]))
			return true;
	return false;
}

/* Sorts what is recorded but not scheduled. */
static void count_surplus(struct tally *t, const struct subject *s)
{
	struct map treatments = MAP_INIT, benchmarks = MAP_INIT;
	struct buf key = BUF_INIT;

	if (!has_surplus(t))
		return;
	for (size_t i = 0; i < s->expansion.design.n_treatments; i++) {
		buf_clear(&key);
		treatment_key(&s->expansion.design, i, &key);
		map_put(&treatments, key.data, t);
	}
	for (size_t b = 0; b < s->experiment.n_benchmarks; b++)
		map_put(&benchmarks, s->experiment.benchmarks[b].name, t);
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct run_status_row *row = &t->rows[i];

		if (t->scheduled[i] || !tally_is_settled(row))
			continue;
		if (map_get(&treatments, row->treatment) &&
		    map_get(&benchmarks, row->benchmark))
			t->n_beyond++;
		else
			t->n_foreign++;
	}
	buf_release(&key);
	map_release(&treatments);
	map_release(&benchmarks);
}

int tally_make(struct tally *t, const struct subject *s,
	       const struct schedule *schedule, struct error *err)
{
	struct buf key = BUF_INIT;

	*t = (struct tally){ .n_rows = 0 };
	t->benchmarks = mem_zalloc(s->experiment.n_benchmarks + 1,
				   sizeof(t->benchmarks[0]));
	if (s->has_campaign &&
	    store_status(s->store, s->campaign.id, &t->rows, &t->n_rows, err))
		return -1;
	t->scheduled = mem_zalloc(t->n_rows + 1, sizeof(bool));
	for (size_t i = 0; i < t->n_rows; i++)
		map_put(&t->by_key, t->rows[i].key, &t->rows[i]);
	for (size_t i = 0; i < schedule->n_runs; i++) {
		const struct run_status_row *row;

		buf_clear(&key);
		schedule_run_key(schedule, i, &key);
		row = tally_row(t, key.data);
		if (row)
			t->scheduled[row - t->rows] = true;
		count_run(&t->benchmarks[schedule->runs[i].benchmark], row);
		count_run(&t->total, row);
	}
	t->narrowed = schedule->n_runs < schedule->n_planned;
	/* what is left out is asked for all the same */
	if (!t->narrowed)
		count_surplus(t, s);
	buf_release(&key);
	return 0;
}

void tally_release(struct tally *t)
{
	run_status_free(t->rows, t->n_rows);
	map_release(&t->by_key);
	free(t->benchmarks);
	free(t->scheduled);
	*t = (struct tally){ .n_rows = 0 };
}

const struct run_status_row *tally_row(const struct tally *t, const char *key)
{
	return map_get(&t->by_key, key);
}

size_t tally_bad(const struct tally_counts *c)
{
	return c->by_outcome[OUTCOME_FAILED] + c->by_outcome[OUTCOME_TIMEOUT] +
	       c->by_outcome[OUTCOME_INVALID];
}

const char *tally_outcome_text(enum outcome o)
{
	return o == OUTCOME_TIMEOUT ? "timed out" : outcome_name(o);
}

void tally_outcomes(struct buf *out, const struct tally_counts *c)
{
	size_t start = out->n;

	for (int o = 0; o < TALLY_OUTCOMES; o++)
		if (c->by_outcome[o])
			buf_addf(out, "%s%zu %s", out->n > start ? ", " : "",
				 c->by_outcome[o],
				 tally_outcome_text((enum outcome)o));
	if (out->n == start)
		buf_adds(out, "none");
}

/* "this part of the file (--profile quick)"; nothing when all of it is
 * asked for. */
static void add_part(struct buf *out, const struct subject *s)
{
	const struct strlist *profiles = &s->experiment.profiles;
	const char *tags = s->options ? s->options->tags : NULL;

	if (!profiles->n && !tags)
		return;
	buf_adds(out, "this part of the file (");
	for (size_t i = 0; i < profiles->n; i++)
		buf_addf(out, "%s--profile %s", i ? " " : "",
			 profiles->items[i]);
	if (tags)
		buf_addf(out, "%s--tags '%s'", profiles->n ? " " : "", tags);
	buf_addc(out, ')');
}

void tally_surplus(struct strlist *out, const struct subject *s,
		   size_t n_foreign, size_t n_beyond)
{
	struct buf part = BUF_INIT;

	add_part(&part, s);
	if (n_foreign)
		strlist_push_nodup(
			out,
			mem_printf("%zu recorded run%s of treatments that %s "
				   "%s %s left out",
				   n_foreign, n_foreign == 1 ? "" : "s",
				   part.n ? part.data : "the file",
				   part.n ? "does not ask for"
					  : "no longer has",
				   n_foreign == 1 ? "is" : "are"));
	if (n_beyond)
		strlist_push_nodup(
			out,
			mem_printf("%zu recorded run%s beyond the replicates "
				   "that %s asks for%s %s used all the same",
				   n_beyond, n_beyond == 1 ? "" : "s",
				   part.n ? part.data : "the file",
				   part.n ? "" : " today",
				   n_beyond == 1 ? "is" : "are"));
	buf_release(&part);
}

char *tally_again(size_t n)
{
	return mem_printf("%zu run%s made again after having failed, timed out "
			  "or been invalid; only the newest result of each "
			  "counts",
			  n, n == 1 ? " was" : "s were");
}
