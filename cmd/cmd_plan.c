#include "cmd/command.h"

#include "base/buf.h"
#include "base/error.h"
#include "cmd/plan.h"
#include "cmd/plan_diff.h"
#include "cmd/plan_text.h"
#include "cmd/print.h"
#include "cmd/run_name.h"
#include "cmd/subject.h"
#include "orchestrate/exec/preview.h"

struct plan_values {
	struct subject_options from;
	bool json;
	bool all;
	bool diff;
	const char *script;
	struct opt_integer seed;
	struct opt_integer limit;
};

static const struct opt options[] = {
	{ .name = "all", .kind = OPT_FLAG,
	  .offset = offsetof(struct plan_values, all),
	  .help = "list every treatment and run" },
	{ .name = "diff", .kind = OPT_FLAG,
	  .offset = offsetof(struct plan_values, diff),
	  .help = "compare the plan with what is recorded: what it adds, and "
		  "what it no longer asks for" },
	OPTION_JSON(struct plan_values),
	{ .name = "limit", .kind = OPT_INTEGER,
	  .offset = offsetof(struct plan_values, limit), .value = "N",
	  .help = "list the first N treatments and runs", .fallback = "20",
	  .max = UINT32_MAX },
	OPTION_ONLY(struct plan_values),
	OPTION_PROFILE(struct plan_values),
	OPTION_REPLICATES(struct plan_values),
	{ .name = "script", .kind = OPT_STRING,
	  .offset = offsetof(struct plan_values, script), .value = "RUN",
	  .help = "print the very scripts that this run (its number or key) "
		  "would send to the hosts, and nothing else",
	  .source = FROM_RUNS },
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
		return plan_json(p, err);
	plan_text(out, p, v->all ? SIZE_MAX : v->limit.value);
	return print_out(out, err);
}

static int write_diff(struct buf *out, const struct plan *p,
		      const struct plan_values *v, struct error *err)
{
	struct diff d;
	int rc = diff_make(&d, p, err);

	if (!rc && v->json)
		diff_json(out, &d);
	else if (!rc)
		diff_text(out, &d, v->all ? SIZE_MAX : v->limit.value);
	if (!rc)
		rc = print_out(out, err);
	diff_release(&d);
	return rc;
}

static int write_script(struct buf *out, const struct plan *p,
			const char *name, struct error *err)
{
	size_t run = 0;

	if (run_name_find(&run, &p->schedule, name, err) ||
	    preview_run(out, &p->subject->experiment, &p->schedule, run, err))
		return -1;
	return print_out(out, err);
}

static int plan(struct subject *s, const struct plan_values *v,
		struct error *err)
{
	struct buf out = BUF_INIT;
	struct plan p;
	int rc = plan_begin(&p, s, &v->seed, false, err);

	if (!rc && v->script)
		rc = write_script(&out, &p, v->script, err);
	else if (!rc && v->diff)
		rc = write_diff(&out, &p, v, err);
	else if (!rc)
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
	int rc;

	if (v->script && (v->diff || v->json))
		return error_set(err, ERROR_USAGE,
				 "--script prints scripts and nothing else: "
				 "leave out --%s", v->diff ? "diff" : "json");
	rc = subject_load(&s, operand_get(got, 0), &v->from, FACTS_ASK, err);

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
		"there are, of which designs, how often settings change, what "
		"is recorded already, and how long the rest takes: as "
		"recorded, else as definitions declare. Then lists the "
		"treatments, and the runs in their order: where a block and "
		"a whole plot begin, and what is put anew between two runs. "
		"Of a fractional design it says which effects cannot be told "
		"apart. Records nothing, and touches no host, unless levels "
		"depend on what a host is and nobody has looked yet: then it "
		"is asked.\n\n"
		"--only, --skip and --replicates take a part of the plan: "
		"its runs keep their numbers, order, replicates and hosts.\n\n"
		"The JSON object has experiment, store, campaign, "
		"recipe_differs, seed (as text), seed_origin, subset "
		"(profiles, tags, narrowing), treatments, excluded, planned, "
		"missing, settings_applied, seconds_left, cost (runs, "
		"runs_most, reboots, changes, seconds, seconds_most, "
		"recorded_runs, untimed_runs, and layers: name, applied, "
		"reverted, reboots, seconds, source), matrices (name, kind, "
		"factors, benchmarks, treatments, replicates, "
		"replicates_most, blocks, order, and fraction: resolution, "
		"relation, aliases), factors (name, definition, hard, "
		"levels), facts (host, fact, value), treatment_levels (by "
		"factor), and runs: position, key, "
		"host, hosts (by role), benchmark, treatment, replicate, matrix, block_kind, "
		"block, plot, optional, changes, levels, recorded. With --diff "
		"it has experiment, store, campaign, recipe_differs, counts "
		"and levels (recorded, not_made: planned before and not made "
		"yet, new, gone), and the keys of the runs that are new, "
		"not_made and gone.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct plan_values),
	.example = "assay plan experiments/quickstart.yaml --seed 7",
	.explanation = "Shows the order that the seed 7 would give.",
	.see_also = "run status",
	.run = run,
};
