#include "cmd/words_levels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/spec/experiment.h"

/* Whether the level is among those in front of the last comma. */
static bool is_there(const char *list, size_t n, const char *level)
{
	size_t wanted = strlen(level);

	while (n) {
		size_t word = strcspn(list, ",");

		if (word == wanted && !memcmp(list, level, wanted))
			return true;
		list += word + 1;
		n -= word + 1;
	}
	return false;
}

/* `head` is "place=disk," of which `n` bytes are levels. */
static void add_level(struct strlist *out, const char *head, size_t n,
		      const char *level)
{
	size_t length = strlen(head);

	if (!is_there(head + length - n, n, level))
		strlist_push_nodup(out, mem_printf("%s%s", head, level));
}

static void add_levels(struct strlist *out, const struct experiment *e,
		       const char *factor, const char *head, size_t n)
{
	int f = factor_find(e->factors, e->n_factors, factor);

	if (!strcmp(factor, "benchmark"))
		for (size_t b = 0; b < e->n_benchmarks; b++)
			add_level(out, head, n, e->benchmarks[b].name);
	if (f < 0)
		return;
	for (size_t l = 0; l < e->factors[f].n_levels; l++)
		add_level(out, head, n, e->factors[f].levels[l].name);
}

void words_levels(struct strlist *out, const struct experiment *e,
		  const char *current)
{
	const char *equals = strchr(current, '=');
	const char *comma = strrchr(current, ',');
	char *factor, *head;
	size_t n;

	if (!equals) {
		for (size_t f = 0; f < e->n_factors; f++)
			strlist_push_nodup(
				out, mem_printf("%s=", e->factors[f].name));
		strlist_push(out, "benchmark=");
		return;
	}
	n = comma && comma > equals ? (size_t)(comma - equals) : 0;
	factor = mem_strndup(current, (size_t)(equals - current));
	head = mem_strndup(current, (size_t)(equals - current) + 1 + n);
	add_levels(out, e, factor, head, n);
	free(factor);
	free(head);
}
