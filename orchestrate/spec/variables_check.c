#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/facts.h"
#include "orchestrate/spec/formula.h"
#include "orchestrate/spec/variables.h"
#include "orchestrate/spec/vocabulary.h"

/* What is known of a variable's values, in all places that give it one. */
struct definition {
	uint32_t *needs;   /* variables that each of its values needs */
	size_t n_needs;
	bool seen;         /* it has had a value */
	bool visited, open;
	struct mark mark;  /* of a value */
};

struct checking {
	struct reading *r;
	struct vocabulary words;
	struct definition *definitions; /* parallel to words.variables */
	struct map done;   /* "file:line:column": a definition that is used
	                    * twice has its mistakes once */
	size_t *path, depth;
	struct definition ignored;      /* of what is no variable */
};

static enum expr_meaning name_of(void *ctx, const char *name, struct mark at,
				 uint32_t *id)
{
	struct checking *c = ctx;
	int i = vocabulary_variable(&c->words, name);
	bool level = vocabulary_is_level(&c->words, name);

	if (!strcmp(name, "repeat")) {
		problems_add(c->r->problems, at,
			     "\"repeat\" changes within a run, and values are "
			     "computed once for a run: compute with $repeat in "
			     "the script");
		return EXPR_REFUSED;
	}
	if (i < 0)
		return level ? EXPR_WORD : EXPR_UNKNOWN;
	*id = (uint32_t)i;
	return level ? EXPR_AMBIGUOUS : EXPR_VARIABLE;
}

static const char *fact_of(void *ctx, const char *of, const char *fact,
			   struct mark at)
{
	struct checking *c = ctx;
	bool known = true;

	return facts_get(c->r, of, fact, at, &known);
}

static void names_of(void *ctx, struct strlist *out)
{
	struct checking *c = ctx;

	vocabulary_names(&c->words, out);
}

/* Keeps of the needs what this value needs, too. */
static void narrow(struct definition *d, const uint32_t *needs, size_t n)
{
	size_t kept = 0;

	if (!d->seen) {
		d->seen = true;
		d->needs = mem_zalloc(n, sizeof(*d->needs));
		for (size_t i = 0; i < n; i++)
			d->needs[d->n_needs++] = needs[i];
		return;
	}
	for (size_t i = 0; i < d->n_needs; i++)
		for (size_t k = 0; k < n; k++)
			if (d->needs[i] == needs[k]) {
				d->needs[kept++] = needs[k];
				break;
			}
	d->n_needs = kept;
}

static bool is_new(struct checking *c, struct mark mark, const char *text)
{
	char *place = mem_printf("%s:%u:%u:%s", mark.file ? mark.file : "",
				 mark.line, mark.column, text);
	bool seen = map_put(&c->done, place, c);

	free(place);
	return !seen;
}

static void check_self(struct checking *c, struct definition *d,
		       const struct expr_source *source,
		       const uint32_t *needs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (&c->definitions[needs[i]] == d) {
			problems_add(c->r->problems, source->mark,
				     "\"%s\" needs itself to be computed",
				     c->words.variables.items[needs[i]]);
			return;
		}
}

static void check_text(struct checking *c, struct definition *d,
		       const char *text, struct mark mark, int text_at)
{
	const struct expr_source source = { text, mark, text_at };
	const struct expr_symbols symbols = {
		.name = name_of, .fact = fact_of, .names = names_of, .ctx = c,
	};
	struct formula *f;
	const uint32_t *needs;
	size_t n;

	if (!text || formula_is_plain(text)) {
		if (text)
			narrow(d, NULL, 0);
		return;
	}
	d->mark = mark;
	if (!is_new(c, mark, text))
		return;
	f = formula_compile(&source, &symbols, c->r->problems);
	if (!f)
		return;
	needs = formula_variables(f, &n);
	check_self(c, d, &source, needs, n);
	narrow(d, needs, n);
	formula_free(f);
}

static void check_variable(void *ctx, const struct variable *v)
{
	struct checking *c = ctx;
	const struct lookup *l = v->lookup;
	int i = vocabulary_variable(&c->words, v->name);
	struct definition *d = i < 0 ? &c->ignored : &c->definitions[i];

	check_text(c, d, v->value, v->mark, v->text_at);
	if (!l)
		return;
	for (size_t k = 0; k < l->n_cases; k++)
		check_text(c, d, l->cases[k].value, l->cases[k].mark,
			   l->cases[k].text_at);
	check_text(c, d, l->otherwise, l->otherwise_mark, l->otherwise_at);
}

/* The path from where the cycle begins to its end, where `again` follows. */
static void report_cycle(struct checking *c, size_t again)
{
	struct buf chain = BUF_INIT;
	size_t i = 0;

	while (c->path[i] != again)
		i++;
	if (i + 1 == c->depth) /* reported as needing itself */
		return;
	for (size_t k = i; k < c->depth; k++)
		buf_addf(&chain, "%s -> ",
			 c->words.variables.items[c->path[k]]);
	buf_adds(&chain, c->words.variables.items[again]);
	problems_add(c->r->problems, c->definitions[again].mark,
		     "these variables need each other to be computed: %s",
		     chain.data);
	buf_release(&chain);
}

/* Depth first, with the path at hand; it has no more items than there are
 * variables. Stops going down where a shell would have stopped long ago. */
#define MAX_DEPTH 1000
static void visit(struct checking *c, size_t i)
{
	struct definition *d = &c->definitions[i];

	if (d->open)
		report_cycle(c, i);
	if (d->visited || c->depth == MAX_DEPTH)
		return;
	d->visited = d->open = true;
	c->path[c->depth++] = i;
	for (size_t k = 0; k < d->n_needs; k++)
		visit(c, d->needs[k]);
	c->depth--;
	d->open = false;
}

void variables_check(struct reading *r)
{
	struct checking c = { .r = r };
	size_t n;

	vocabulary_init(&c.words, r->e);
	n = c.words.variables.n;
	c.definitions = mem_zalloc(n, sizeof(*c.definitions));
	c.path = mem_zalloc(n, sizeof(*c.path));
	/* factors and assay's own are given */
	for (size_t i = 0; i < r->e->n_factors; i++)
		c.definitions[vocabulary_variable(
			&c.words, r->e->factors[i].name)].seen = true;
	variables_each(r->e, check_variable, &c);
	for (size_t i = 0; i < n; i++)
		visit(&c, i);
	for (size_t i = 0; i < n; i++)
		free(c.definitions[i].needs);
	free(c.ignored.needs);
	free(c.definitions);
	free(c.path);
	map_release(&c.done);
	vocabulary_release(&c.words);
}
