#include "orchestrate/schedule/role_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

uint32_t role_index(const struct experiment *e, const char *name)
{
	for (size_t i = 0; i < e->n_roles; i++)
		if (!strcmp(e->roles[i].name, name))
			return (uint32_t)i;
	return ROLE_NONE;
}

static int find(uint32_t *out, const struct experiment *e,
		const struct benchmark *b, const char *name, struct error *err)
{
	*out = role_index(e, name);
	if (*out != ROLE_NONE && e->roles[*out].n_hosts)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "benchmark '%s': no host has the role '%s'; add it "
			 "under `roles`", b->name, name);
}

/* The level's role; the one for the factor's absence comes last. */
static int find_of_level(uint32_t *out, const struct experiment *e,
			 const struct benchmark *b, const struct factor *f,
			 size_t level, struct error *err)
{
	bool absent = level == f->n_levels;
	struct mark mark;
	const char *name = lookup_text(b->role_by,
				       absent ? NULL : f->levels[level].name,
				       &mark);

	*out = ROLE_NONE;
	if (name)
		return find(out, e, b, name, err);
	if (absent)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "benchmark '%s': no role is given for the level '%s' "
			 "of '%s'; add it, or `else`", b->name,
			 f->levels[level].name, f->name);
}

static int make(struct role_choice *c, const struct experiment *e,
		const struct benchmark *b, struct error *err)
{
	const struct factor *f;
	int by;

	c->n = 1;
	c->roles = mem_zalloc(1, sizeof(*c->roles));
	if (!b->role_by)
		return find(c->roles, e, b, b->role, err);
	by = factor_find(e->factors, e->n_factors, b->role_by->by);
	if (by < 0)
		return error_set(err, ERROR_USAGE,
				 "benchmark '%s': its role depends on '%s', "
				 "which is no factor", b->name,
				 b->role_by->by);
	f = &e->factors[by];
	c->by = (size_t)by;
	c->n = f->n_levels + 1;
	c->roles = mem_realloc(c->roles, c->n, sizeof(*c->roles));
	for (size_t l = 0; l < c->n; l++)
		if (find_of_level(&c->roles[l], e, b, f, l, err))
			return -1;
	return 0;
}

int role_choices_make(struct role_choice **out, const struct experiment *e,
		      struct error *err)
{
	*out = mem_zalloc(e->n_benchmarks, sizeof(**out));
	for (size_t b = 0; b < e->n_benchmarks; b++)
		if (make(&(*out)[b], e, &e->benchmarks[b], err))
			return -1;
	return 0;
}

void role_choices_free(struct role_choice *c, size_t n)
{
	for (size_t i = 0; c && i < n; i++)
		free(c[i].roles);
	free(c);
}

uint32_t role_choose(const struct role_choice *c, const struct design *d,
		     size_t treatment)
{
	size_t level;

	if (c->n == 1)
		return c->roles[0];
	level = design_level(d, treatment, c->by);
	return c->roles[level == DESIGN_ABSENT ? c->n - 1 : level];
}
