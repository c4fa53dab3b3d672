#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/names.h"
#include "orchestrate/spec/variables.h"

static void read_env(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct host *h = into;

	variables_read(r, value, "host variable", &h->env, &h->n_env);
}

#define AT(member) .offset = offsetof(struct host, member)

static const struct key keys[] = {
	{ .name = "local", .kind = VALUE_BOOL, AT(local),
	  .doc = "true: this machine, without SSH" },
	{ .name = "ssh", .kind = VALUE_TEXT, AT(ssh),
	  .doc = "a name that ssh_config resolves" },
	{ .name = "address", .kind = VALUE_TEXT, AT(address),
	  .doc = "host name or IP address, without ssh_config" },
	{ .name = "port", .kind = VALUE_COUNT, AT(port), .min = 1,
	  .max = 65535, .doc = "TCP port" },
	{ .name = "user", .kind = VALUE_TEXT, AT(user),
	  .doc = "user to log in as" },
	{ .name = "key", .kind = VALUE_TEXT, AT(key),
	  .doc = "private key file" },
	{ .name = "known_hosts", .kind = VALUE_TEXT, AT(known_hosts),
	  .doc = "file with the host's public key" },
	{ .name = "config", .kind = VALUE_TEXT, AT(config),
	  .doc = "ssh_config file in place of the user's" },
	{ .name = "shares", .kind = VALUE_TEXT, AT(shares),
	  .doc = "hosts that name the same resource never measure at the "
		 "same time" },
	{ .name = "env", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_env, .doc = "variables for the scripts on this host" },
};

const struct key_table host_keys = KEY_TABLE("a host", keys);

/* A leading "-" would be taken for an option by ssh; nothing that names a
 * host or user holds white space. */
static void check_target(struct reading *r, const struct host *h,
			 const struct yaml_node *map, const char *key,
			 const char *text)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (!text || (text[0] != '-' && !strpbrk(text, " \t\r\n")))
		return;
	problems_add(r->problems, yaml_get(map, key)->value->mark,
		     "host \"%s\": \"%s\" cannot be \"%s\"", h->name, key,
		     problem_quote(quoted, text));
}

static void check_host(struct reading *r, const struct host *h,
		       const struct yaml_node *map)
{
	static const char *const remote[] = { "port", "user", "key",
					      "known_hosts", "config" };

	if (h->local + !!h->ssh + !!h->address != 1)
		problems_add(r->problems, h->mark,
			     "host \"%s\" needs exactly one of \"local: "
			     "true\", \"ssh\" and \"address\"", h->name);
	for (size_t i = 0; i < sizeof(remote) / sizeof(*remote); i++)
		if (h->local && yaml_get(map, remote[i]))
			problems_add(r->problems,
				     yaml_get(map, remote[i])->mark,
				     "host \"%s\" is local: \"%s\" has no use",
				     h->name, remote[i]);
	if (h->address && h->config)
		problems_add(r->problems, yaml_get(map, "config")->mark,
			     "host \"%s\" has an \"address\": \"config\" has "
			     "no use, it goes with \"ssh\"", h->name);
	check_target(r, h, map, "ssh", h->ssh);
	check_target(r, h, map, "address", h->address);
	check_target(r, h, map, "user", h->user);
}

static void read_host(struct reading *r, const struct yaml_pair *pair,
		      struct host *h)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	const struct yaml_node *value = pair->value;

	h->name = mem_strdup(pair->key);
	h->mark = pair->mark;
	reading_name(r, pair->mark, "host", pair->key);
	if (value->kind == YAML_MAPPING) {
		keys_read(r, &host_keys, pair->mark, value, h);
		check_host(r, h, value);
	} else if (value->kind == YAML_SCALAR &&
		   !strcmp(value->text, "local")) {
		h->local = true;
	} else {
		problems_add(r->problems, value->mark,
			     "host \"%s\": expected \"local\" or a mapping "
			     "such as {ssh: bench1}, got %s",
			     problem_quote(quoted, pair->key),
			     yaml_shape(value));
	}
}

void hosts_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "hosts");

	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "no host: an experiment runs on at least one, "
			     "for example \"here: local\"");
	e->hosts = mem_zalloc(entries, sizeof(*e->hosts));
	for (size_t i = 0; i < entries; i++)
		read_host(r, &value->pairs[i], &e->hosts[e->n_hosts++]);
}

static void add_host(struct reading *r, struct role *role,
		     const struct yaml_node *node)
{
	const char *name = reading_text(r, node, role->name);
	int host = name ? find_host(r, node->mark, name) : -1;

	if (host < 0)
		return;
	for (size_t i = 0; i < role->n_hosts; i++)
		if (role->hosts[i] == (size_t)host) {
			problems_add(r->problems, node->mark,
				     "host \"%s\" is in role \"%s\" twice",
				     name, role->name);
			return;
		}
	role->hosts[role->n_hosts++] = (size_t)host;
}

static void read_role(struct reading *r, const struct yaml_pair *pair,
		      struct role *role)
{
	const struct yaml_node *value = pair->value;
	size_t n = reading_items(value);

	role->name = mem_strdup(pair->key);
	role->mark = pair->mark;
	reading_variable(r, pair->mark, "role", pair->key);
	if (value->kind == YAML_SEQUENCE && !n)
		problems_add(r->problems, value->mark,
			     "role \"%s\" has no host", role->name);
	if (n > READING_MAX_ENTRIES)
		n = READING_MAX_ENTRIES;
	role->hosts = mem_zalloc(n, sizeof(*role->hosts));
	for (size_t i = 0; i < n && r->e->n_hosts; i++)
		add_host(r, role, reading_item(value, i));
}

void roles_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "roles");

	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "no role: write one such as {sut: HOST}, or leave "
			     "\"roles\" out");
	if (value->n_pairs > 1)
		problems_add(r->problems, value->pairs[1].mark,
			     "more than one role is not supported yet: put all "
			     "hosts into one");
	e->roles = mem_zalloc(entries, sizeof(*e->roles));
	for (size_t i = 0; i < entries; i++)
		read_role(r, &value->pairs[i], &e->roles[e->n_roles++]);
}

void roles_default(struct reading *r)
{
	struct experiment *e = r->e;

	if (e->n_hosts > 1)
		problems_add(r->problems, e->hosts[1].mark,
			     "more than one host, but no \"roles\": say which "
			     "of them share the runs, for example roles: "
			     "{sut: [%s, %s]}", e->hosts[0].name,
			     e->hosts[1].name);
	if (!e->n_hosts)
		return;
	e->roles = mem_zalloc(1, sizeof(*e->roles));
	e->n_roles = 1;
	e->roles[0].name = mem_strdup("sut");
	e->roles[0].mark = e->hosts[0].mark;
	e->roles[0].hosts = mem_zalloc(1, sizeof(size_t));
	e->roles[0].n_hosts = 1;
}
