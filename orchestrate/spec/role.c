#include "orchestrate/spec/role.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/value.h"

int role_find(const struct experiment *e, const char *name)
{
	for (size_t i = 0; i < e->n_roles; i++)
		if (!strcmp(e->roles[i].name, name))
			return (int)i;
	return -1;
}

const char *role_count_text(const struct experiment *e,
			    const struct role *role, const size_t *levels,
			    struct mark *mark)
{
	if (role->count.lookup)
		return lookup_at(e, role->count.lookup, levels, 0, mark);
	if (mark)
		*mark = role->count.mark;
	return role->count.value;
}

int role_count(size_t *out, const struct role *role, const char *text,
	       char **fault)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	uint64_t v;

	*fault = NULL;
	if (!value_count(text, &v) || !v)
		*fault = mem_printf("role \"%s\": \"count\" is the number of "
				    "hosts in one run, at least 1; got \"%s\"",
				    role->name, problem_quote(quoted, text));
	else if (v > role->n_hosts)
		*fault = mem_printf("role \"%s\" needs %" PRIu64 " hosts at "
				    "once, but has %zu", role->name, v,
				    role->n_hosts);
	else
		*out = (size_t)v;
	return *fault ? -1 : 0;
}

void role_release(struct role *role)
{
	free(role->name);
	free(role->hosts);
	variable_release(&role->count);
}
