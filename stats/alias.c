#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stats/fraction.h"
#include "stats/word.h"

#define MOST_EFFECTS 1000000

/* An effect, and what it is in terms of the basic factors: effects of the same
 * basic one are confounded. */
struct effect {
	struct word word;
	struct word basic;
};

static int by_chain(const void *a, const void *b)
{
	const struct effect *x = a, *y = b;

	if (x->basic.factors != y->basic.factors)
		return x->basic.factors < y->basic.factors ? -1 : 1;
	return word_compare(x->word, y->word);
}

static int by_first(const void *a, const void *b)
{
	const struct alias_chain *x = a, *y = b;

	return word_compare(x->effects[0], y->effects[0]);
}

/* Effects of 1 to `with` of k factors; stops above MOST_EFFECTS. */
static size_t count_effects(size_t k, size_t with)
{
	double all = 0, these = 1;

	for (size_t i = 1; i <= with && i <= k; i++) {
		these = these * (double)(k - i + 1) / (double)i;
		all += these;
		if (all > MOST_EFFECTS)
			return MOST_EFFECTS + 1;
	}
	return (size_t)(all + 0.5);
}

static struct word basic_of(const struct fraction *f, struct word effect)
{
	struct word basic = { .negative = effect.negative };

	for (size_t i = 0; i < f->k; i++)
		if (effect.factors >> i & 1)
			basic = word_product(basic, f->columns[i]);
	return basic;
}

/* The next larger number with as many bits set (Gosper, HAKMEM 175). */
static uint64_t next_with_as_many(uint64_t x)
{
	uint64_t low = x & -x, up = x + low;

	return up | (((x ^ up) / low) >> 2);
}

/* The n effects of the fewest factors. */
static struct effect *all_effects(const struct fraction *f, size_t n)
{
	struct effect *effects = mem_zalloc(n, sizeof(*effects));
	size_t at = 0, size = 0;
	uint64_t x = 0;

	while (at < n) {
		if (!size || x >> f->k) {
			size++;
			x = ((uint64_t)1 << size) - 1;
		}
		effects[at].word.factors = x;
		effects[at].basic = basic_of(f, effects[at].word);
		at++;
		x = next_with_as_many(x);
	}
	qsort(effects, n, sizeof(*effects), by_chain);
	return effects;
}

static void add_chain(struct alias_table *t, const struct effect *effects,
		      size_t n)
{
	struct alias_chain *c = &t->chains[t->n++];

	c->n = n;
	c->effects = mem_zalloc(n, sizeof(*c->effects));
	for (size_t i = 0; i < n; i++) {
		c->effects[i] = effects[i].word;
		c->effects[i].negative = effects[i].basic.negative !=
					 effects[0].basic.negative;
	}
}

void alias_table_make(struct alias_table *t, const struct fraction *f,
		      size_t order, size_t with)
{
	struct effect *effects;
	size_t n, next;

	with = with > order ? with : order;
	with = with < f->k ? with : f->k;
	while (with > 1 && count_effects(f->k, with) > MOST_EFFECTS)
		with--;
	n = count_effects(f->k, with);
	*t = (struct alias_table){ .with = with };
	effects = all_effects(f, n);
	t->chains = mem_zalloc(n, sizeof(*t->chains));
	for (size_t i = 0; i < n; i = next) {
		next = i + 1;
		while (next < n && effects[next].basic.factors ==
					   effects[i].basic.factors)
			next++;
		if (effects[i].basic.factors &&
		    word_length(effects[i].word) <= order)
			add_chain(t, &effects[i], next - i);
	}
	if (t->n)
		qsort(t->chains, t->n, sizeof(*t->chains), by_first);
	free(effects);
}

void alias_table_release(struct alias_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->chains[i].effects);
	free(t->chains);
	*t = (struct alias_table){ .chains = NULL };
}

void alias_chain_add(const struct fraction *f, const struct alias_chain *c,
		     struct buf *out)
{
	for (size_t i = 0; i < c->n; i++) {
		buf_adds(out, i ? " = " : "");
		fraction_add_word(f, c->effects[i], out);
	}
}
