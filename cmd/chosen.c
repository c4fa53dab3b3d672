#include "cmd/chosen.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "cmd/opt.h"
#include "orchestrate/spec/experiment.h"

static int mark(bool *chosen, const struct strlist *names, const char *what,
		const char *name, struct error *err)
{
	const char *near;

	for (size_t i = 0; i < names->n; i++) {
		if (!strcmp(names->items[i], name)) {
			chosen[i] = true;
			return 0;
		}
	}
	near = strlist_nearest(name, (const char *const *)names->items,
			       names->n);
	return error_set(err, ERROR_USAGE, "there is no %s '%s'%s%s%s", what,
			 name, near ? "; did you mean '" : "",
			 near ? near : "", near ? "'?" : "");
}

static int choose(bool **chosen, const struct strlist *names,
		  const char *what, const struct experiment *e,
		  const struct operands *operands, struct error *err)
{
	*chosen = mem_zalloc(names->n + 1, sizeof(bool));
	if (!names->n)
		return error_set(err, ERROR_USAGE,
				 "%s has no %ss: add some under '%ss:'",
				 e->path, what, what);
	for (size_t i = 1; i < operands->n; i++)
		if (mark(*chosen, names, what, operands->items[i], err))
			return -1;
	for (size_t i = 0; i < names->n && operands->n < 2; i++)
		(*chosen)[i] = true;
	return 0;
}

int chosen_charts(bool **chosen, const struct experiment *e,
		  const struct operands *operands, struct error *err)
{
	struct strlist names = STRLIST_INIT;
	int rc;

	for (size_t i = 0; i < e->n_charts; i++)
		strlist_push(&names, e->charts[i].name);
	rc = choose(chosen, &names, "chart", e, operands, err);
	strlist_release(&names);
	return rc;
}

int chosen_tables(bool **chosen, const struct experiment *e,
		  const struct operands *operands, struct error *err)
{
	struct strlist names = STRLIST_INIT;
	int rc;

	for (size_t i = 0; i < e->n_tables; i++)
		strlist_push(&names, e->tables[i].name);
	rc = choose(chosen, &names, "table", e, operands, err);
	strlist_release(&names);
	return rc;
}
