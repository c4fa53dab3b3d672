#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/responses.h"
#include "orchestrate/spec/variables.h"

#define DEFAULT_TIMEOUT 600

struct benchmark_reading {
	struct benchmark *b;
	struct benchmark_def *def;
	bool has_run;
	struct mark use_mark;
	const struct yaml_node *with;
	double timeout;
	/* of `run` as a mapping */
	char *script;
	char *role;
	double run_timeout;
};

static void read_use(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	br->use_mark = value->mark;
	br->b->definition = mem_strdup(value->text);
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

	if (!r->e->n_roles || find_role(r, value->mark, value->text) >= 0)
		br->role = mem_strdup(value->text);
}

#define AT(member) .offset = offsetof(struct benchmark_reading, member)

static const struct key run_table[] = {
	{ .name = "role", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_role, .doc = "the role whose hosts run it" },
	{ .name = "script", .kind = VALUE_SCRIPT, AT(script), .required = true,
	  .doc = "POSIX shell" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(run_timeout),
	  .doc = "longest time it may take" },
};

const struct key_table run_keys = KEY_TABLE("run", run_table);

static void read_run(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	br->has_run = true;
	if (value->kind == YAML_MAPPING) {
		keys_read(r, &run_keys, value->mark, value, br);
		return;
	}
	br->script = mem_strdup(value->text);
	if (!value->text[strspn(value->text, " \t\n")])
		problems_add(r->problems, value->mark, "\"run\" is empty");
}

static void read_responses(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	responses_read(r, value, &br->b->responses, &br->b->n_responses);
}

static void read_label(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	reading_localized(r, value, "label", &br->b->label);
}

static void read_needs(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct benchmark_reading *br = into;

	reading_texts(r, value, "needs", &br->b->needs);
}

static const struct key benchmark_table[] = {
	{ .name = "use", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_use, .doc = "a benchmark definition" },
	{ .name = "with", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_with, .doc = "parameters of the definition, or "
				    "variables of the script under `run`" },
	{ .name = "label", .kind = VALUE_CUSTOM, .read = read_label,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING,
	  .doc = "how charts and tables call it" },
	{ .name = "run", .kind = VALUE_CUSTOM, .read = read_run,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .table = &run_keys,
	  .doc = "the command to measure, in place of `use`" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(timeout),
	  .doc = "longest time a run may take: 90s, 5m, 1.5h; 10 minutes "
		 "when nobody says" },
	{ .name = "responses", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_responses, .table = &response_keys,
	  .doc = "what is measured; in place of the definition's" },
	{ .name = "needs", .kind = VALUE_CUSTOM, .read = read_needs,
	  .shapes = SHAPE_TEXT | SHAPE_LIST,
	  .doc = "programs that must be on the host" },
	{ .name = "services", .kind = VALUE_LATER,
	  .doc = "what runs beside it" },
	{ .name = "warmup", .kind = VALUE_LATER,
	  .doc = "runs before the measured one" },
	{ .name = "monitors", .kind = VALUE_LATER,
	  .doc = "what watches the hosts" },
	{ .name = "artefacts", .kind = VALUE_LATER, .doc = "files to keep" },
	{ .name = "search", .kind = VALUE_LATER,
	  .doc = "a limit to look for inside a run" },
};

const struct key_table benchmark_keys =
	KEY_TABLE("a benchmark", benchmark_table);

/* The definition's responses, unless the experiment has its own. */
static void take_responses(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = br->b;

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

/* All programs, the definition's first, each once. */
static void take_needs(struct benchmark *b, struct benchmark_def *def)
{
	struct strlist all = def->needs;

	def->needs = (struct strlist)STRLIST_INIT;
	for (size_t i = 0; i < b->needs.n; i++)
		if (!strlist_has(&all, b->needs.items[i]))
			strlist_push(&all, b->needs.items[i]);
	strlist_release(&b->needs);
	b->needs = all;
}

static void take_definition(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = br->b;
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
	b->definition_file = mem_strdup(def->file);
	b->script = mem_strdup(def->script);
	if (!b->label.n) {
		b->label = def->label;
		def->label = (struct localized)LOCALIZED_INIT;
	}
	if (br->timeout <= 0)
		br->timeout = def->timeout;
	take_needs(b, def);
}

static void take_run(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = br->b;

	if (br->with)
		variables_read(r, br->with, "variable", &b->params,
			       &b->n_params);
	b->n_given = b->n_params;
	b->script = br->script;
	br->script = NULL;
}

static void finish(struct reading *r, struct benchmark_reading *br)
{
	struct benchmark *b = br->b;

	if (br->has_run == !!b->definition)
		problems_add(r->problems, b->mark,
			     "benchmark \"%s\" needs exactly one of \"use\" "
			     "and \"run\"", b->name);
	if (br->timeout > 0 && br->run_timeout > 0)
		problems_add(r->problems, b->mark,
			     "benchmark \"%s\" has two timeouts; keep one",
			     b->name);
	if (br->run_timeout > 0)
		br->timeout = br->run_timeout;
	if (br->def)
		take_definition(r, br);
	else if (br->has_run)
		take_run(r, br);
	take_responses(r, br);
	b->timeout = br->timeout > 0 ? br->timeout : DEFAULT_TIMEOUT;
	b->role = br->role;
	br->role = NULL;
	if (!b->role && r->e->n_roles)
		b->role = mem_strdup(r->e->roles[0].name);
}

static void read_benchmark(struct reading *r, const struct yaml_pair *pair,
			   struct benchmark *b)
{
	struct benchmark_reading br = { .b = b };

	b->name = mem_strdup(pair->key);
	b->mark = pair->mark;
	reading_name(r, pair->mark, "benchmark", pair->key);
	if (!reading_mapping(r, pair->value, pair->key))
		return;
	keys_read(r, &benchmark_keys, pair->mark, pair->value, &br);
	finish(r, &br);
	free(br.script);
	free(br.role);
	benchmark_def_free(br.def);
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
