#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/absence.h"
#include "orchestrate/spec/experiment_parse.h"

/*
 * All named things start with their name, so that one search serves them:
 * `size` apart, the first member is `char *name`.
 */
static const char *name_at(const void *items, size_t size, size_t i)
{
	const char *name;

	memcpy(&name, (const char *)items + i * size, sizeof(name));
	return name;
}

static int find(struct reading *r, struct mark at, const char *what,
		const char *of, const char *name, const void *items, size_t n,
		size_t size)
{
	struct strlist known = STRLIST_INIT;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(name_at(items, size, i), name))
			return (int)i;
	for (size_t i = 0; i < n; i++)
		strlist_push(&known, name_at(items, size, i));
	problems_add_undefined(r->problems, at, what, name, of, &known);
	strlist_release(&known);
	return -1;
}

int find_host(struct reading *r, struct mark at, const char *name)
{
	return find(r, at, "host", NULL, name, r->e->hosts, r->e->n_hosts,
		    sizeof(*r->e->hosts));
}

int find_role(struct reading *r, struct mark at, const char *name)
{
	return find(r, at, "role", NULL, name, r->e->roles, r->e->n_roles,
		    sizeof(*r->e->roles));
}

int find_factor(struct reading *r, struct mark at, const char *name)
{
	return find(r, at, "factor", NULL, name, r->e->factors,
		    r->e->n_factors, sizeof(*r->e->factors));
}

int find_level(struct reading *r, struct mark at, size_t factor,
	       const char *name)
{
	const struct factor *f = &r->e->factors[factor];
	char *of = mem_printf("factor %s", f->name);
	int i = find(r, at, "level", of, name, f->levels, f->n_levels,
		     sizeof(*f->levels));

	free(of);
	return i;
}

int find_benchmark(struct reading *r, struct mark at, const char *name)
{
	return find(r, at, "benchmark", NULL, name, r->e->benchmarks,
		    r->e->n_benchmarks, sizeof(*r->e->benchmarks));
}

int find_response(struct reading *r, struct mark at, size_t benchmark,
		  const char *name)
{
	const struct benchmark *b = &r->e->benchmarks[benchmark];
	char *of = mem_printf("benchmark %s", b->name);
	int i = find(r, at, "response", of, name, b->responses,
		     b->n_responses, sizeof(*b->responses));

	free(of);
	return i;
}

bool is_absence(const struct reading *r, size_t factor, const char *name)
{
	return !strcmp(name, ABSENT_NAME) &&
	       factor_level(&r->e->factors[factor], name) < 0;
}

static size_t read_level(struct reading *r, const struct yaml_pair *pair,
			 size_t factor, bool absent)
{
	const char *text = reading_text(r, pair->value, pair->key);
	int level = -1;

	if (absent && text && is_absence(r, factor, text))
		return DESIGN_ABSENT;
	/* a factor without levels has been reported where it stands */
	if (text && r->e->factors[factor].n_levels)
		level = find_level(r, pair->value->mark, factor, text);
	return level < 0 ? 0 : (size_t)level;
}

static void read_condition(struct reading *r, const struct yaml_pair *pair,
			   bool absent, struct condition *out, size_t *n)
{
	int factor = find_factor(r, pair->mark, pair->key);

	if (factor < 0) {
		reading_text(r, pair->value, pair->key);
		return;
	}
	out[(*n)++] = (struct condition){
		.factor = (size_t)factor,
		.level = read_level(r, pair, (size_t)factor, absent),
		.mark = pair->value->mark,
	};
}

void conditions_read(struct reading *r, const struct yaml_node *map,
		     bool absent, struct condition **out, size_t *n)
{
	size_t entries = reading_entries(r, map, "conditions");

	*out = mem_zalloc(entries, sizeof(**out));
	*n = 0;
	for (size_t i = 0; i < entries; i++)
		read_condition(r, &map->pairs[i], absent, *out, n);
}
