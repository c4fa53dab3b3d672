#include "cmd/plan_diff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/plan.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "orchestrate/spec/number.h"

typedef void count_one(struct diff_counts *c);

static void one_recorded(struct diff_counts *c)
{
	c->recorded++;
}

static void one_missing(struct diff_counts *c)
{
	c->missing++;
}

static void one_added(struct diff_counts *c)
{
	c->added++;
}

static void one_gone(struct diff_counts *c)
{
	c->gone++;
}

/* By the escaped names of a key, "place=disk"; made when it is new. */
static struct diff_level *find_level(struct diff *d, const char *name)
{
	uintptr_t known = (uintptr_t)map_get(&d->by_name, name);
	const char *equals = strchr(name, '=');
	struct diff_level *l;

	if (known)
		return &d->levels[known - 1];
	MEM_GROW(d->levels, d->n_levels, d->cap_levels);
	l = &d->levels[d->n_levels++];
	*l = (struct diff_level){
		.factor = mem_strndup(name, (size_t)(equals - name)),
		.level = mem_strdup(equals + 1),
	};
	map_put(&d->by_name, name, (void *)(uintptr_t)d->n_levels);
	return l;
}

/* Every level in a treatment's key. */
static void count_levels(struct diff *d, const char *treatment,
			 count_one *count)
{
	for (const char *p = treatment; *p;) {
		size_t n = strcspn(p, ",");
		char *name = mem_strndup(p, n);

		if (strchr(name, '='))
			count(&find_level(d, name)->counts);
		free(name);
		p += n + (p[n] == ',');
	}
}

static void count_run(struct diff *d, const char *treatment, count_one *count)
{
	count(&d->total);
	count_levels(d, treatment, count);
}

/* So that they are in the file's order, whatever is met first. */
static void add_levels(struct diff *d, const struct experiment *e)
{
	struct buf name = BUF_INIT;

	for (size_t f = 0; f < e->n_factors; f++) {
		for (size_t l = 0; l < e->factors[f].n_levels; l++) {
			buf_clear(&name);
			treatment_key_escape(e->factors[f].name, &name);
			buf_addc(&name, '=');
			treatment_key_escape(e->factors[f].levels[l].name,
					     &name);
			find_level(d, name.data);
		}
	}
	buf_release(&name);
}

static void compare_run(struct diff *d, const struct tally *t, size_t i,
			struct buf *key, struct buf *treatment)
{
	const struct schedule *s = &d->plan->schedule;
	const struct run_status_row *row;

	buf_clear(key);
	schedule_run_key(s, i, key);
	buf_clear(treatment);
	treatment_key(s->design, s->runs[i].treatment, treatment);
	row = tally_row(t, key->data);
	if (!row) {
		strlist_push(&d->added, key->data);
		count_run(d, treatment->data, one_added);
	} else if (tally_is_settled(row)) {
		count_run(d, treatment->data, one_recorded);
	} else {
		strlist_push(&d->missing, key->data);
		count_run(d, treatment->data, one_missing);
	}
}

static void find_gone(struct diff *d, const struct tally *t)
{
	/* what --only leaves out is asked for all the same */
	for (size_t i = 0; i < t->n_rows && !t->narrowed; i++) {
		const struct run_status_row *row = &t->rows[i];

		if (t->scheduled[i] || !tally_is_settled(row))
			continue;
		strlist_push(&d->gone, row->key);
		count_run(d, row->treatment, one_gone);
	}
}

static size_t place_of(const struct diff *d, const struct diff_level *l)
{
	size_t i = 0;

	while (strcmp(d->levels[i].factor, l->factor) != 0)
		i++;
	return i;
}

/* What the file no longer has, as it would stand there: by the place of its
 * factor, then by its number, then by its name. */
static int compare_levels(const void *a, const void *b, void *ctx)
{
	const struct diff_level *x = a, *y = b;
	size_t at = place_of(ctx, x), other = place_of(ctx, y);
	double p, q;

	if (at != other)
		return at < other ? -1 : 1;
	if (number_parse(x->level, &p) && number_parse(y->level, &q) &&
	    p != q)
		return p < q ? -1 : 1;
	return strcmp(x->level, y->level);
}

/* Levels are not looked up by name after that. */
static void sort_gone(struct diff *d, size_t n_known)
{
	size_t n = d->n_levels - n_known;
	struct diff_level *tail;

	if (!n)
		return;
	tail = mem_zalloc(n, sizeof(*tail));
	memcpy(tail, &d->levels[n_known], n * sizeof(*tail));
	qsort_r(tail, n, sizeof(*tail), compare_levels, d);
	memcpy(&d->levels[n_known], tail, n * sizeof(*tail));
	free(tail);
}

int diff_make(struct diff *d, const struct plan *p, struct error *err)
{
	struct buf key = BUF_INIT, treatment = BUF_INIT;
	struct tally tally = { .n_rows = 0 };
	size_t n_known;
	int rc;

	*d = (struct diff){ .plan = p };
	add_levels(d, &p->subject->experiment);
	n_known = d->n_levels;
	rc = tally_make(&tally, p->subject, &p->schedule, err);
	for (size_t i = 0; i < p->schedule.n_runs && !rc; i++)
		compare_run(d, &tally, i, &key, &treatment);
	if (!rc)
		find_gone(d, &tally);
	sort_gone(d, n_known);
	tally_release(&tally);
	buf_release(&key);
	buf_release(&treatment);
	return rc;
}

void diff_release(struct diff *d)
{
	for (size_t i = 0; i < d->n_levels; i++) {
		free(d->levels[i].factor);
		free(d->levels[i].level);
	}
	free(d->levels);
	map_release(&d->by_name);
	strlist_release(&d->missing);
	strlist_release(&d->added);
	strlist_release(&d->gone);
}
