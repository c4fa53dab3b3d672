#include "orchestrate/spec/filter_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/facts.h"
#include "orchestrate/spec/formula.h"

int filter_not_varied(struct reading *r, struct mark at, const char *factor)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	return problems_add(r->problems, at,
			    "factor \"%s\" is not one of this matrix; add it "
			    "to its \"factors\"",
			    problem_quote(quoted, factor));
}

/* The same number for the same text, from 1 on. */
static uint32_t number_of(void *ctx, const char *text)
{
	struct filter_symbols *s = ctx;
	void *seen = map_get(&s->texts, text);

	if (!seen) {
		seen = (void *)(uintptr_t)++s->n_texts;
		map_put(&s->texts, text, seen);
	}
	return (uint32_t)(uintptr_t)seen;
}

static struct expr_value value_of(struct filter_symbols *s, const char *text)
{
	struct expr_value v = expr_value_of(text);

	v.id = number_of(s, text);
	return v;
}

static struct filter_column *new_column(struct filter_symbols *s,
					const char *name, uint32_t *id)
{
	struct filter_column *c;

	MEM_GROW(s->columns, s->n_columns, s->cap_columns);
	*id = (uint32_t)s->n_columns;
	c = &s->columns[s->n_columns++];
	*c = (struct filter_column){ .name = mem_strdup(name) };
	return c;
}

static struct filter_table *new_table(struct filter_column *c, size_t factor,
				      size_t n_levels)
{
	struct filter_table *t;

	c->tables = mem_realloc(c->tables, c->n + 1, sizeof(*c->tables));
	t = &c->tables[c->n++];
	t->factor = factor;
	t->values = mem_zalloc(n_levels, sizeof(*t->values));
	return t;
}

static void add_factor(struct filter_symbols *s, size_t factor, uint32_t *id)
{
	const struct factor *f = &s->r->e->factors[factor];
	struct filter_table *t = new_table(new_column(s, f->name, id), factor,
					   f->n_levels);

	for (size_t i = 0; i < f->n_levels; i++)
		t->values[i] = value_of(s, f->levels[i].name);
}

static const struct variable *set_by(const struct experiment *e,
				     size_t factor, size_t level,
				     const char *name)
{
	const struct level_use *u = e->uses[factor].levels;

	return u ? variables_find(u[level].vars, u[level].n_vars, name) : NULL;
}

static bool sets(const struct experiment *e, size_t factor, const char *name)
{
	for (size_t i = 0; i < e->factors[factor].n_levels; i++)
		if (set_by(e, factor, i, name))
			return true;
	return false;
}

static int not_plain(struct filter_symbols *s, struct mark at, size_t factor,
		     size_t level, const char *name)
{
	const struct factor *f = &s->r->e->factors[factor];
	char quoted[PROBLEM_QUOTE_SIZE];

	return problems_add(s->r->problems, at,
			    "level \"%s\" of factor \"%s\" computes \"%s\": a "
			    "filter sees plain texts only",
			    problem_quote(quoted, f->levels[level].name),
			    f->name, name);
}

/* What the factor's levels set the variable to. */
static int add_settings(struct filter_symbols *s, struct filter_column *c,
			size_t factor, struct mark at)
{
	const struct experiment *e = s->r->e;
	size_t n = e->factors[factor].n_levels;
	struct filter_table *t = new_table(c, factor, n);

	for (size_t i = 0; i < n; i++) {
		const struct variable *v = set_by(e, factor, i, c->name);

		if (!v)
			continue;
		if (!v->value || !formula_is_plain(v->value))
			return not_plain(s, at, factor, i, c->name);
		t->values[i] = value_of(s, v->value);
	}
	return 0;
}

static bool may_name(const struct filter_symbols *s, size_t factor)
{
	return !s->factors || s->factors[factor];
}

/* A variable that levels set; of factors outside the matrix none is. */
static enum expr_meaning name_setting(struct filter_symbols *s,
				      const char *name, struct mark at,
				      uint32_t *id)
{
	const struct experiment *e = s->r->e;
	struct filter_column *c = NULL;
	int outside = -1;

	for (size_t i = 0; i < e->n_factors; i++) {
		if (!sets(e, i, name))
			continue;
		if (!may_name(s, i)) {
			outside = (int)i;
			continue;
		}
		c = c ? c : new_column(s, name, id);
		if (add_settings(s, c, i, at) < 0)
			return EXPR_REFUSED;
	}
	if (c)
		return EXPR_VARIABLE;
	if (outside < 0)
		return EXPR_UNKNOWN;
	filter_not_varied(s->r, at, e->factors[outside].name);
	return EXPR_REFUSED;
}

static bool is_level(const struct experiment *e, const char *name)
{
	for (size_t i = 0; i < e->n_factors; i++)
		if (factor_level(&e->factors[i], name) >= 0)
			return true;
	return false;
}

static enum expr_meaning name_variable(struct filter_symbols *s,
				       const char *name, struct mark at,
				       uint32_t *id)
{
	int factor = factor_find(s->r->e->factors, s->r->e->n_factors, name);

	for (size_t i = 0; i < s->n_columns; i++)
		if (!strcmp(s->columns[i].name, name)) {
			*id = (uint32_t)i;
			return EXPR_VARIABLE;
		}
	if (factor < 0)
		return name_setting(s, name, at, id);
	if (!may_name(s, (size_t)factor)) {
		filter_not_varied(s->r, at, name);
		return EXPR_REFUSED;
	}
	add_factor(s, (size_t)factor, id);
	return EXPR_VARIABLE;
}

static enum expr_meaning name_meaning(void *ctx, const char *name,
				      struct mark at, uint32_t *id)
{
	struct filter_symbols *s = ctx;
	enum expr_meaning meaning = name_variable(s, name, at, id);
	bool level = is_level(s->r->e, name);

	if (level && meaning == EXPR_VARIABLE)
		return EXPR_AMBIGUOUS;
	return level && meaning == EXPR_UNKNOWN ? EXPR_WORD : meaning;
}

static const char *fact_value(void *ctx, const char *of, const char *fact,
			      struct mark at)
{
	struct filter_symbols *s = ctx;
	bool known = true;

	return facts_get(s->r, of, fact, at, &known);
}

static void add_names(void *ctx, struct strlist *out)
{
	struct filter_symbols *s = ctx;
	const struct experiment *e = s->r->e;

	for (size_t i = 0; i < e->n_factors; i++) {
		const struct factor *f = &e->factors[i];
		const struct level_use *u = e->uses[i].levels;

		strlist_push(out, f->name);
		for (size_t k = 0; k < f->n_levels; k++) {
			strlist_push(out, f->levels[k].name);
			for (size_t v = 0; u && v < u[k].n_vars; v++)
				strlist_push(out, u[k].vars[v].name);
		}
	}
}

void filter_symbols_init(struct filter_symbols *s, struct reading *r,
			 const bool *factors, struct expr_symbols *out)
{
	*s = (struct filter_symbols){ .r = r, .factors = factors };
	*out = (struct expr_symbols){
		.name = name_meaning,
		.fact = fact_value,
		.names = add_names,
		.text = number_of,
		.ctx = s,
	};
}

void filter_symbols_done(struct filter_symbols *s)
{
	map_release(&s->texts);
	s->texts = (struct map)MAP_INIT;
	s->r = NULL;
	s->factors = NULL;
}

void filter_symbols_release(struct filter_symbols *s)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		for (size_t k = 0; k < s->columns[i].n; k++)
			free(s->columns[i].tables[k].values);
		free(s->columns[i].tables);
		free(s->columns[i].name);
	}
	free(s->columns);
	map_release(&s->texts);
}

/* Asked for each variable that is compared with a text. */
static int check_text(void *ctx, uint32_t id, const char *text,
		      struct mark at)
{
	struct filter_symbols *s = ctx;
	const char *name = s->columns[id].name;
	int factor = factor_find(s->r->e->factors, s->r->e->n_factors, name);

	if (factor < 0 || !s->r->e->factors[factor].n_levels)
		return 0;
	return find_level(s->r, at, (size_t)factor, text) < 0 ? -1 : 0;
}

int filter_symbols_check(struct filter_symbols *s, const struct expr *x)
{
	return expr_each_comparison(x, check_text, s);
}
