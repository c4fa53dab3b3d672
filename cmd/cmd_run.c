#include "cmd/command.h"

#include "base/buf.h"
#include "base/error.h"
#include "cmd/measure.h"
#include "cmd/plan.h"
#include "cmd/plan_text.h"
#include "cmd/print.h"
#include "cmd/problems_print.h"
#include "cmd/program.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "orchestrate/exec/able.h"

struct run_values {
	struct subject_options from;
	bool dry_run, fresh, quiet, retry;
	struct opt_integer seed;
};

static const struct opt options[] = {
	{ .name = "dry-run", .letter = 'n', .kind = OPT_FLAG,
	  .offset = offsetof(struct run_values, dry_run),
	  .help = "show the plan only; touch no host, record nothing" },
	{ .name = "fresh", .kind = OPT_FLAG,
	  .offset = offsetof(struct run_values, fresh),
	  .help = "begin a new campaign although the recorded one could go "
		  "on" },
	OPTION_ONLY(struct run_values),
	OPTION_PROFILE(struct run_values),
	{ .name = "quiet", .letter = 'q', .kind = OPT_FLAG,
	  .offset = offsetof(struct run_values, quiet),
	  .help = "tell only what needs attention, and the summary" },
	OPTION_REPLICATES(struct run_values),
	{ .name = "retry", .kind = OPT_FLAG,
	  .offset = offsetof(struct run_values, retry),
	  .help = "make the runs that failed, timed out or were invalid "
		  "again; what they gave before stays recorded" },
	{ .name = "seed", .kind = OPT_INTEGER,
	  .offset = offsetof(struct run_values, seed), .value = "N",
	  .help = "draw the order from this seed instead of the file's",
	  .max = UINT64_MAX },
	OPTION_SKIP(struct run_values),
	OPTION_STORE(struct run_values),
	OPTION_TAGS(struct run_values),
	OPTION_END,
};

static const struct operand operands[] = { OPERAND_FILE, OPERAND_END };

static int dry_run(struct subject *s, const struct run_values *v,
		   struct error *err)
{
	struct buf out = BUF_INIT;
	struct plan p;
	int rc;

	if (subject_open_if_there(s, NULL, err))
		return -1;
	rc = plan_begin(&p, s, &v->seed, v->fresh, err);
	if (!rc)
		rc = plan_count(&p, err);
	if (!rc) {
		plan_head(&out, &p);
		plan_text(&out, &p, 20);
		if (v->retry)
			buf_addf(&out, "--retry would make %zu runs again "
				       "that gave no result\n",
				 tally_bad(&p.tally.total));
		rc = print_out(&out, err);
	}
	buf_release(&out);
	plan_release(&p);
	return rc;
}

static void add_next(struct buf *out, const struct subject *s, size_t bad,
		     size_t missing, size_t lost, bool any)
{
	const char *file = s->words, *us = program_name();

	buf_adds(out, "next:\n");
	if (missing)
		buf_addf(out, "  %s run %s        make the rest\n", us, file);
	if (bad || lost)
		buf_addf(out, "  %s status %s --failed\n", us, file);
	if (bad && !missing)
		buf_addf(out, "  %s run %s --retry        make those %zu "
			      "again\n",
			 us, file, bad);
	if (any)
		buf_addf(out, "  %s analyze %s\n  %s plot %s\n"
			      "  %s report %s\n",
			 us, file, us, file, us, file);
}

/* Returns the exit status that the recorded runs call for. */
static int summarize(struct measure *m, struct buf *out, struct error *err)
{
	struct subject *s = m->subject;
	struct tally t;
	size_t bad;
	bool any;
	int rc = tally_make(&t, s, &m->schedule, err);

	if (rc)
		goto out;
	bad = tally_bad(&t.total);
	any = t.total.missing < t.total.planned;
	buf_addf(out, "%s: %zu runs: ", s->experiment.name, t.total.planned);
	if (any)
		tally_outcomes(out, &t.total);
	if (t.total.missing)
		buf_addf(out, "%s%zu not made yet", any ? ", " : "",
			 t.total.missing);
	buf_addc(out, '\n');
	add_next(out, s, bad, t.total.missing, t.total.lost, any);
	rc = bad ? 1 : 0;
	if (t.total.missing)
		rc = 3;
out:
	tally_release(&t);
	return rc;
}

static int tell_unrestored(const struct measure *m, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT,
			 "%zu setting%s could not be put back: '%s restore %s' "
			 "tries again",
			 m->summary.unrestored,
			 m->summary.unrestored == 1 ? "" : "s",
			 program_name(), m->subject->words);
}

/* The gravest fact decides the exit status. */
static int finish(struct measure *m, int ran, struct error *err)
{
	struct error fault = ERROR_INIT;
	struct buf out = BUF_INIT;
	int rc = summarize(m, &out, ran ? &fault : err);

	if (rc >= 0 && print_out(&out, ran ? &fault : err))
		rc = -1;
	buf_release(&out);
	if (ran)
		return -1;
	if (rc >= 0 && m->summary.interrupted)
		return error_set(err, ERROR_INTERRUPTED,
				 "interrupted; what was made is recorded, and "
				 "'%s run %s' goes on",
				 program_name(), m->subject->words);
	if (rc >= 0 && m->summary.unrestored)
		return tell_unrestored(m, err);
	return rc;
}

static int make_runs(struct subject *s, const struct run_values *v,
		     struct error *err)
{
	struct measure m = { .subject = s };
	int rc = measure_prepare(&m, s, &v->seed, v->fresh, v->retry, err);

	if (!rc) {
		if (!m.n_missing)
			print_note("every run is recorded already");
		rc = measure_run(&m, v->quiet, err);
		rc = finish(&m, rc, err);
	}
	measure_release(&m);
	return rc;
}

/* 2 when some of it is beyond this version; then it is told. */
static int check_able(const struct subject *s)
{
	struct problems problems = PROBLEMS_INIT;
	int rc = 0;

	exec_check_able(&s->experiment, &problems);
	if (problems.n) {
		problems_print(&problems);
		rc = 2;
	}
	problems_release(&problems);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct run_values *v = values;
	struct subject s;
	int rc;

	if (v->fresh && v->retry)
		return error_set(err, ERROR_USAGE,
				 "--fresh begins anew, where there is nothing "
				 "to --retry: choose one");
	rc = subject_load(&s, operand_get(got, 0), &v->from,
			  v->fresh ? FACTS_ASK_ANEW : FACTS_ASK, err);
	for (size_t i = 0; i < s.experiment.warnings.n; i++)
		print_warning("%s", s.experiment.warnings.items[i]);
	if (!rc)
		rc = subject_check(&s);
	if (!rc && v->dry_run)
		rc = dry_run(&s, v, err);
	else if (!rc)
		rc = check_able(&s);
	if (!rc && !v->dry_run)
		rc = make_runs(&s, v, err);
	subject_release(&s);
	return rc;
}

const struct command command_run = {
	.name = "run",
	.summary = "make the runs that are missing",
	.description =
		"Checks the file, ties it to a git commit, connects to the "
		"hosts and makes every run that is not recorded yet, in "
		"random order. Each setting is read back before and after the "
		"measured command and put back at the end; each result is in "
		"the store before the next run begins. While a command is "
		"measured, assay does nothing.\n\n"
		"Interrupted with Ctrl-C, it finishes the commands under way; "
		"pressed again, it stops them. Both put the hosts back. "
		"Killed in any other way, the next run collects what went on "
		"without it and puts back what it left.\n\n"
		"When what is measured has changed (a script, a parameter, a "
		"response, a setting, a host, what a level sets), a new "
		"campaign begins; adding replicates, or levels that set no "
		"variables, goes on with the old one.\n\n"
		"--only, --skip and --replicates make a part of the plan, "
		"--profile and --tags another one; what was asked for is kept "
		"with the campaign and told by status, show and report. "
		"Without them the rest is made later.\n\n"
		"Levels that depend on what a host is stay as they are while a "
		"campaign goes on: what it recorded of the host is used. A new "
		"host, and --fresh, are asked.\n\n"
		"A run that failed, timed out or was invalid is recorded and "
		"not made again, unless --retry asks for it. Its newest "
		"result counts then; how many runs were made again is told "
		"with every result.\n\n"
		"The exit status is 1 when runs failed, timed out or were "
		"invalid, 3 when a host or the store was at fault.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct run_values),
	.example = "assay run experiments/quickstart.yaml",
	.explanation = "Makes the runs of the quickstart. The same command "
		       "again makes only what is missing.",
	.see_also = "plan status analyze restore",
	.run = run,
};
