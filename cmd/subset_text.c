#include "cmd/subset_text.h"

#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/strlist.h"
#include "cmd/print.h"
#include "orchestrate/store/store_subset.h"

static void add(struct buf *out, size_t start, const char *what,
		const char *text)
{
	if (!text)
		return;
	buf_addf(out, "%s%s", out->n > start ? "; " : "", what);
	print_add(out, text);
}

void subset_text(struct buf *out, const struct subset *s)
{
	size_t start = out->n;
	bool many = s->profiles && strchr(s->profiles, ',');

	if (subset_is_all(s))
		buf_adds(out, "the whole plan");
	add(out, start, many ? "profiles " : "profile ", s->profiles);
	add(out, start, "tags ", s->tags);
	add(out, start, "", s->narrowing);
}

void subset_json(struct json *j, const struct subset *s)
{
	json_object(j);
	json_put_string(j, "profiles", s->profiles);
	json_put_string(j, "tags", s->tags);
	json_put_string(j, "narrowing", s->narrowing);
	json_object_end(j);
}

static void add_row(struct strlist *out, const struct subset_row *row)
{
	struct buf line = BUF_INIT;

	buf_addf(&line, "%zu run%s tried in %zu session%s of ", row->n_runs,
		 row->n_runs == 1 ? "" : "s", row->n_sessions,
		 row->n_sessions == 1 ? "" : "s");
	subset_text(&line, &row->subset);
	strlist_push(out, line.data);
	buf_release(&line);
}

int subset_lines(struct strlist *out, struct store *store, int64_t campaign,
		 struct error *err)
{
	struct subset_row *rows = NULL;
	size_t n = 0;
	bool any = false;

	if (store_subsets(store, campaign, &rows, &n, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		any = any || !subset_is_all(&rows[i].subset);
	for (size_t i = 0; i < n && any; i++)
		add_row(out, &rows[i]);
	subset_rows_free(rows, n);
	return 0;
}
