#include "orchestrate/spec/variable.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void lookup_free(struct lookup *l)
{
	if (!l)
		return;
	free(l->by);
	variables_release(l->cases, l->n_cases);
	free(l->otherwise);
	free(l);
}

const char *lookup_find(const struct lookup *l, const char *level,
			struct mark *mark, int *text_at)
{
	const struct variable *v =
		level ? variables_find(l->cases, l->n_cases, level) : NULL;

	*mark = v ? v->mark : l->otherwise_mark;
	*text_at = v ? v->text_at : l->otherwise_at;
	return v ? v->value : l->otherwise;
}

const char *lookup_text(const struct lookup *l, const char *level,
			struct mark *mark)
{
	int text_at;

	return lookup_find(l, level, mark, &text_at);
}

void variable_release(struct variable *v)
{
	free(v->name);
	free(v->value);
	lookup_free(v->lookup);
}

struct lookup *lookup_copy(const struct lookup *l)
{
	struct lookup *out;

	if (!l)
		return NULL;
	out = mem_zalloc(1, sizeof(*out));
	*out = *l;
	out->by = mem_strdup(l->by);
	out->otherwise = mem_strdup(l->otherwise);
	out->cases = mem_zalloc(l->n_cases, sizeof(*out->cases));
	for (size_t i = 0; i < l->n_cases; i++)
		variable_copy(&out->cases[i], &l->cases[i]);
	return out;
}

void variable_copy(struct variable *out, const struct variable *v)
{
	*out = (struct variable){
		.name = mem_strdup(v->name),
		.value = mem_strdup(v->value),
		.mark = v->mark,
		.text_at = v->text_at,
		.lookup = lookup_copy(v->lookup),
	};
}

void variables_release(struct variable *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		variable_release(&items[i]);
	free(items);
}

const struct variable *variables_find(const struct variable *items, size_t n,
				      const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(items[i].name, name))
			return &items[i];
	return NULL;
}
