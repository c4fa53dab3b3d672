#include "base/localized.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void localized_add(struct localized *l, const char *language,
		   const char *text)
{
	MEM_GROW(l->items, l->n, l->cap);
	l->items[l->n].language = mem_strdup(language);
	l->items[l->n].text = mem_strdup(text);
	l->n++;
}

static const char *find(const struct localized *l, const char *language)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i].language, language))
			return l->items[i].text;
	return NULL;
}

const char *localized_get(const struct localized *l, const char *language)
{
	const char *text = language ? find(l, language) : NULL;

	if (!text)
		text = find(l, "");
	if (!text && l->n)
		text = l->items[0].text;
	return text;
}

void localized_release(struct localized *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].language);
		free(l->items[i].text);
	}
	free(l->items);
	*l = (struct localized)LOCALIZED_INIT;
}
