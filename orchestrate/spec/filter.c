#include "orchestrate/spec/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/expr.h"
#include "orchestrate/spec/filter_symbols.h"

/* A factor's levels that match. */
struct allowed {
	size_t factor;
	bool *levels;      /* one for each of them, then the absence */
	size_t n_levels;
	struct mark absence; /* where that is written; line 0: nowhere */
};

struct filter {
	struct mark mark;
	struct allowed *conditions; /* all of these */
	size_t n_conditions;
	struct expr *expr;          /* or this; NULL: the conditions */
	struct filter_symbols symbols;
};

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_conditions; i++)
		free(f->conditions[i].levels);
	free(f->conditions);
	expr_free(f->expr);
	filter_symbols_release(&f->symbols);
	free(f);
}

/* Returns -1 after reporting what is wrong with it. */
static int read_level(struct reading *r, const struct yaml_node *node,
		      const char *name, struct allowed *a)
{
	const char *text = reading_text(r, node, name);
	int level;

	if (text && is_absence(r, a->factor, text)) {
		a->levels[a->n_levels] = true;
		a->absence = node->mark;
		return 0;
	}
	if (text && !a->n_levels)
		return 0; /* reported where the factor stands */
	level = text ? find_level(r, node->mark, a->factor, text) : -1;
	if (level < 0)
		return -1;
	a->levels[level] = true;
	return 0;
}

/* All wrong levels are reported. */
static int read_levels(struct reading *r, const struct yaml_node *node,
		       const char *name, struct allowed *a)
{
	int rc = 0;

	if (node->kind == YAML_SEQUENCE && !node->n_items)
		return problems_add(r->problems, node->mark,
				    "no level of \"%s\" is listed: nothing "
				    "would match", name);
	for (size_t i = 0; i < reading_items(node); i++)
		if (read_level(r, reading_item(node, i), name, a) < 0)
			rc = -1;
	return rc;
}

static int read_condition(struct reading *r, const struct yaml_pair *pair,
			  const bool *factors, struct filter *f)
{
	int factor = find_factor(r, pair->mark, pair->key);
	struct allowed *a = &f->conditions[f->n_conditions];

	if (factor < 0)
		return -1;
	if (factors && !factors[factor])
		return filter_not_varied(r, pair->mark, pair->key);
	a->factor = (size_t)factor;
	a->n_levels = r->e->factors[factor].n_levels;
	a->levels = mem_zalloc(a->n_levels + 1, sizeof(*a->levels));
	f->n_conditions++;
	return read_levels(r, pair->value, pair->key, a);
}

static int read_conditions(struct reading *r, const struct yaml_node *map,
			   const bool *factors, struct filter *f)
{
	size_t entries = reading_entries(r, map, "conditions");
	int rc = entries ? 0 : -1;

	if (!map->n_pairs)
		return problems_add(r->problems, map->mark,
				    "this matches every treatment: name a "
				    "factor and its levels");
	f->conditions = mem_zalloc(entries, sizeof(*f->conditions));
	for (size_t i = 0; i < entries; i++)
		if (read_condition(r, &map->pairs[i], factors, f) < 0)
			rc = -1;
	return rc;
}

static int read_expr(struct reading *r, const struct yaml_node *node,
		     const bool *factors, struct filter *f)
{
	const struct expr_source source = { node->text, node->mark,
					    node->text_at };
	struct expr_symbols symbols;

	filter_symbols_init(&f->symbols, r, factors, &symbols);
	f->expr = expr_compile(&source, &symbols, r->problems);
	if (!f->expr || filter_symbols_check(&f->symbols, f->expr) < 0)
		return -1;
	filter_symbols_done(&f->symbols);
	return 0;
}

struct filter *filter_read(struct reading *r, const struct yaml_node *node,
			   const bool *factors)
{
	struct filter *f = mem_zalloc(1, sizeof(*f));
	int rc = -1;

	f->mark = node->mark;
	if (node->kind == YAML_MAPPING)
		rc = read_conditions(r, node, factors, f);
	else if (node->kind == YAML_SCALAR && !yaml_is_nothing(node))
		rc = read_expr(r, node, factors, f);
	else
		problems_add(r->problems, node->mark,
			     "expected {factor: level}, or an expression such "
			     "as \"threads > 4\", got %s", yaml_shape(node));
	if (!rc)
		return f;
	filter_free(f);
	return NULL;
}

/* What filter_match() hands to the expression. */
struct treatment {
	const struct filter_symbols *symbols;
	const uint16_t *levels;
};

static int get(void *ctx, uint32_t id, struct expr_value *out,
	       struct error *err)
{
	const struct treatment *t = ctx;
	const struct filter_column *c = &t->symbols->columns[id];

	(void)err;
	for (size_t i = c->n; i-- > 0;) {
		uint16_t level = t->levels[c->tables[i].factor];

		if (level == DESIGN_ABSENT)
			continue;
		*out = c->tables[i].values[level];
		if (out->kind != EXPR_ABSENT)
			return 0;
	}
	out->kind = EXPR_ABSENT;
	return 0;
}

int filter_match(const struct filter *f, const uint16_t *levels,
		 struct error *err)
{
	struct treatment t = { &f->symbols, levels };

	if (f->expr)
		return expr_test(f->expr, get, &t, err);
	for (size_t i = 0; i < f->n_conditions; i++) {
		const struct allowed *a = &f->conditions[i];
		uint16_t level = levels[a->factor];

		if (!a->levels[level == DESIGN_ABSENT ? a->n_levels : level])
			return 0;
	}
	return 1;
}

bool filter_uses(const struct filter *f, size_t factor)
{
	for (size_t i = 0; i < f->n_conditions; i++)
		if (f->conditions[i].factor == factor)
			return true;
	for (size_t i = 0; i < f->symbols.n_columns; i++)
		for (size_t k = 0; k < f->symbols.columns[i].n; k++)
			if (f->symbols.columns[i].tables[k].factor == factor)
				return true;
	return false;
}

bool filter_asks_absence(const struct filter *f, size_t factor,
			 struct mark *at)
{
	for (size_t i = 0; i < f->n_conditions; i++)
		if (f->conditions[i].factor == factor &&
		    f->conditions[i].absence.line) {
			*at = f->conditions[i].absence;
			return true;
		}
	return false;
}

struct mark filter_mark(const struct filter *f)
{
	return f->mark;
}
