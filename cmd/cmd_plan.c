#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/plan.h"
#include "cmd/plan_text.h"
#include "cmd/print.h"
#include "cmd/subject.h"

struct plan_values {
	struct subject_options from;
	bool json;
	bool all;
	struct opt_integer seed;
	struct opt_integer limit;
};

static const struct opt options[] = {
	{ .name = "all", .kind = OPT_FLAG,
	  .offset = offsetof(struct plan_values, all),
	  .help = "list every treatment and run" },
	OPTION_JSON(struct plan_values),
	{ .name = "limit", .kind = OPT_INTEGER,
	  .offset = offsetof(struct plan_values, limit), .value = "N",
	  .help = "list the first N treatments and runs", .fallback = "20",
	  .max = UINT32_MAX },
	OPTION_ONLY(struct plan_values),
	OPTION_PROFILE(struct plan_values),
	OPTION_REPLICATES(struct plan_values),
	{ .name = "seed", .kind = OPT_INTEGER,
	  .offset = offsetof(struct plan_values, seed), .value = "N",
	  .help = "draw the order from this seed instead of the file's",
	  .max = UINT64_MAX },
	OPTION_SKIP(struct plan_values),
	OPTION_STORE(struct plan_values),
	OPTION_TAGS(struct plan_values),
	OPTION_END,
};

static const struct operand operands[] = { OPERAND_FILE, OPERAND_END };

/* The first line is out before anything else is counted: with many runs that
 * takes a while. */
static int write_plan(struct buf *out, struct plan *p,
		      const struct plan_values *v, struct error *err)
{
	if (!v->json) {
		plan_head(out, p);
		if (print_out(out, err))
			return -1;
		buf_clear(out);
	}
	if (plan_count(p, err))
		return -1;
	if (v->json)
		plan_json(out, p);
	else
		plan_text(out, p, v->all ? SIZE_MAX : v->limit.value);
	return print_out(out, err);
}

static int plan(struct subject *s, const struct plan_values *v,
		struct error *err)
{
	struct buf out = BUF_INIT;
	struct plan p;
	int rc = plan_begin(&p, s, &v->seed, false, err);

	if (!rc)
		rc = write_plan(&out, &p, v, err);
	plan_release(&p);
	buf_release(&out);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct plan_values *v = values;
	struct subject s;
	int rc = subject_load(&s, operand_get(got, 0), &v->from, FACTS_ASK,
			      err);

	if (!rc)
		rc = subject_open_if_there(&s, NULL, err);
	if (!rc)
		rc = plan(&s, v, err);
	subject_release(&s);
	return rc;
}

const struct command command_plan = {
	.name = "plan",
	.summary = "show what would be run, in which order, and how long it takes",
	.description =
		"Expands the experiment into its runs and shows how many "
		"there are, how often settings change, what is recorded "
		"already, and how long the rest takes, as far as recorded "
		"runs can tell. Then lists the runs in their order. Touches "
		"no host and records nothing.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct plan_values),
	.example = "assay plan experiments/quickstart.yaml --seed 7",
	.explanation = "Shows the order that the seed 7 would give.",
	.see_also = "run status",
	.run = run,
};
