#include "base/strlist.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LONGEST 64

void strlist_push_nodup(struct strlist *l, char *s)
{
	MEM_GROW(l->items, l->n, l->cap);
	l->items[l->n++] = s;
}

void strlist_push(struct strlist *l, const char *s)
{
	strlist_push_nodup(l, mem_strdup(s));
}

bool strlist_has(const struct strlist *l, const char *s)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i], s))
			return true;
	return false;
}

void strlist_release(struct strlist *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i]);
	free(l->items);
	*l = (struct strlist)STRLIST_INIT;
}

static int min3(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Optimal string alignment distance; words longer than LONGEST are far. */
static int distance(const char *a, const char *b)
{
	int row[3][LONGEST + 1];
	int *prev2 = row[0], *prev = row[1], *cur = row[2];
	int na = (int)strlen(a), nb = (int)strlen(b);

	if (na > LONGEST || nb > LONGEST)
		return LONGEST;
	for (int j = 0; j <= nb; j++)
		prev[j] = j;
	for (int i = 1; i <= na; i++) {
		int *spare = prev2;

		cur[0] = i;
		for (int j = 1; j <= nb; j++) {
			int cost = a[i - 1] != b[j - 1];

			cur[j] = min3(prev[j] + 1, cur[j - 1] + 1,
				      prev[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && prev2[j - 2] + 1 < cur[j])
				cur[j] = prev2[j - 2] + 1;
		}
		prev2 = prev;
		prev = cur;
		cur = spare;
	}
	return prev[nb];
}

const char *strlist_nearest(const char *word, const char *const *candidates,
			    size_t n)
{
	const char *best = NULL;
	int best_distance = 4;

	for (size_t i = 0; i < n; i++) {
		size_t longer, length = strlen(word);
		int d;

		if (!candidates[i])
			continue;
		longer = strlen(candidates[i]);
		longer = longer > length ? longer : length;
		d = distance(word, candidates[i]);
		if (d < best_distance && (size_t)d * 3 <= longer + 1) {
			best_distance = d;
			best = candidates[i];
		}
	}
	return best;
}
