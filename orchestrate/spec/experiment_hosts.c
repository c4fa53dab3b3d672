#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/names.h"
#include "orchestrate/spec/variables.h"

static void read_env(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct host *h = into;

	variables_read(r, value, "host variable", &h->env, &h->n_env);
}

#define AT(member) .offset = offsetof(struct host, member)

static const struct form env_form = {
	.kind = FORM_MAP, .what = "a variable", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};

static const struct key keys[] = {
	{ .name = "local", .kind = VALUE_BOOL, AT(local), .fallback = "false",
	  .doc = "true: this machine, without SSH", .example = "local: true" },
	{ .name = "ssh", .kind = VALUE_TEXT, AT(ssh),
	  .doc = "a name that ssh_config resolves", .example = "ssh: bench1" },
	{ .name = "address", .kind = VALUE_TEXT, AT(address),
	  .doc = "host name or IP address, without ssh_config",
	  .example = "address: 192.0.2.7" },
	{ .name = "port", .kind = VALUE_COUNT, AT(port), .min = 1,
	  .max = 65535, .doc = "TCP port",
	  .fallback = "what ssh_config says, else 22",
	  .example = "port: 2222" },
	{ .name = "user", .kind = VALUE_TEXT, AT(user),
	  .doc = "user to log in as",
	  .fallback = "what ssh_config says, else yours",
	  .example = "user: bench" },
	{ .name = "key", .kind = VALUE_TEXT, AT(key),
	  .doc = "private key file, relative to the experiment's directory",
	  .example = "key: keys/bench_ed25519" },
	{ .name = "known_hosts", .kind = VALUE_TEXT, AT(known_hosts),
	  .doc = "file with the host's public key, relative to the "
		 "experiment's directory",
	  .fallback = "what ssh_config says, else ~/.ssh/known_hosts",
	  .example = "known_hosts: keys/known_hosts" },
	{ .name = "config", .kind = VALUE_TEXT, AT(config),
	  .doc = "ssh_config file in place of the user's, relative to the "
		 "experiment's directory",
	  .fallback = "~/.ssh/config", .example = "config: lab_ssh_config" },
	{ .name = "shares", .kind = VALUE_TEXT, AT(shares),
	  .doc = "hosts that name the same resource never measure at the "
		 "same time", .example = "shares: switch" },
	{ .name = "env", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_env, .table = &lookup_keys, .form = &env_form,
	  .doc = "variables for the scripts on this host",
	  .example = "env: {nic: eth1, disk: /dev/nvme0n1}" },
};

/* ends with NULL */
static const char *const host_one_of[] = { "local", "ssh", "address", NULL };

const struct key_table host_keys =
	KEY_TABLE("a host", keys, .exactly_one = host_one_of);

static const struct choice local[] = { { "local", 0 }, { NULL, 0 } };
static const struct form local_form = {
	.kind = FORM_CHOICE, .choices = local,
};
static const struct form host_mapping_form = {
	.kind = FORM_OBJECT, .table = &host_keys,
};
static const struct form *const host_forms[] = {
	&local_form, &host_mapping_form, NULL,
};
static const struct form host_form = { .kind = FORM_ANY, .any = host_forms };
const struct form hosts_form = {
	.kind = FORM_MAP, .what = "a host", .item = &host_form, .min = 1,
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};

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
