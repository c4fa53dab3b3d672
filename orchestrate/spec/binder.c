#include "orchestrate/spec/binder.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/facts.h"

/* Of an open-addressing table; text NULL: free. */
struct kept {
	const char *text;
	struct formula *formula;
};

struct binder {
	const struct experiment *e;
	struct vocabulary words;
	bool has_words;
	struct map set;      /* names that levels set */
	bool has_set;
	struct kept *kept;
	size_t n, cap;       /* cap: a power of 2, or 0 */
};

struct binder *binder_new(const struct experiment *e)
{
	struct binder *b = mem_zalloc(1, sizeof(*b));

	b->e = e;
	return b;
}

void binder_free(struct binder *b)
{
	if (!b)
		return;
	if (b->has_words)
		vocabulary_release(&b->words);
	map_release(&b->set);
	for (size_t i = 0; i < b->cap; i++)
		formula_free(b->kept[i].formula);
	free(b->kept);
	free(b);
}

const struct vocabulary *binder_words(struct binder *b)
{
	if (!b->has_words)
		vocabulary_init(&b->words, b->e);
	b->has_words = true;
	return &b->words;
}

static void collect_set(struct binder *b)
{
	for (size_t f = 0; f < b->e->n_factors; f++) {
		const struct level_use *u = b->e->uses[f].levels;

		for (size_t l = 0; u && l < b->e->factors[f].n_levels; l++)
			for (size_t i = 0; i < u[l].n_vars; i++)
				map_put(&b->set, u[l].vars[i].name, b);
	}
}

bool binder_is_set(struct binder *b, const char *name)
{
	if (!b->has_set)
		collect_set(b);
	b->has_set = true;
	return map_get(&b->set, name);
}

/* Where the text is, or would be. */
static struct kept *place(struct kept *kept, size_t cap, const char *text)
{
	/* Fibonacci hashing: Knuth, TAOCP 3, 6.4 */
	uint64_t hash = (uint64_t)(uintptr_t)text * 0x9e3779b97f4a7c15u;
	size_t i = (hash >> 32) & (cap - 1);

	while (kept[i].text && kept[i].text != text)
		i = (i + 1) & (cap - 1);
	return &kept[i];
}

static void grow(struct binder *b)
{
	size_t cap = b->cap ? 2 * b->cap : 16;
	struct kept *kept = mem_zalloc(cap, sizeof(*kept));

	for (size_t i = 0; i < b->cap; i++)
		if (b->kept[i].text)
			*place(kept, cap, b->kept[i].text) = b->kept[i];
	free(b->kept);
	b->kept = kept;
	b->cap = cap;
}

static void keep(struct binder *b, const char *text, struct formula *f)
{
	if (2 * (b->n + 1) > b->cap)
		grow(b);
	*place(b->kept, b->cap, text) = (struct kept){ text, f };
	b->n++;
}

/* What formulas report, as an error: the first. */
struct compiling {
	struct binder *binder;
	struct problems problems;
};

static enum expr_meaning name_of(void *ctx, const char *name, struct mark at,
				 uint32_t *id)
{
	const struct compiling *c = ctx;
	const struct vocabulary *words = binder_words(c->binder);
	bool level = vocabulary_is_level(words, name);
	int variable = vocabulary_variable(words, name);

	(void)at;
	if (variable < 0)
		return level ? EXPR_WORD : EXPR_UNKNOWN;
	*id = (uint32_t)variable;
	return level ? EXPR_AMBIGUOUS : EXPR_VARIABLE;
}

static void names_of(void *ctx, struct strlist *out)
{
	const struct compiling *c = ctx;

	vocabulary_names(binder_words(c->binder), out);
}

static const char *fact_of(void *ctx, const char *of, const char *fact,
			   struct mark at)
{
	struct compiling *c = ctx;
	const struct host *unknown;
	const char *value = facts_known(c->binder->e, of, fact, &unknown);

	if (!value && unknown)
		problems_add(&c->problems, at,
			     "\"%s\" of host \"%s\" is not known yet: nobody "
			     "has asked the host", fact, unknown->name);
	else if (!value)
		problems_add(&c->problems, at, "\"%s.%s\" is not known", of,
			     fact);
	return value;
}

static void take_problem(const struct problems *p, struct error *err)
{
	const struct problem *x = &p->items[0];

	error_set(err, ERROR_USAGE, "%s:%u:%u: %s", x->file, x->line,
		  x->column, x->text);
}

struct formula *binder_compile(struct binder *b,
			       const struct expr_source *source,
			       struct error *err)
{
	struct compiling c = { .binder = b };
	const struct expr_symbols symbols = {
		.name = name_of, .names = names_of, .fact = fact_of,
		.ctx = &c,
	};
	struct formula *f = formula_compile(source, &symbols, &c.problems);

	if (!f)
		take_problem(&c.problems, err);
	problems_release(&c.problems);
	return f;
}

const struct formula *binder_formula(struct binder *b,
				     const struct expr_source *source,
				     struct error *err)
{
	struct formula *f = NULL;

	if (b->cap)
		f = place(b->kept, b->cap, source->text)->formula;
	if (f)
		return f;
	f = binder_compile(b, source, err);
	if (f)
		keep(b, source->text, f);
	return f;
}
