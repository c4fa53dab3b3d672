#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/printed.h"
#include "orchestrate/spec/role.h"

static const struct form role_name_form = {
	.kind = FORM_TEXT, .what = "a role's name",
};
static const struct form role_lookup_form = {
	.kind = FORM_OBJECT, .table = &lookup_keys,
};
static const struct form *const role_forms[] = {
	&role_name_form, &role_lookup_form, NULL,
};
const struct form part_role_form = { .kind = FORM_ANY, .any = role_forms };

/* Roles that are faulty have been reported where they stand. */
static bool is_role(struct reading *r, struct mark at, const char *name)
{
	return !r->e->n_roles || find_role(r, at, name) >= 0;
}

static bool are_roles(struct reading *r, const struct lookup *l)
{
	bool ok = lookup_check(r, l, "role", NULL) == 0;

	for (size_t i = 0; i < l->n_cases; i++)
		ok &= is_role(r, l->cases[i].mark, l->cases[i].value);
	if (l->otherwise)
		ok &= is_role(r, l->otherwise_mark, l->otherwise);
	return ok;
}

void part_role_read(struct reading *r, const struct yaml_node *node,
		    char **role, struct lookup **by)
{
	if (text_or_lookup_read(r, node, "role", role, by) < 0)
		return;
	if (*role && !is_role(r, node->mark, *role)) {
		free(*role);
		*role = NULL;
	}
	if (*by && !are_roles(r, *by)) {
		lookup_free(*by);
		*by = NULL;
	}
}

static void check_script(struct reading *r, struct mark at, const char *what,
			 const char *script)
{
	if (script && !script[strspn(script, " \t\n")])
		problems_add(r->problems, at, "\"%s\" is empty", what);
}

void part_script_read(struct reading *r, const struct yaml_node *node,
		      const char *what, char **script, struct lookup **by)
{
	const struct lookup *l;

	if (text_or_lookup_read(r, node, what, script, by) < 0)
		return;
	check_script(r, node->mark, what, *script);
	l = *by;
	for (size_t i = 0; l && i < l->n_cases; i++)
		check_script(r, l->cases[i].mark, l->cases[i].name,
			     l->cases[i].value);
	if (l)
		check_script(r, l->otherwise_mark, "else", l->otherwise);
}

/* The hosts of all roles that a look-up may give, each once, in a role
 * without a name. */
static void add_hosts(struct role *out, const struct role *role)
{
	for (size_t i = 0; i < role->n_hosts; i++) {
		size_t k = 0;

		while (k < out->n_hosts && out->hosts[k] != role->hosts[i])
			k++;
		if (k == out->n_hosts)
			out->hosts[out->n_hosts++] = role->hosts[i];
	}
}

static void add_role(const struct experiment *e, struct role *out,
		     const char *name)
{
	int i = name ? role_find(e, name) : -1;

	if (i >= 0)
		add_hosts(out, &e->roles[i]);
}

void part_script_check(struct reading *r, const char *what,
		       const struct lookup *script_by, const char *role,
		       const struct lookup *role_by)
{
	const struct experiment *e = r->e;
	struct role hosts = { .name = NULL };
	int i = role ? role_find(e, role) : -1;

	if (!script_by)
		return;
	hosts.hosts = mem_zalloc(e->n_hosts, sizeof(*hosts.hosts));
	for (size_t k = 0; role_by && k < role_by->n_cases; k++)
		add_role(e, &hosts, role_by->cases[k].value);
	if (role_by)
		add_role(e, &hosts, role_by->otherwise);
	lookup_check(r, script_by, what, i >= 0 ? &e->roles[i] : &hosts);
	free(hosts.hosts);
}

void part_take_needs(struct strlist *needs, struct strlist *definition)
{
	struct strlist all = *definition;

	*definition = (struct strlist)STRLIST_INIT;
	for (size_t i = 0; i < needs->n; i++)
		if (!strlist_has(&all, needs->items[i]))
			strlist_push(&all, needs->items[i]);
	strlist_release(needs);
	*needs = all;
}

static const struct form path_form = {
	.kind = FORM_TEXT, .what = "a path in the run's directory",
};
static const struct form paths_form = {
	.kind = FORM_LIST, .item = &path_form,
};
static const struct form *const paths_forms[] = {
	&path_form, &paths_form, NULL,
};
const struct form artefacts_form = { .kind = FORM_ANY, .any = paths_forms };

static bool leaves_folder(const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && !strncmp(path, "..", 2))
			return true;
		path += n + strspn(path + n, "/");
	}
	return false;
}

static const char *path_fault(const char *path)
{
	if (!*path)
		return "is empty";
	if (printed_fault(path, true))
		return "is no path that can be shown on one line";
	if (*path == '/')
		return "must be relative to the run's directory, without a "
		       "\"/\" in front";
	if (leaves_folder(path))
		return "must be in the run's directory, without \"..\"";
	if (path[strlen(path) - 1] == '/')
		return "is a directory; name a file in it";
	return NULL;
}

void artefacts_read(struct reading *r, const struct yaml_node *node,
		    struct strlist *out)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	for (size_t i = 0; i < reading_items(node); i++) {
		const struct yaml_node *item = reading_item(node, i);
		const char *text = reading_text(r, item, "artefacts");
		const char *fault = text ? path_fault(text) : NULL;

		if (text && !fault && strlist_has(out, text))
			fault = "is there already";
		if (fault)
			problems_add(r->problems, item->mark,
				     "artefact \"%s\" %s",
				     problem_quote(quoted, text), fault);
		else if (text)
			strlist_push(out, text);
	}
}
