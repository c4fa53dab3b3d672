#include "cmd/command.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "cmd/planning.h"
#include "cmd/print.h"
#include "cmd/program.h"
#include "cmd/run_name.h"
#include "cmd/show_text.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/store/store_query.h"

enum raw {
	RAW_NONE,
	RAW_STDOUT,
	RAW_STDERR,
};

struct show_values {
	struct subject_options from;
	bool json;
	int raw;
	const char *campaign;
};

static const struct opt_word streams[] = {
	{ "stdout", RAW_STDOUT },
	{ "stderr", RAW_STDERR },
	{ NULL, 0 },
};

static const struct opt options[] = {
	OPTION_CAMPAIGN(struct show_values),
	OPTION_JSON(struct show_values),
	{ .name = "raw", .kind = OPT_CHOICE,
	  .offset = offsetof(struct show_values, raw), .value = "STREAM",
	  .help = "write the bytes of stdout or stderr of the newest attempt, "
		  "and nothing else",
	  .words = streams },
	OPTION_PROFILE(struct show_values),
	OPTION_STORE(struct show_values),
	OPTION_TAGS(struct show_values),
	OPTION_END,
};

static const struct operand operands[] = {
	OPERAND_FILE,
	{ .name = "RUN", .help = "its number in the plan, or its key",
	  .kind = OPERAND_WORD, .source = FROM_RUNS },
	OPERAND_END,
};

static int add_raw(struct buf *out, const struct run_detail *d,
		   enum raw stream, struct error *err)
{
	const struct attempt_detail *a;

	if (!d->n_attempts)
		return error_set(err, ERROR_USAGE, "%s has not been run yet",
				 d->key);
	a = &d->attempts[d->n_attempts - 1];
	if (stream == RAW_STDOUT) {
		buf_add(out, a->out_head, a->n_out_head);
		buf_add(out, a->out_tail, a->n_out_tail);
	} else {
		buf_add(out, a->err_head, a->n_err_head);
		buf_add(out, a->err_tail, a->n_err_tail);
	}
	if (stream == RAW_STDOUT ? a->out_truncated : a->err_truncated)
		print_warning("the output was too long: only its first %zu and "
			      "last %zu bytes were kept",
			      stream == RAW_STDOUT ? a->n_out_head
						   : a->n_err_head,
			      stream == RAW_STDOUT ? a->n_out_tail
						   : a->n_err_tail);
	return 0;
}

/* The key that the plan of this command line gives the name; caller frees. NULL
 * when it has none, or when the campaign measured something else. */
static char *find_planned(const struct subject *s, const char *name)
{
	const struct opt_integer none = { false, 0 };
	struct schedule schedule = { .n_runs = 0 };
	struct error ignored = ERROR_INIT;
	struct buf key = BUF_INIT;
	enum seed_origin origin;
	size_t run;

	if (subject_same_recipe(s) &&
	    !planning_schedule(&schedule, s,
			       planning_seed(s, &none, true, &origin), NULL,
			       &ignored) &&
	    !run_name_find(&run, &schedule, name, &ignored))
		schedule_run_key(&schedule, run, &key);
	schedule_release(&schedule);
	if (key.n)
		return buf_detach(&key);
	buf_release(&key);
	return NULL;
}

/* Numbers are those of the plan: runs of a part of it, made earlier, had
 * others, and the store knows both. */
static int find_run(struct run_detail *d, const struct subject *s,
		    const char *name, struct error *err)
{
	char *planned = find_planned(s, name);
	char *canonical = run_name_canonical(name);
	int rc = store_run_detail(s->store, s->campaign.id,
				  planned ? planned : canonical, d, err);

	if (rc && planned && err->kind == ERROR_USAGE &&
	    run_name_is_number(name))
		error_set(err, ERROR_USAGE,
			  "run %s of the plan is %s, which campaign %.8s has "
			  "not planned yet: '%s run %s' makes it", name,
			  planned, s->campaign.uuid, program_name(),
			  s->words);
	free(planned);
	free(canonical);
	return rc;
}

static int show(struct buf *out, const struct subject *s, const char *name,
		const struct show_values *v, struct error *err)
{
	struct run_detail d = { .key = NULL };
	int rc = find_run(&d, s, name, err);

	if (!rc && v->raw)
		rc = add_raw(out, &d, (enum raw)v->raw, err);
	else if (!rc && v->json)
		show_json(out, &d);
	else if (!rc)
		show_text(out, &d);
	run_detail_release(&d);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct show_values *v = values;
	struct subject s;
	struct buf out = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_RECORDED, err);

	if (!rc)
		rc = subject_open_any(&s, v->campaign, err);
	if (!rc)
		rc = show(&out, &s, operand_get(got, 1), v, err);
	if (!rc)
		rc = print_out(&out, err);
	buf_release(&out);
	subject_release(&s);
	return rc;
}

const struct command command_show = {
	.name = "show",
	.summary = "show everything that is recorded about one run",
	.description =
		"Shows every attempt of the run: its outcome and times, the "
		"numbers read from its output, the evidence that was kept for "
		"each setting, the script, and what the command printed. "
		"Bytes that no terminal should see are shown as pictures; "
		"--raw writes them as they came.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct show_values),
	.example = "assay show experiments/quickstart.yaml 7",
	.explanation = "Shows the seventh run of the plan.",
	.see_also = "status analyze",
	.run = run,
};
