#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/responses.h"
#include "orchestrate/spec/role.h"
#include "orchestrate/spec/taglist.h"
#include "orchestrate/spec/variables.h"

#define AT(member) .offset = offsetof(struct benchmark_reading, member)
#define DEFAULT_TIMEOUT 600

struct benchmark_reading {
	struct benchmark b;
	struct benchmark_def *def;
	bool has_run;
	struct mark use_mark;
	const struct yaml_node *with;
	double timeout;
	struct mark timeout_mark;
	struct run run;
	size_t before;      /* problems there already were */
};

static void read_use(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	br->use_mark = value->mark;
	br->b.definition = mem_strdup(value->text);
	if (reading_name(r, value->mark, "benchmark", value->text))
		br->def = r->resolver->benchmark(r->resolver->ctx, value->text,
						 value->mark, &r->e->files,
						 r->problems);
}

static void read_with(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	(void)r;
	br->with = value;
}

static void read_role(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	part_role_read(r, value, &br->b.role, &br->b.role_by);
}

static void read_run(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	br->has_run = true;
	run_read(r, value, &br->run);
}

static void read_services(struct reading *r, void *into,
			  const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	services_read(r, value, &br->b);
}

static void read_monitors(struct reading *r, void *into,
			  const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	monitors_read(r, value, &br->b);
}

static void read_artefacts(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	artefacts_read(r, value, &br->b.artefacts);
}

static void read_tags(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	tags_read(r, value, &br->b.tags);
}

static void read_responses(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	responses_read(r, value, &br->b.responses, &br->b.n_responses);
}

static const struct form definition_form = {
	.kind = FORM_TEXT, .what = "a benchmark definition's name",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};
static const struct form with_form = {
	.kind = FORM_MAP, .what = "a variable", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};

static const struct key benchmark_table[] = {
	{ .name = "use", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_use, .form = &definition_form,
	  .doc = "a benchmark definition", .example = "use: fio" },
	{ .name = "with", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_with, .form = &with_form, .table = &lookup_keys,
	  .doc = "parameters of the definition, or variables of the script "
		 "under `run`", .fallback = "none",
	  .example = "with: {rw: randread, size: 16G}" },
	{ .name = "label", .kind = VALUE_LOCALIZED, AT(b.label),
	  .doc = "how charts and tables call it",
	  .fallback = "the definition's, else its name",
	  .example = "label: {en: Random reads, fi: Satunnaisluku}" },
	{ .name = "tags", .kind = VALUE_CUSTOM, .read = read_tags,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .form = &tags_form,
	  .doc = "words that --tags selects it by",
	  .fallback = "none", .example = "tags: [disk, quick]" },
	{ .name = "role", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_role,
	  .table = &lookup_keys, .form = &part_role_form,
	  .doc = "the role whose hosts run it; the same as `role` in `run`, "
		 "for those that `use` a definition",
	  .fallback = "sut, else client, else the first role",
	  .example = "role: client" },
	{ .name = "run", .kind = VALUE_CUSTOM, .read = read_run,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .table = &run_keys,
	  .form = &run_form,
	  .doc = "the command to measure, in place of `use`",
	  .example = "run: ./bench --size \"$size\"" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(timeout),
	  .doc = "longest time that each execution may take: 90s, 5m, 1.5h",
	  .fallback = "the definition's, else 10m", .example = "timeout: 5m" },
	{ .name = "warmup", .kind = VALUE_COUNT, AT(b.warmup), .max = 10000,
	  .doc = "executions in each run before the measured ones; their "
		 "output does not count",
	  .fallback = "0", .example = "warmup: 1" },
	{ .name = "repeats", .kind = VALUE_COUNT, AT(b.repeats), .min = 1,
	  .max = 10000,
	  .doc = "measured executions in each run; all are observations of "
		 "one run, and no replicates",
	  .fallback = "1", .example = "repeats: 3" },
	{ .name = "responses", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_responses, .table = &response_keys,
	  .form = &responses_form,
	  .doc = "what is measured; in place of the definition's",
	  .fallback = "the definition's",
	  .example = "responses: {rate: {json: .rate, uom: 1/s, better: "
		     "higher}}" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(b.needs),
	  .doc = "programs that must be on the host, beside the definition's",
	  .fallback = "none", .example = "needs: [fio, jq]" },
	{ .name = "services", .kind = VALUE_CUSTOM, .shapes = SHAPE_LIST,
	  .read = read_services, .table = &service_keys,
	  .form = &services_form,
	  .doc = "what runs beside it, started in this order",
	  .fallback = "none",
	  .example = "services: [{name: echo, role: server, run: ./echo, "
		     "ready: {tcp: 5002}}]" },
	{ .name = "monitors", .kind = VALUE_CUSTOM, .shapes = SHAPE_LIST,
	  .read = read_monitors, .table = &monitor_keys,
	  .form = &monitors_form,
	  .doc = "what watches the hosts while it is measured",
	  .fallback = "none",
	  .example = "monitors: [{use: vmstat, role: server}]" },
	{ .name = "artefacts", .kind = VALUE_CUSTOM, .read = read_artefacts,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .form = &artefacts_form,
	  .doc = "files to keep from the run's directory",
	  .fallback = "none",
	  .example = "artefacts: [trace.json]" },
	{ .name = "search", .kind = VALUE_LATER,
	  .doc = "a limit to look for inside a run" },
};

/* ends with NULL */
static const char *const benchmark_one_of[] = { "use", "run", NULL };

const struct key_table benchmark_keys =
	KEY_TABLE("a benchmark", benchmark_table, .exactly_one = benchmark_one_of);

static const struct form benchmark_form = {
	.kind = FORM_OBJECT, .table = &benchmark_keys,
};
const struct form benchmarks_form = {
	.kind = FORM_MAP, .what = "a benchmark", .item = &benchmark_form,
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*", .min = 1,
};

/* The definition's responses, unless the experiment has its own. */
static void take_responses(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = &br->b;

	if (b->responses)
		return;
	if (br->def) {
		b->responses = br->def->responses;
		b->n_responses = br->def->n_responses;
		br->def->responses = NULL;
		br->def->n_responses = 0;
	} else if (!b->definition) {
		problems_add(r->problems, b->mark,
			     "benchmark \"%s\" needs the key \"responses\" "
			     "(what is measured)", b->name);
	}
}

static void take_definition(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = &br->b;
	struct benchmark_def *def = br->def;
	struct declared d = { .params = def->params, .n = def->n_params };
	struct given given = { .items = NULL };
	char *of = mem_printf("benchmark %s", def->name);

	d.of = of;
	if (br->with)
		given_add_all(&given, br->with);
	params_merge(r, &d, &given, br->use_mark, &b->params, &b->n_params,
		     &b->n_given);
	given_release(&given);
	free(of);
	b->types = def->params;
	b->n_types = def->n_params;
	def->params = NULL;
	def->n_params = 0;
	b->definition_file = mem_strdup(def->file);
	b->script = mem_strdup(def->script);
	b->script_mark = def->script_mark;
	if (!b->label.n) {
		b->label = def->label;
		def->label = (struct localized)LOCALIZED_INIT;
	}
	if (br->timeout <= 0 && def->timeout > 0) {
		br->timeout = def->timeout;
		br->timeout_mark = def->timeout_mark;
	}
	part_take_needs(&b->needs, &def->needs);
}

static void take_run(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = &br->b;
	struct run *run = &br->run;

	b->script = run->script;
	b->script_mark = run->script_mark;
	b->script_by = run->script_by;
	run->script = NULL;
	run->script_by = NULL;
	if (br->with)
		variables_read(r, br->with, "variable", &b->params,
			       &b->n_params);
	b->n_given = b->n_params;
}

/* The role that runs a benchmark when it does not say. */
static const char *usual_role(const struct experiment *e)
{
	static const char *const usual[] = { "sut", "client" };
	int role = -1;

	for (size_t i = 0; i < 2 && role < 0; i++)
		role = role_find(e, usual[i]);
	return e->roles[role < 0 ? 0 : role].name;
}

static void take_role(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = &br->b;
	struct run *run = &br->run;
	bool has_role = b->role || b->role_by;

	if (has_role && (run->role || run->role_by))
		problems_add(r->problems, b->mark,
			     "benchmark \"%s\" has two roles; keep one",
			     b->name);
	if (!has_role) {
		b->role = run->role;
		b->role_by = run->role_by;
		run->role = NULL;
		run->role_by = NULL;
	}
	if (!b->role && !b->role_by && r->e->n_roles)
		b->role = mem_strdup(usual_role(r->e));
}

static void take_timeout(struct reading *r, struct benchmark_reading *br)
{
	const struct run *run = &br->run;

	if (br->timeout > 0 && run->timeout > 0)
		problems_add(r->problems, br->b.mark,
			     "benchmark \"%s\" has two timeouts; keep one",
			     br->b.name);
	if (run->timeout > 0) {
		br->timeout = run->timeout;
		br->timeout_mark = run->timeout_mark;
	}
}

static void check_scripts(struct reading *r, const struct benchmark *b)
{
	part_script_check(r, "script", b->script_by, b->role, b->role_by);
	for (size_t i = 0; i < b->n_services; i++)
		part_script_check(r, "run", b->services[i].script_by,
				  b->services[i].role,
				  b->services[i].role_by);
}

static void finish(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = &br->b;

	if (br->has_run == !!b->definition)
		problems_add(r->problems, b->mark,
			     "benchmark \"%s\" needs exactly one of \"use\" "
			     "and \"run\"", b->name);
	take_timeout(r, br);
	if (br->def)
		take_definition(r, br);
	else if (br->has_run)
		take_run(r, br);
	take_responses(r, br);
	take_role(r, br);
	services_finish(b);
	monitors_finish(b);
	if (r->problems->total == br->before)
		check_scripts(r, b);
	b->timeout = br->timeout > 0 ? br->timeout : DEFAULT_TIMEOUT;
	b->timeout_mark = br->timeout_mark;
}

static void read_benchmark(struct reading *r, const struct yaml_pair *pair,
			   struct benchmark *out)
{
	struct benchmark_reading br = { .b.repeats = 1,
					.before = r->problems->total };

	br.b.name = mem_strdup(pair->key);
	br.b.mark = pair->mark;
	reading_name(r, pair->mark, "benchmark", pair->key);
	if (reading_mapping(r, pair->value, pair->key)) {
		keys_read(r, &benchmark_keys, pair->mark, pair->value, &br);
		if (br.timeout > 0)
			br.timeout_mark =
				yaml_get(pair->value, "timeout")->value->mark;
		finish(r, &br);
	}
	benchmark_def_free(br.def);
	run_release(&br.run);
	*out = br.b;
}

void benchmarks_read(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "benchmarks");

	if (!e->roles)
		roles_default(r);
	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "no benchmark: an experiment measures at least "
			     "one");
	e->benchmarks = mem_zalloc(entries, sizeof(*e->benchmarks));
	for (size_t i = 0; i < entries; i++)
		read_benchmark(r, &value->pairs[i],
			       &e->benchmarks[e->n_benchmarks++]);
}
