#include "cmd/remarks.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/strlist.h"
#include "cmd/analysis.h"
#include "cmd/subject.h"
#include "cmd/tally.h"

static void add(struct strlist *out, struct buf *text)
{
	strlist_push(out, text->data);
	buf_clear(text);
}

static void add_left_out(struct strlist *out, const struct analysis *a)
{
	struct buf text = BUF_INIT, what = BUF_INIT;
	struct strlist surplus = STRLIST_INIT;

	if (run_counts_left_out(&a->counts, &what)) {
		buf_addf(&text,
			 "Runs that gave no number are left out: %s; 'assay "
			 "status --failed' lists them.",
			 what.data);
		add(out, &text);
	}
	tally_surplus(&surplus, a->subject, a->n_foreign, a->n_beyond);
	for (size_t i = 0; i < surplus.n; i++) {
		buf_addf(&text, "%s.", surplus.items[i]);
		add(out, &text);
	}
	strlist_release(&surplus);
	if (a->n_again) {
		char *again = tally_again(a->n_again);

		buf_addf(&text, "%s.", again);
		add(out, &text);
		free(again);
	}
	buf_release(&what);
	buf_release(&text);
}

static void add_comparisons(struct strlist *out, const struct analysis *a)
{
	struct buf text = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < a->comparisons.n; i++)
		n += a->comparisons.items[i].verdict != VERDICT_NONE;
	if (n > 1) {
		buf_addf(&text, "%zu comparisons have an interval; each its own ",
			 n);
		level_percent(a->level, &text);
		buf_addf(&text, " one, not adjusted for their number: "
				"about %.2g of them would miss by chance.",
			 (1 - a->level) * (double)n);
		add(out, &text);
	}
	buf_release(&text);
}

void remarks_make(struct strlist *out, const struct analysis *a)
{
	if (!a->comparisons.n)
		strlist_push_nodup(out, comparisons_none(a->subject));
	add_left_out(out, a);
	add_comparisons(out, a);
	warning_counts_text(&a->warnings, out);
}
