#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/responses.h"
#include "orchestrate/spec/variables.h"

#define DEFAULT_INTERVAL 1

struct monitor_reading {
	struct monitor m;
	const struct yaml_node *with;
};

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

static const struct form shell_form = { .kind = FORM_SCRIPT };
static const struct form with_form = { .kind = FORM_MAP, .item = &value_form };

#define AT(member) .offset = offsetof(struct monitor_reading, member)

static const struct key keys[] = {
	{ .name = "name", .kind = VALUE_TEXT, AT(m.name),
	  .doc = "its name, for messages and its output",
	  .example = "name: server-load" },
	{ .name = "use", .kind = VALUE_LATER,
	  .doc = "a monitor definition" },
	{ .name = "run", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_run, .form = &shell_form,
	  .doc = "POSIX shell that runs until it is ended",
	  .example = "run: exec vmstat -n \"$interval\"" },
	{ .name = "role", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_role,
	  .table = &lookup_keys, .form = &part_role_form,
	  .doc = "the role whose hosts it watches",
	  .fallback = "the role that runs the benchmark",
	  .example = "role: server" },
	{ .name = "interval", .kind = VALUE_DURATION, AT(m.interval),
	  .doc = "time between its observations; scripts find the seconds in "
		 "$interval", .fallback = "1s", .example = "interval: 500ms" },
	{ .name = "with", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_with, .form = &with_form, .table = &lookup_keys,
	  .doc = "variables of its script", .example = "with: {disk: sda}" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(m.needs),
	  .doc = "programs that must be on the host",
	  .example = "needs: vmstat" },
	{ .name = "responses", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_responses, .table = &response_keys,
	  .form = &responses_form,
	  .doc = "series that are read from what it prints: an observation "
		 "for each match",
	  .example = "responses: {idle: {regex: '[0-9]+$', uom: '%'}}" },
};

const struct key_table monitor_keys = KEY_TABLE("a monitor", keys);

static const struct form monitor_form = {
	.kind = FORM_OBJECT, .table = &monitor_keys,
};
const struct form monitors_form = { .kind = FORM_LIST, .item = &monitor_form };

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
	if (!m->name) {
		problems_add(r->problems, m->mark,
			     "a monitor with \"run\" needs the key \"name\" "
			     "(its name, for messages and its output)");
		return;
	}
	reading_name(r, m->mark, "monitor", m->name);
	for (size_t i = 0; i < b->n_monitors; i++)
		if (b->monitors[i].name && !strcmp(b->monitors[i].name,
						   m->name))
			problems_add(r->problems, m->mark,
				     "monitor \"%s\" is there already, on line "
				     "%u; give it another \"name\"", m->name,
				     b->monitors[i].mark.line);
}

static void read_monitor(struct reading *r, const struct yaml_node *node,
			 struct benchmark *b)
{
	struct monitor_reading mr = { .m.mark = node->mark };
	struct monitor *m = &mr.m;

	if (!reading_mapping(r, node, "monitors"))
		return;
	keys_read(r, &monitor_keys, node->mark, node, &mr);
	if (!m->script == !m->definition && !yaml_get(node, "use"))
		problems_add(r->problems, m->mark,
			     "a monitor needs exactly one of \"use\" and "
			     "\"run\"");
	take_run(r, &mr);
	if (m->interval <= 0)
		m->interval = DEFAULT_INTERVAL;
	if (m->script || m->definition)
		check_name(r, b, m);
	b->monitors[b->n_monitors++] = *m;
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
