#include "stats/factor.h"

#include <stdlib.h>
#include <string.h>

void level_release(struct level *l)
{
	free(l->name);
	localized_release(&l->label);
	memset(l, 0, sizeof(*l));
}

void factor_release(struct factor *f)
{
	free(f->name);
	localized_release(&f->label);
	for (size_t i = 0; i < f->n_levels; i++)
		level_release(&f->levels[i]);
	free(f->levels);
	memset(f, 0, sizeof(*f));
}

int factor_level(const struct factor *f, const char *name)
{
	for (size_t i = 0; i < f->n_levels; i++)
		if (!strcmp(f->levels[i].name, name))
			return (int)i;
	return -1;
}

int factor_find(const struct factor *factors, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(factors[i].name, name))
			return (int)i;
	return -1;
}

const char *factor_label(const struct factor *f, const char *language)
{
	const char *text = localized_get(&f->label, language);

	return text ? text : f->name;
}

const char *level_label(const struct level *l, const char *language)
{
	const char *text = localized_get(&l->label, language);

	return text ? text : l->name;
}
