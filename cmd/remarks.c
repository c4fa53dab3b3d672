#include "cmd/remarks.h"

#include "base/buf.h"
#include "base/strlist.h"
#include "cmd/analysis.h"
#include "cmd/subject.h"

static void add(struct strlist *out, struct buf *text)
{
	strlist_push(out, text->data);
	buf_clear(text);
}

static void add_left_out(struct strlist *out, const struct analysis *a)
{
	struct buf text = BUF_INIT, what = BUF_INIT;

	if (run_counts_left_out(&a->counts, &what)) {
		buf_addf(&text,
			 "Runs that gave no number are left out: %s; 'assay "
			 "status --failed' lists them.",
			 what.data);
		add(out, &text);
	}
	if (a->n_foreign) {
		buf_addf(&text,
			 "%zu recorded runs belong to treatments that the file "
			 "no longer has; they are left out.",
			 a->n_foreign);
		add(out, &text);
	}
	buf_release(&what);
	buf_release(&text);
}

static void add_comparisons(struct strlist *out, const struct analysis *a)
{
	struct buf text = BUF_INIT;

	if (!a->subject->experiment.n_baseline) {
		strlist_push(out, "Nothing is compared, because the file names "
				  "no baseline: add analysis: {baseline: "
				  "{FACTOR: LEVEL}}.");
	} else if (a->comparisons.n > 1) {
		buf_addf(&text, "%zu comparisons are made; each has its own ",
			 a->comparisons.n);
		level_percent(a->level, &text);
		buf_addf(&text, " interval, not adjusted for their number: "
				"about %.2g of them would miss by chance.",
			 (1 - a->level) * (double)a->comparisons.n);
		add(out, &text);
	}
	buf_release(&text);
}

void remarks_make(struct strlist *out, const struct analysis *a)
{
	add_left_out(out, a);
	add_comparisons(out, a);
	warning_counts_text(&a->warnings, out);
}
