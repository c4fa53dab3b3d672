#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/role.h"
#include "orchestrate/spec/value.h"

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

static void read_hosts(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct role *role = into;
	size_t n = reading_items(value);

	if (value->kind == YAML_SEQUENCE && !n)
		problems_add(r->problems, value->mark,
			     "role \"%s\" has no host", role->name);
	if (n > READING_MAX_ENTRIES)
		n = READING_MAX_ENTRIES;
	role->hosts = mem_zalloc(n, sizeof(*role->hosts));
	for (size_t i = 0; i < n && r->e->n_hosts; i++)
		add_host(r, role, reading_item(value, i));
}

static void read_count(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct role *role = into;

	role->count.mark = value->mark;
	role->count.text_at = value->text_at;
	text_or_lookup_read(r, value, "count", &role->count.value,
			    &role->count.lookup);
}

static const struct form host_form = {
	.kind = FORM_TEXT, .what = "a host's name",
};
static const struct form host_list_form = {
	.kind = FORM_LIST, .item = &host_form, .min = 1,
};
static const struct form *const pool_forms[] = {
	&host_form, &host_list_form, NULL,
};
static const struct form pool_form = { .kind = FORM_ANY, .any = pool_forms };

static const struct key keys[] = {
	{ .name = "hosts", .kind = VALUE_CUSTOM, .required = true,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .read = read_hosts,
	  .form = &pool_form,
	  .doc = "a host, or a pool of hosts that share the runs",
	  .example = "hosts: [node1, node2, node3]" },
	{ .name = "count", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_count,
	  .table = &lookup_keys, .form = &value_form,
	  .doc = "how many hosts of the pool take part in one run, at the "
		 "same time; it may be computed or depend on a factor",
	  .fallback = "1", .example = "count: = clients" },
};

const struct key_table role_keys = KEY_TABLE("a role", keys);

static const struct form role_mapping_form = {
	.kind = FORM_OBJECT, .table = &role_keys,
};
static const struct form *const role_forms[] = {
	&host_form, &host_list_form, &role_mapping_form, NULL,
};
static const struct form role_form = { .kind = FORM_ANY, .any = role_forms };
const struct form roles_form = {
	.kind = FORM_MAP, .what = "a role", .item = &role_form, .min = 1,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};

static void count_one(struct role *role)
{
	role->count.name = mem_strdup("count");
	if (!role->count.value && !role->count.lookup)
		role->count.value = mem_strdup("1");
}

static void read_role(struct reading *r, const struct yaml_pair *pair,
		      struct role *role)
{
	role->name = mem_strdup(pair->key);
	role->mark = pair->mark;
	reading_variable(r, pair->mark, "role", pair->key);
	if (pair->value->kind == YAML_MAPPING)
		keys_read(r, &role_keys, pair->mark, pair->value, role);
	else
		read_hosts(r, role, pair->value);
	count_one(role);
}

void roles_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "roles");

	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "no role: write one such as {sut: HOST}, or leave "
			     "\"roles\" out");
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
	count_one(&e->roles[0]);
}

/* One that must be computed first is checked when it is. */
static void check_count(struct reading *r, const struct role *role,
			const char *text, struct mark mark)
{
	char *fault = NULL;
	size_t n;

	/* a role without hosts has been reported */
	if (!text || value_is_computed(text) || !role->n_hosts)
		return;
	if (role_count(&n, role, text, &fault) < 0)
		problems_add(r->problems, mark, "%s", fault);
	free(fault);
}

static void check_role(struct reading *r, const struct role *role)
{
	const struct lookup *l = role->count.lookup;

	check_count(r, role, role->count.value, role->count.mark);
	if (!l)
		return;
	lookup_check(r, l, "count", NULL);
	for (size_t i = 0; i < l->n_cases; i++)
		check_count(r, role, l->cases[i].value, l->cases[i].mark);
	check_count(r, role, l->otherwise, l->otherwise_mark);
}

void roles_check(struct reading *r)
{
	for (size_t i = 0; i < r->e->n_roles; i++)
		check_role(r, &r->e->roles[i]);
}

static bool has_host(const struct role *role, size_t host)
{
	for (size_t i = 0; i < role->n_hosts; i++)
		if (role->hosts[i] == host)
			return true;
	return false;
}

static void warn_both(struct reading *r, const struct role *a,
		      const struct role *b)
{
	for (size_t i = 0; i < b->n_hosts; i++)
		if (has_host(a, b->hosts[i]))
			reading_warn(r, b->mark,
				     "host \"%s\" is in the roles \"%s\" and "
				     "\"%s\": both parts of a run share what "
				     "it has",
				     r->e->hosts[b->hosts[i]].name, a->name,
				     b->name);
}

void roles_warn(struct reading *r)
{
	const struct experiment *e = r->e;

	for (size_t i = 1; i < e->n_roles; i++)
		for (size_t k = 0; k < i; k++)
			warn_both(r, &e->roles[k], &e->roles[i]);
}
