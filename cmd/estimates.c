#include "cmd/estimates.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/strlist.h"
#include "stats/interval.h"

int estimate_sample(const struct sample *s, enum cell_kind kind, double level,
		    struct estimate *out, struct error *err)
{
	int rc = 0;

	*out = (struct estimate)ESTIMATE_INIT;
	out->level = level;
	if (s->n && kind == CELL_MEDIAN_CI)
		rc = interval_median(s->value, s->n, level, out, err);
	else if (s->n)
		rc = interval_mean(s->value, s->n, level, out, err);
	if (s->n_censored)
		out->warnings |= ESTIMATE_CENSORED;
	return rc;
}

void run_counts_add(struct run_counts *c, const struct sample *s)
{
	c->n_failed += s->n_failed;
	c->n_censored += s->n_censored;
	c->n_invalid += s->n_invalid;
	if (!s->n)
		return;
	if (!c->any || s->n < c->n_min)
		c->n_min = s->n;
	if (!c->any || s->n > c->n_max)
		c->n_max = s->n;
	c->any = true;
}

void run_counts_text(const struct run_counts *c, struct buf *out)
{
	if (c->n_min == c->n_max)
		buf_addf(out, "n = %zu", c->n_max);
	else
		buf_addf(out, "n = %zu to %zu", c->n_min, c->n_max);
}

static void add_count(struct buf *out, size_t start, size_t n,
		      const char *word)
{
	if (n)
		buf_addf(out, "%s%zu %s", out->n > start ? ", " : "", n, word);
}

bool run_counts_left_out(const struct run_counts *c, struct buf *out)
{
	size_t start = out->n;

	add_count(out, start, c->n_failed, "failed");
	add_count(out, start, c->n_censored, "timed out");
	add_count(out, start, c->n_invalid, "invalid");
	return out->n > start;
}

void estimate_warnings(unsigned warnings, struct strlist *out)
{
	for (unsigned bit = 1; bit && bit <= warnings; bit <<= 1) {
		const char *text = NULL;

		if (warnings & bit)
			text = estimate_warning_text((enum estimate_warning)bit);
		if (text && *text && !strlist_has(out, text))
			strlist_push(out, text);
	}
}

void level_percent(double level, struct buf *out)
{
	buf_addf(out, "%.4g %%", 100 * level);
}
