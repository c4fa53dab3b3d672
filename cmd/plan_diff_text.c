#include "base/buf.h"
#include "base/json.h"
#include "cmd/plan.h"
#include "cmd/plan_diff.h"
#include "cmd/subject.h"
#include "plot/table/table.h"

static void add_runs(struct buf *out, size_t n)
{
	buf_addf(out, "%zu run%s", n, n == 1 ? "" : "s");
}

static void add_head(struct buf *out, const struct diff *d)
{
	const struct subject *s = d->plan->subject;

	buf_addf(out, "%s: ", s->experiment.name);
	if (!s->has_campaign) {
		buf_addf(out, "nothing is recorded in %s; all ",
			 s->store_path);
		add_runs(out, d->total.added);
		buf_adds(out, " are new\n");
		return;
	}
	add_runs(out, d->total.recorded);
	buf_addf(out, " of the plan recorded in campaign %.8s, %zu planned "
		      "before, not made yet, %zu new in the file, %zu "
		      "recorded that are no longer asked for\n",
		 s->campaign.uuid, d->total.missing, d->total.added,
		 d->total.gone);
	if (d->plan->recorded_other)
		buf_addf(out, "the file measures something else than campaign "
			      "%.8s did: a new campaign would begin, and make "
			      "all %zu runs\n",
			 s->campaign.uuid, d->plan->schedule.n_runs);
}

static void set_number(struct table *t, size_t row, size_t column, size_t n)
{
	struct buf text = BUF_INIT;

	if (n)
		buf_addf(&text, "%zu", n);
	table_set(t, row, column, text.data);
	buf_release(&text);
}

static bool differs(const struct diff_counts *c)
{
	return c->missing || c->added || c->gone;
}

static const char *verdict(const struct diff_counts *c)
{
	if (c->added && !c->recorded && !c->missing && !c->gone)
		return "new level";
	if (c->gone && !c->recorded && !c->missing && !c->added)
		return "gone";
	return "";
}

static void add_levels(struct buf *out, const struct diff *d)
{
	static const char *const heads[] = { "factor", "level", "recorded",
					     "not made yet", "new", "gone",
					     "" };
	struct table t;

	table_init(&t, NULL);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		table_column(&t, heads[i],
			     i < 2 || i > 5 ? TABLE_LEFT : TABLE_RIGHT, i < 2);
	for (size_t i = 0; i < d->n_levels; i++) {
		const struct diff_counts *c = &d->levels[i].counts;
		size_t row;

		if (!differs(c))
			continue;
		row = table_row(&t);
		table_set(&t, row, 0, d->levels[i].factor);
		table_set(&t, row, 1, d->levels[i].level);
		set_number(&t, row, 2, c->recorded);
		set_number(&t, row, 3, c->missing);
		set_number(&t, row, 4, c->added);
		set_number(&t, row, 5, c->gone);
		table_set(&t, row, 6, verdict(c));
	}
	if (t.n_rows) {
		buf_addc(out, '\n');
		table_write_text(&t, 0, out);
	}
	table_release(&t);
}

static void add_keys(struct buf *out, const char *what, char sign,
		     const struct strlist *keys, size_t limit)
{
	if (!keys->n)
		return;
	buf_addf(out, "\n%s:\n", what);
	for (size_t i = 0; i < keys->n && i < limit; i++)
		buf_addf(out, "%c %s\n", sign, keys->items[i]);
	if (keys->n > limit)
		buf_addf(out, "... and %zu more (--all)\n", keys->n - limit);
}

void diff_text(struct buf *out, const struct diff *d, size_t limit)
{
	add_head(out, d);
	add_levels(out, d);
	add_keys(out, "new in the file", '+', &d->added, limit);
	add_keys(out, "planned before, not made yet", '=', &d->missing, limit);
	add_keys(out, "recorded, no longer asked for", '-', &d->gone, limit);
}

static void json_keys(struct json *j, const char *name,
		      const struct strlist *keys)
{
	json_key(j, name);
	json_array(j);
	for (size_t i = 0; i < keys->n; i++)
		json_string(j, keys->items[i]);
	json_array_end(j);
}

static void json_counts(struct json *j, const struct diff_counts *c)
{
	json_put_int(j, "recorded", (int64_t)c->recorded);
	json_put_int(j, "not_made", (int64_t)c->missing);
	json_put_int(j, "new", (int64_t)c->added);
	json_put_int(j, "gone", (int64_t)c->gone);
}

void diff_json(struct buf *out, const struct diff *d)
{
	const struct subject *s = d->plan->subject;
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "experiment", s->experiment.name);
	json_put_string(&j, "store", s->store_path);
	json_put_string(&j, "campaign",
			s->has_campaign ? s->campaign.uuid : NULL);
	json_put_bool(&j, "recipe_differs", d->plan->recorded_other);
	json_key(&j, "counts");
	json_object(&j);
	json_counts(&j, &d->total);
	json_object_end(&j);
	json_key(&j, "levels");
	json_array(&j);
	for (size_t i = 0; i < d->n_levels; i++) {
		json_object(&j);
		json_put_string(&j, "factor", d->levels[i].factor);
		json_put_string(&j, "level", d->levels[i].level);
		json_counts(&j, &d->levels[i].counts);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_keys(&j, "new", &d->added);
	json_keys(&j, "not_made", &d->missing);
	json_keys(&j, "gone", &d->gone);
	json_object_end(&j);
	buf_addc(out, '\n');
}
