#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/explain.h"
#include "cmd/plan.h"
#include "cmd/print.h"
#include "cmd/subject.h"

struct explain_values {
	struct subject_options from;
	bool json;
};

static const struct opt options[] = {
	OPTION_JSON(struct explain_values),
	OPTION_ONLY(struct explain_values),
	OPTION_PROFILE(struct explain_values),
	OPTION_SKIP(struct explain_values),
	OPTION_STORE(struct explain_values),
	OPTION_TAGS(struct explain_values),
	OPTION_END,
};

static const struct operand operands[] = {
	OPERAND_FILE,
	{ .name = "RUN", .help = "its number in the plan, its key, or the key "
				 "of a treatment: then its first run",
	  .kind = OPERAND_WORD, .source = FROM_RUNS },
	{ .name = "KEY", .help = "a variable; all when not given",
	  .kind = OPERAND_WORD, .source = FROM_VARIABLES, .optional = true },
	OPERAND_END,
};

static int explain(struct buf *out, const struct plan *p,
		   const struct explain_values *v, const char *run,
		   const char *key, struct error *err)
{
	struct explanation x;
	int rc = explanation_make(&x, p, run, err);

	if (!rc && v->json)
		rc = explain_json(out, &x, key, err);
	else if (!rc)
		rc = explain_text(out, &x, key, err);
	explanation_release(&x);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct opt_integer none = { false, 0 };
	const struct explain_values *v = values;
	struct buf out = BUF_INIT;
	struct plan p = { .subject = NULL };
	struct subject s;
	int rc = subject_load(&s, operand_get(got, 0), &v->from, FACTS_ASK,
			      err);

	if (!rc)
		rc = subject_open_if_there(&s, NULL, err);
	if (!rc)
		rc = plan_begin(&p, &s, &none, false, err);
	if (!rc)
		rc = plan_count(&p, err);
	if (!rc)
		rc = explain(&out, &p, v, operand_get(got, 1),
			     operand_get(got, 2), err);
	if (!rc)
		rc = print_out(&out, err);
	plan_release(&p);
	buf_release(&out);
	subject_release(&s);
	return rc;
}

const struct command command_explain = {
	.name = "explain",
	.summary = "show where every value of a run comes from",
	.description =
		"Shows what one planned run is: its host, block and whole "
		"plot, its benchmark and script, the definitions that put its "
		"levels into effect, and every variable that its script sees: "
		"the value, who set it, the place in the file, what is written "
		"there when the value is computed from it, and what it "
		"hides.\n\n"
		"One rule decides between values of one name: the nearest "
		"wins, in the order run, benchmark, level, factor, host, "
		"experiment, library.\n\n"
		"The JSON object has experiment, key, position, planned, host, "
		"hosts (by role), role, matrix, replicate, block, plot, levels, benchmark, "
		"script, settings (lowest first), and variables: name, value, "
		"layer, file, line, column, written, hides.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct explain_values),
	.example = "assay explain experiments/quickstart.yaml 7 work",
	.explanation = "Shows who set the variable work of the seventh run.",
	.see_also = "plan show",
	.run = run,
};
