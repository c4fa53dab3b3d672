#include "cmd/command.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "cmd/computed.h"
#include "cmd/facts.h"
#include "cmd/planning.h"
#include "cmd/print.h"
#include "cmd/subject.h"
#include "orchestrate/exec/able.h"
#include "orchestrate/schedule/lint.h"
#include "orchestrate/spec/problem.h"

struct check_values {
	struct subject_options from;
};

static const struct opt options[] = {
	OPTION_PROFILE(struct check_values),
	OPTION_REPLICATES(struct check_values),
	OPTION_TAGS(struct check_values),
	OPTION_END,
};

static const struct operand operands[] = {
	{ .name = "FILE", .help = "experiments", .kind = OPERAND_EXPERIMENT,
	  .many = true },
	OPERAND_END,
};

/* How many runs there are does not depend on the seed; how often settings
 * change in their order does. */
static int count_runs(struct schedule *schedule, const struct subject *s,
		      struct error *err)
{
	const struct experiment *e = &s->experiment;

	if (planning_schedule(schedule, s, e->seed_given ? e->seed : 0, NULL,
			      err))
		return -1;
	return computed_all(s, schedule);
}

static void tell_facts(const struct subject *s)
{
	char *text;

	if (!facts_are_missing(&s->experiment))
		return;
	text = facts_missing_text(&s->experiment);
	print_warning("%s: %s: counted as if it were 1", s->experiment.path,
		      text);
	free(text);
}

/* What is legal, and yet better known before the runs are made. */
static void tell_warnings(const struct subject *s,
			  const struct schedule *schedule)
{
	struct problems unable = PROBLEMS_INIT;
	struct strlist lints = STRLIST_INIT;

	for (size_t i = 0; i < s->experiment.warnings.n; i++)
		print_warning("%s", s->experiment.warnings.items[i]);
	tell_facts(s);
	lint_design(&s->experiment, &s->expansion, schedule, &lints);
	for (size_t i = 0; i < lints.n; i++)
		print_warning("%s", lints.items[i]);
	exec_check_able(&s->experiment, &unable);
	for (size_t i = 0; i < unable.n; i++)
		print_warning("%s:%u:%u: %s", unable.items[i].file,
			      unable.items[i].line, unable.items[i].column,
			      unable.items[i].text);
	strlist_release(&lints);
	problems_release(&unable);
}

static void add_ok(struct buf *out, const struct subject *s, const char *file,
		   const char *profile, const struct schedule *schedule)
{
	buf_addf(out, "%s: ", file);
	if (profile)
		buf_addf(out, "profile %s: ", profile);
	buf_adds(out, "ok: ");
	planning_counts(out, s, schedule);
	buf_addc(out, '\n');
}

/* Returns 2 when the file has problems with it: they are printed then. */
static int check_profile(const char *file, const struct check_values *v,
			 const char *profile, struct buf *out,
			 struct error *err)
{
	struct subject_options from = v->from;
	struct schedule schedule = { .n_runs = 0 };
	struct subject s;
	int rc;

	from.profiles = (struct opt_strings){ &profile, 1, 1 };
	rc = subject_load(&s, file, &from, FACTS_STAND_IN, err);
	if (!rc)
		rc = subject_check(&s);
	if (!rc)
		rc = count_runs(&schedule, &s, err);
	if (!rc)
		add_ok(out, &s, file, profile, &schedule);
	else if (rc > 0)
		print_note("%s: that is with profile %s", file, profile);
	else
		error_context(err, "%s: profile %s", file, profile);
	schedule_release(&schedule);
	subject_release(&s);
	return rc;
}

/* All of them, unless some were asked for. */
static int check_profiles(const struct subject *s, const char *file,
			  const struct check_values *v, struct buf *out,
			  struct error *err)
{
	const struct strlist *names = &s->experiment.profile_names;
	int worst = 0;

	for (size_t i = 0; i < names->n && !v->from.profiles.n; i++) {
		int rc = check_profile(file, v, names->items[i], out, err);

		if (rc < 0)
			return -1;
		worst = rc ? rc : worst;
	}
	return worst;
}

/* Returns 2 when the file has problems: they are printed then. */
static int check_file(const char *file, const struct check_values *given,
		      struct buf *out, struct error *err)
{
	struct subject_memory memory = SUBJECT_MEMORY_INIT;
	struct schedule schedule = { .n_runs = 0 };
	struct check_values v = *given;
	struct subject s;
	int rc;

	v.from.memory = &memory;
	rc = subject_load(&s, file, &v.from, FACTS_STAND_IN, err);
	if (!rc)
		rc = subject_check(&s);
	if (!rc)
		rc = count_runs(&schedule, &s, err);
	if (!rc) {
		tell_warnings(&s, &schedule);
		add_ok(out, &s, file, NULL, &schedule);
		rc = check_profiles(&s, file, &v, out, err);
	}
	schedule_release(&schedule);
	subject_release(&s);
	subject_memory_release(&memory);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	int worst = 0;

	for (size_t i = 0; i < got->n; i++) {
		struct buf out = BUF_INIT;
		int rc = check_file(got->items[i], values, &out, err);

		struct error unsaid;

		/* what was right is said in any case */
		if (print_out(&out, rc < 0 ? &unsaid : err))
			rc = -1;
		buf_release(&out);
		if (rc < 0)
			return -1;
		worst = rc ? rc : worst;
	}
	return worst;
}

const struct command command_check = {
	.name = "check",
	.summary = "find every mistake in an experiment file",
	.description =
		"Reads the experiment, the definitions it uses, and every "
		"pattern that extracts a number, and tells all problems in "
		"one pass, each as file:line:column: what is wrong and what "
		"to do. Every profile is checked too. Touches no host and no "
		"result.\n\n"
		"What is legal, but makes the answer weaker than it could be, "
		"is told as a warning: no replication, factors that change "
		"together, levels that occur unequally often, a factor that "
		"takes long to change and is not grouped, and the like.\n\n"
		"Problems and warnings go to standard error; what is right is "
		"said on standard output.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct check_values),
	.example = "assay check experiments/quickstart.yaml",
	.explanation = "Says how many factors, treatments, runs and hosts "
		       "the experiment has when it is right.",
	.see_also = "plan init",
	.run = run,
};
