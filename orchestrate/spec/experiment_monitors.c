#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/responses.h"
#include "orchestrate/spec/variables.h"

#define DEFAULT_INTERVAL 1

struct monitor_reading {
	struct monitor m;
	struct monitor_def *def;
	struct mark use_mark;
	const struct yaml_node *with;
};

static void read_use(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct monitor_reading *mr = into;
	const struct resolver *v = r->resolver;

	mr->use_mark = value->mark;
	mr->m.definition = mem_strdup(value->text);
	if (!reading_name(r, value->mark, "monitor", value->text))
		return;
	if (v->monitor)
		mr->def = v->monitor(v->ctx, value->text, value->mark,
				     &r->e->files, r->problems);
	else
		problems_add(r->problems, value->mark,
			     "there is no monitor \"%s\"", value->text);
}

static void read_run(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct monitor_reading *mr = into;

	mr->m.script_mark = value->mark;
	mr->m.script = mem_strdup(value->text);
	if (!value->text[strspn(value->text, " \t\n")])
		problems_add(r->problems, value->mark, "\"run\" is empty");
}

static void read_with(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct monitor_reading *mr = into;

	(void)r;
	mr->with = value;
}

static void read_role(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct monitor_reading *mr = into;

	part_role_read(r, value, &mr->m.role, &mr->m.role_by);
}

static void read_responses(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct monitor_reading *mr = into;

	if (value->n_pairs)
		responses_read(r, value, &mr->m.responses, &mr->m.n_responses);
	else
		problems_add(r->problems, value->mark,
			     "\"responses\" is empty; leave it out to keep "
			     "only what the monitor prints");
}

static const struct form definition_form = {
	.kind = FORM_TEXT, .what = "a monitor definition's name",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};
static const struct form shell_form = { .kind = FORM_SCRIPT };
static const struct form with_form = {
	.kind = FORM_MAP, .what = "a variable", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};

#define AT(member) .offset = offsetof(struct monitor_reading, member)

static const struct key keys[] = {
	{ .name = "name", .kind = VALUE_TEXT, AT(m.name),
	  .doc = "its name, for messages and its output; needed with `run`",
	  .fallback = "the definition's",
	  .example = "name: server-load" },
	{ .name = "use", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_use, .form = &definition_form,
	  .doc = "a monitor definition", .example = "use: vmstat" },
	{ .name = "run", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_run, .form = &shell_form,
	  .doc = "POSIX shell that runs until it is ended, in place of `use`",
	  .example = "run: exec vmstat -n \"$interval\"" },
	{ .name = "role", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_role,
	  .table = &lookup_keys, .form = &part_role_form,
	  .doc = "the role whose hosts it watches",
	  .fallback = "the role that runs the benchmark",
	  .example = "role: server" },
	{ .name = "interval", .kind = VALUE_DURATION, AT(m.interval),
	  .doc = "time between its observations; scripts find the seconds in "
		 "$interval", .fallback = "the definition's, else 1s",
	  .example = "interval: 500ms" },
	{ .name = "with", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_with, .form = &with_form, .table = &lookup_keys,
	  .doc = "parameters of the definition, or variables of the script "
		 "under `run`", .fallback = "none",
	  .example = "with: {disk: sda}" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(m.needs),
	  .doc = "programs that must be on the host", .fallback = "none",
	  .example = "needs: vmstat" },
	{ .name = "responses", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_responses, .table = &response_keys,
	  .form = &responses_form,
	  .doc = "series that are read from what it prints: an observation "
		 "for each match",
	  .fallback = "the definition's, else none: its output is kept",
	  .example = "responses: {idle: {regex: '[0-9]+$', uom: '%'}}" },
};

/* ends with NULL */
static const char *const monitor_one_of[] = { "use", "run", NULL };

const struct key_table monitor_keys =
	KEY_TABLE("a monitor", keys, .exactly_one = monitor_one_of);

static const struct form monitor_form = {
	.kind = FORM_OBJECT, .table = &monitor_keys,
};
const struct form monitors_form = { .kind = FORM_LIST, .item = &monitor_form };

static void take_definition(struct reading *r, struct monitor_reading *mr)
{
	struct monitor *m = &mr->m;
	struct monitor_def *def = mr->def;
	struct declared d = { .params = def->params, .n = def->n_params };
	struct given given = { .items = NULL };
	char *of = mem_printf("monitor %s", def->name);

	d.of = of;
	if (mr->with)
		given_add_all(&given, mr->with);
	params_merge(r, &d, &given, mr->use_mark, &m->params, &m->n_params,
		     &m->n_given);
	given_release(&given);
	free(of);
	if (!m->script) {
		m->script = mem_strdup(def->script);
		m->script_mark = def->script_mark;
	}
	if (m->interval <= 0)
		m->interval = def->interval;
	if (!m->responses) {
		m->responses = def->responses;
		m->n_responses = def->n_responses;
		def->responses = NULL;
		def->n_responses = 0;
	}
	part_take_needs(&m->needs, &def->needs);
}

static void take_run(struct reading *r, struct monitor_reading *mr)
{
	struct monitor *m = &mr->m;

	if (mr->with)
		variables_read(r, mr->with, "variable", &m->params,
			       &m->n_params);
	m->n_given = m->n_params;
}

static void check_name(struct reading *r, const struct benchmark *b,
		       struct monitor *m)
{
	if (!m->name)
		m->name = mem_strdup(m->definition);
	if (!m->name && m->script)
		problems_add(r->problems, m->mark,
			     "a monitor with \"run\" needs the key \"name\" "
			     "(its name, for messages and its output)");
	if (!m->name) {
		m->name = mem_strdup("");
		return;
	}
	reading_name(r, m->mark, "monitor", m->name);
	for (size_t i = 0; i < b->n_monitors; i++) {
		if (strcmp(b->monitors[i].name, m->name))
			continue;
		problems_add(r->problems, m->mark,
			     "monitor \"%s\" is there already, on line %u; "
			     "give it another \"name\"", m->name,
			     b->monitors[i].mark.line);
		return;
	}
}

static void check_interval(struct reading *r, const struct monitor *m)
{
	const struct variable *v =
		variables_find(m->params, m->n_given, "interval");

	if (v)
		problems_add(r->problems, v->mark,
			     "the script of a monitor finds its interval in "
			     "$interval: give it with the key \"interval\", "
			     "beside \"with\"");
}

static void finish(struct reading *r, const struct benchmark *b,
		   struct monitor_reading *mr)
{
	struct monitor *m = &mr->m;

	if (!m->script == !m->definition)
		problems_add(r->problems, m->mark,
			     "a monitor needs exactly one of \"use\" and "
			     "\"run\"");
	check_name(r, b, m);
	if (mr->def)
		take_definition(r, mr);
	else if (!m->definition)
		take_run(r, mr);
	check_interval(r, m);
	if (m->interval <= 0)
		m->interval = DEFAULT_INTERVAL;
}

static void read_monitor(struct reading *r, const struct yaml_node *node,
			 struct benchmark *b)
{
	struct monitor_reading mr = { .m.mark = node->mark };

	if (!reading_mapping(r, node, "monitors"))
		return;
	keys_read(r, &monitor_keys, node->mark, node, &mr);
	finish(r, b, &mr);
	b->monitors[b->n_monitors++] = mr.m;
	monitor_def_free(mr.def);
}

void monitors_read(struct reading *r, const struct yaml_node *list,
		   struct benchmark *b)
{
	size_t n = list->n_items;

	if (n > READING_MAX_ENTRIES) {
		problems_add(r->problems, list->mark,
			     "%zu monitors; at most %d are possible", n,
			     READING_MAX_ENTRIES);
		n = 0;
	}
	b->monitors = mem_zalloc(n, sizeof(*b->monitors));
	for (size_t i = 0; i < n; i++)
		read_monitor(r, list->items[i], b);
}

void monitors_finish(struct benchmark *b)
{
	for (size_t i = 0; i < b->n_monitors; i++) {
		struct monitor *m = &b->monitors[i];

		if (!m->role && !m->role_by) {
			m->role = mem_strdup(b->role);
			m->role_by = lookup_copy(b->role_by);
		}
	}
}
