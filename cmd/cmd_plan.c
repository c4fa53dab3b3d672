#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/plan_text.h"
#include "cmd/planning.h"
#include "cmd/print.h"
#include "cmd/subject.h"
#include "cmd/tally.h"

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
	  .help = "list every run" },
	OPTION_JSON(struct plan_values),
	{ .name = "limit", .kind = OPT_INTEGER,
	  .offset = offsetof(struct plan_values, limit), .value = "N",
	  .help = "list the first N runs", .fallback = "20",
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

static int write_plan(struct buf *out, struct subject *s,
		      const struct plan_values *v, struct error *err)
{
	struct plan p = { .subject = s };
	struct tally tally = { .n_rows = 0 };
	int rc = -1;

	p.resumes = subject_same_recipe(s);
	p.recorded_other = s->has_campaign && !p.resumes;
	s->has_campaign = p.resumes;
	if (schedule_plan(&p.schedule, &s->experiment, &s->expansion,
			  planning_seed(s, &v->seed, p.resumes, &p.origin),
			  err))
		goto out;
	if (tally_make(&tally, s, &p.schedule, err))
		goto out;
	p.tally = &tally;
	if (v->json)
		plan_json(out, &p);
	else
		plan_text(out, &p,
			  v->all ? p.schedule.n_runs : v->limit.value);
	rc = 0;
out:
	tally_release(&tally);
	schedule_release(&p.schedule);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct plan_values *v = values;
	struct subject s;
	struct buf out = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_ASK, err);

	if (!rc)
		rc = subject_open_if_there(&s, NULL, err);
	if (!rc)
		rc = write_plan(&out, &s, v, err);
	if (!rc)
		rc = print_out(&out, err);
	buf_release(&out);
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
