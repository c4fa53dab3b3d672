#include "cmd/tally.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/schedule.h"

bool tally_is_settled(const struct run_status_row *row)
{
	return row && row->ended && outcome_settles(row->outcome);
}

static void count_run(struct tally_counts *c, const struct run_status_row *row)
{
	c->planned++;
	if (tally_is_settled(row))
		c->by_outcome[row->outcome]++;
	else
		c->missing++;
}

int tally_make(struct tally *t, const struct subject *s,
	       const struct schedule *schedule, struct error *err)
{
	struct buf key = BUF_INIT;
	size_t n_known = 0;

	*t = (struct tally){ .n_rows = 0 };
	t->benchmarks = mem_zalloc(s->experiment.n_benchmarks + 1,
				   sizeof(t->benchmarks[0]));
	if (s->has_campaign &&
	    store_status(s->store, s->campaign.id, &t->rows, &t->n_rows, err))
		return -1;
	for (size_t i = 0; i < t->n_rows; i++)
		map_put(&t->by_key, t->rows[i].key, &t->rows[i]);
	for (size_t i = 0; i < schedule->n_runs; i++) {
		const struct run_status_row *row;

		buf_clear(&key);
		schedule_run_key(schedule, i, &key);
		row = tally_row(t, key.data);
		n_known += row != NULL;
		count_run(&t->benchmarks[schedule->runs[i].benchmark], row);
		count_run(&t->total, row);
	}
	t->n_foreign = t->n_rows - n_known;
	buf_release(&key);
	return 0;
}

void tally_release(struct tally *t)
{
	run_status_free(t->rows, t->n_rows);
	map_release(&t->by_key);
	free(t->benchmarks);
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
