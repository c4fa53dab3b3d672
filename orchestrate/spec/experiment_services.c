#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/value.h"

#define DEFAULT_TIMEOUT 30

struct service_reading {
	struct service s;
	char *as;
	struct {
		char *tcp;
		char *file;
		char *command;
		char *output;
	} ready;
};

#define AT(member) .offset = offsetof(struct service_reading, member)

static const struct key ready_table[] = {
	{ .name = "tcp", .kind = VALUE_TEXT, AT(ready.tcp),
	  .doc = "when this port of its host accepts connections",
	  .example = "tcp: '${port}'" },
	{ .name = "file", .kind = VALUE_TEXT, AT(ready.file),
	  .doc = "when this path exists", .example = "file: server.pid" },
	{ .name = "command", .kind = VALUE_SCRIPT, AT(ready.command),
	  .doc = "when this script succeeds",
	  .example = "command: redis-cli ping" },
	{ .name = "output", .kind = VALUE_TEXT, AT(ready.output),
	  .doc = "when it has printed what this Perl-compatible regular "
		 "expression matches",
	  .example = "output: 'listening on port [0-9]+'" },
};

const struct key_table ready_keys = KEY_TABLE("ready", ready_table);

static void check_port(struct reading *r, const struct yaml_node *map,
		       const char *text)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	uint64_t port;

	if (value_is_computed(text) ||
	    (value_count(text, &port) && port >= 1 && port <= 65535))
		return;
	problems_add(r->problems, yaml_get(map, "tcp")->value->mark,
		     "\"tcp\": expected a port from 1 to 65535, or a variable "
		     "such as '${port}', got \"%s\"",
		     problem_quote(quoted, text));
}

static void take(struct service *s, enum ready_kind kind, char **text)
{
	if (*text && !s->ready_value) {
		s->ready = kind;
		s->ready_value = *text;
		*text = NULL;
	}
}

static void read_ready(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct service_reading *sr = into;
	size_t n;

	keys_read(r, &ready_keys, value->mark, value, sr);
	n = !!sr->ready.tcp + !!sr->ready.file + !!sr->ready.command +
	    !!sr->ready.output;
	if (n > 1 || !value->n_pairs)
		problems_add(r->problems, value->mark,
			     "\"ready\" needs exactly one of \"tcp\", "
			     "\"file\", \"command\" and \"output\"");
	if (sr->ready.tcp)
		check_port(r, value, sr->ready.tcp);
	take(&sr->s, READY_TCP, &sr->ready.tcp);
	take(&sr->s, READY_FILE, &sr->ready.file);
	take(&sr->s, READY_COMMAND, &sr->ready.command);
	take(&sr->s, READY_OUTPUT, &sr->ready.output);
}

static void read_role(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct service_reading *sr = into;

	part_role_read(r, value, &sr->s.role, &sr->s.role_by);
}

static void read_run(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct service_reading *sr = into;

	sr->s.script_mark = value->mark;
	part_script_read(r, value, "run", &sr->s.script, &sr->s.script_by);
}

static const struct form ready_form = {
	.kind = FORM_OBJECT, .table = &ready_keys,
};

static const struct key keys[] = {
	{ .name = "name", .kind = VALUE_TEXT, AT(s.name),
	  .doc = "its name, for messages and its output; needed",
	  .example = "name: echo" },
	{ .name = "as", .kind = VALUE_TEXT, AT(as),
	  .doc = "another word for \"name\"", .example = "as: echo" },
	{ .name = "role", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_role,
	  .table = &lookup_keys, .form = &part_role_form,
	  .doc = "the role on whose hosts it runs",
	  .fallback = "the role that runs the benchmark",
	  .example = "role: server" },
	{ .name = "run", .kind = VALUE_CUSTOM, .required = true,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_run,
	  .table = &lookup_keys, .form = &script_form,
	  .doc = "POSIX shell that runs until it is ended; it may differ by "
		 "host or level",
	  .example = "run: exec python3 echo.py --port \"$port\"" },
	{ .name = "ready", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_ready, .table = &ready_keys,
	  .form = &ready_form,
	  .doc = "when the benchmark may start",
	  .fallback = "as soon as it has been started",
	  .example = "ready: {tcp: 5002}" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(s.timeout),
	  .doc = "how long it may take to be ready", .fallback = "30s",
	  .example = "timeout: 2m" },
	{ .name = "stop", .kind = VALUE_SCRIPT, AT(s.stop),
	  .doc = "a script that ends it", .fallback = "a signal (SIGTERM)",
	  .example = "stop: redis-cli shutdown nosave" },
};

const struct key_table service_keys = KEY_TABLE("a service", keys);

static const struct form service_form = {
	.kind = FORM_OBJECT, .table = &service_keys,
};
const struct form services_form = { .kind = FORM_LIST, .item = &service_form };

/* One name, under either key, and no other service has it. */
static void check_name(struct reading *r, const struct benchmark *b,
		       struct service_reading *sr)
{
	if (sr->s.name && sr->as)
		problems_add(r->problems, sr->s.mark,
			     "a service has \"name\" and \"as\", which mean "
			     "the same; keep one");
	if (!sr->s.name) {
		sr->s.name = sr->as;
		sr->as = NULL;
	}
	if (!sr->s.name) {
		problems_add(r->problems, sr->s.mark,
			     "a service needs the key \"name\" (its name, for "
			     "messages and its output)");
		sr->s.name = mem_strdup("");
		return;
	}
	reading_name(r, sr->s.mark, "service", sr->s.name);
	for (size_t i = 0; i < b->n_services; i++) {
		if (strcmp(b->services[i].name, sr->s.name))
			continue;
		problems_add(r->problems, sr->s.mark,
			     "service \"%s\" is there already, on line %u; "
			     "give it another name", sr->s.name,
			     b->services[i].mark.line);
		return;
	}
}

static void read_service(struct reading *r, const struct yaml_node *node,
			 struct benchmark *b)
{
	struct service_reading sr = { .s.mark = node->mark,
				      .s.timeout = DEFAULT_TIMEOUT };

	if (!reading_mapping(r, node, "services"))
		return;
	keys_read(r, &service_keys, node->mark, node, &sr);
	check_name(r, b, &sr);
	b->services[b->n_services++] = sr.s;
	free(sr.as);
	free(sr.ready.tcp);
	free(sr.ready.file);
	free(sr.ready.command);
	free(sr.ready.output);
}

void services_read(struct reading *r, const struct yaml_node *list,
		   struct benchmark *b)
{
	size_t n = list->n_items;

	if (n > READING_MAX_ENTRIES) {
		problems_add(r->problems, list->mark,
			     "%zu services; at most %d are possible", n,
			     READING_MAX_ENTRIES);
		n = 0;
	}
	b->services = mem_zalloc(n, sizeof(*b->services));
	for (size_t i = 0; i < n; i++)
		read_service(r, list->items[i], b);
}

void services_finish(struct benchmark *b)
{
	for (size_t i = 0; i < b->n_services; i++) {
		struct service *s = &b->services[i];

		if (!s->role && !s->role_by) {
			s->role = mem_strdup(b->role);
			s->role_by = lookup_copy(b->role_by);
		}
	}
}
