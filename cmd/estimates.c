#include "cmd/estimates.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "stats/interval.h"

int estimate_sample(const struct sample *s, enum cell_kind kind, double level,
		    struct estimate *out, struct error *err)
{
	return interval_of_sample(s, kind == CELL_MEDIAN_CI
					     ? ESTIMATE_MEDIAN_ORDER
					     : ESTIMATE_MEAN_T,
				  level, out, err);
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
	for (unsigned w = 1; w & ESTIMATE_WARNINGS; w <<= 1) {
		const char *text = estimate_warning_text((enum estimate_warning)w);

		if (warnings & w && !strlist_has(out, text))
			strlist_push(out, text);
	}
}

void warning_counts_add(struct warning_counts *c, const struct estimate *e,
			const char *name)
{
	c->n_estimates++;
	for (unsigned bit = 0; bit < sizeof(unsigned) * 8; bit++) {
		struct warning_count *w = &c->by_bit[bit];

		if (!(e->warnings >> bit & 1))
			continue;
		if (w->n < WARNING_NAMES)
			w->names[w->n] = mem_strdup(name);
		w->n++;
	}
}

void warning_counts_release(struct warning_counts *c)
{
	for (unsigned bit = 0; bit < sizeof(unsigned) * 8; bit++)
		for (size_t i = 0; i < WARNING_NAMES; i++)
			free(c->by_bit[bit].names[i]);
	*c = (struct warning_counts){ .n_estimates = 0 };
}

static void add_warning(struct buf *out, const struct warning_counts *c,
			unsigned bit)
{
	const struct warning_count *w = &c->by_bit[bit];
	const char *text = estimate_warning_text((enum estimate_warning)(1u << bit));

	buf_addc(out, (char)toupper((unsigned char)text[0]));
	buf_addf(out, "%s (%zu of %zu estimate%s", text + 1, w->n,
		 c->n_estimates, c->n_estimates == 1 ? "" : "s");
	for (size_t i = 0; i < w->n && i < WARNING_NAMES; i++)
		buf_addf(out, "%s%s", i ? "; " : ": ", w->names[i]);
	if (w->n > WARNING_NAMES)
		buf_addf(out, "; and %zu more", w->n - WARNING_NAMES);
	buf_adds(out, ").");
}

void warning_counts_text(const struct warning_counts *c, struct strlist *out)
{
	for (unsigned bit = 0; ESTIMATE_WARNINGS >> bit & 1; bit++) {
		struct buf text = BUF_INIT;

		if (!c->by_bit[bit].n)
			continue;
		add_warning(&text, c, bit);
		strlist_push(out, text.data);
		buf_release(&text);
	}
}

void level_percent(double level, struct buf *out)
{
	buf_addf(out, "%.4g %%", 100 * level);
}
