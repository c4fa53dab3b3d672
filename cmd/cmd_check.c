#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/planning.h"
#include "cmd/print.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/lint.h"

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

/* Returns 2 when the file has problems: they are printed then. */
static int check_file(const char *file, const struct check_values *v,
		      struct buf *out, struct error *err)
{
	struct schedule schedule = { .n_runs = 0 };
	struct subject s;
	int rc = subject_load(&s, file, &v->from, FACTS_STAND_IN, err);

	if (!rc)
		rc = subject_check(&s);
	/* how many runs there are does not depend on the seed */
	if (!rc)
		rc = schedule_plan(&schedule, &s.experiment, &s.expansion, 0,
				   err);
	if (!rc)
		lint_design(&s.experiment, &s.expansion, &schedule,
			    &s.experiment.warnings);
	for (size_t i = 0; i < s.experiment.warnings.n; i++)
		print_warning("%s", s.experiment.warnings.items[i]);
	if (!rc) {
		buf_addf(out, "%s: ok: ", file);
		planning_counts(out, &s, schedule.n_runs);
		buf_addc(out, '\n');
	}
	schedule_release(&schedule);
	subject_release(&s);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	int worst = 0;

	for (size_t i = 0; i < got->n; i++) {
		struct buf out = BUF_INIT;
		int rc = check_file(got->items[i], values, &out, err);

		if (!rc)
			rc = print_out(&out, err);
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
		"to do. Touches no host and no result.\n\n"
		"Problems go to standard error; what is right is said on "
		"standard output.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct check_values),
	.example = "assay check experiments/quickstart.yaml",
	.explanation = "Says how many factors, treatments, runs and hosts "
		       "the experiment has when it is right.",
	.see_also = "plan init",
	.run = run,
};
