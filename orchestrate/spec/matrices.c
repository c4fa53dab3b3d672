#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/design_section.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/taglist.h"
#include "orchestrate/spec/yaml_merge.h"

/* A matrix while it is read. */
struct matrix_reading {
	struct matrix *m;
	bool *factors;    /* chosen, by index; NULL: all */
	bool *benchmarks;
	const struct yaml_node *design; /* its own part; NULL: none */
};

typedef int find_by_name(struct reading *r, struct mark at, const char *name);

/* Marks the named ones in `chosen`; of none at all, all are taken. */
static void choose(struct reading *r, const struct yaml_node *value,
		   const char *key, const char *what, find_by_name *find,
		   bool *chosen)
{
	if (value->kind == YAML_SEQUENCE && !value->n_items &&
	    find == find_benchmark)
		problems_add(r->problems, value->mark,
			     "\"benchmarks\" is empty; name those of the "
			     "matrix, or leave it out for all");
	for (size_t i = 0; i < reading_items(value); i++) {
		const struct yaml_node *item = reading_item(value, i);
		const char *name = reading_text(r, item, key);
		int index = name ? find(r, item->mark, name) : -1;

		if (index < 0)
			continue;
		if (chosen[index])
			problems_add(r->problems, item->mark,
				     "%s \"%s\" is there already", what, name);
		chosen[index] = true;
	}
}

static void read_factors(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct matrix_reading *mr = into;

	mr->factors = mem_zalloc(r->e->n_factors, sizeof(bool));
	choose(r, value, "factors", "factor", find_factor, mr->factors);
}

static void read_benchmarks(struct reading *r, void *into,
			    const struct yaml_node *value)
{
	struct matrix_reading *mr = into;

	mr->benchmarks = mem_zalloc(r->e->n_benchmarks, sizeof(bool));
	choose(r, value, "benchmarks", "benchmark", find_benchmark,
	       mr->benchmarks);
}

static void read_tags(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct matrix_reading *mr = into;

	tags_read(r, value, &mr->m->tags);
}

/* The seed is that of all: one order holds the runs of all matrices. */
static void read_design(struct reading *r, void *into,
			const struct yaml_node *value)
{
	const struct yaml_pair *order = yaml_get(value, "order");
	const struct yaml_pair *seed =
		order ? yaml_get(order->value, "seed") : NULL;
	struct matrix_reading *mr = into;

	mr->design = value;
	if (seed)
		problems_add(r->problems, seed->mark,
			     "the seed belongs to the whole experiment: give "
			     "it in the top-level \"design\"");
}

static const struct form name_form = { .kind = FORM_TEXT };
static const struct form names_list = { .kind = FORM_LIST,
					.item = &name_form };
static const struct form names_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &name_form, &names_list, NULL },
};
static const struct form design_form = { .kind = FORM_PARTIAL,
					 .table = &design_keys };

static const struct key matrix_table[] = {
	{ .name = "factors", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .read = read_factors,
	  .form = &names_form,
	  .doc = "those that it varies; the others do not exist in its runs",
	  .fallback = "all", .example = "factors: [platform, storage]" },
	{ .name = "benchmarks", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .read = read_benchmarks,
	  .form = &names_form, .doc = "those that it makes",
	  .fallback = "all", .example = "benchmarks: [fio-randread]" },
	{ .name = "tags", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .read = read_tags,
	  .form = &tags_form,
	  .doc = "words to choose it by; they count for each of its benchmarks",
	  .fallback = "none", .example = "tags: [network, slow]" },
	{ .name = "design", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_design, .table = &design_keys, .form = &design_form,
	  .doc = "put over the top-level design, key by key; a key with "
		 "nothing behind it removes",
	  .fallback = "the top-level design",
	  .example = "design: {replicates: 3}" },
};

const struct key_table matrix_keys = KEY_TABLE("a matrix", matrix_table);

static size_t *indexes(const bool *chosen, size_t all, size_t *n)
{
	size_t *items = mem_zalloc(all, sizeof(*items));

	for (size_t i = 0; i < all; i++)
		if (!chosen || chosen[i])
			items[(*n)++] = i;
	return items;
}

/* The design of the matrix as a whole; NULL: nothing is said. */
static const struct yaml_node *whole_design(struct reading *r,
					    const struct yaml_node *own)
{
	const struct yaml_pair *pair = yaml_get(r->root, "design");
	const struct yaml_node *common = pair ? pair->value : NULL;

	if (common && common->kind != YAML_MAPPING)
		common = NULL; /* has been reported */
	if (own && common)
		return yaml_merge(r->made, common, own);
	return own ? own : common;
}

/* What merging for many matrices costs is bounded like one file. */
static bool affordable(struct reading *r, const struct yaml_pair *pair,
		       const struct yaml_node *own, size_t *cost)
{
	const struct yaml_pair *common = yaml_get(r->root, "design");

	*cost += own ? own->values : 0;
	*cost += common ? common->value->values : 0;
	if (*cost <= YAML_DOC_MAX_VALUES)
		return true;
	problems_add(r->problems, pair->mark,
		     "up to matrix \"%s\", the designs of all matrices "
		     "together are too large: at most %d values", pair->key,
		     YAML_DOC_MAX_VALUES);
	return false;
}

/* Returns false when no further one can be read. */
static bool read_matrix(struct reading *r, const struct yaml_pair *pair,
			size_t *cost)
{
	struct matrix_reading mr = { .design = NULL };
	struct experiment *e = r->e;
	struct matrix *m = &e->matrices[e->n_matrices++];
	bool good = true;

	*m = (struct matrix){ .name = mem_strdup(pair->key),
			      .mark = pair->mark, .replicates = 1,
			      .replicates_max = 1, .rounds_a_day = 1 };
	mr.m = m;
	reading_name(r, pair->mark, "matrix", pair->key);
	if (!reading_mapping(r, pair->value, pair->key))
		return true;
	keys_read(r, &matrix_keys, pair->mark, pair->value, &mr);
	m->factors = indexes(mr.factors, e->n_factors, &m->n_factors);
	m->benchmarks = indexes(mr.benchmarks, e->n_benchmarks,
				&m->n_benchmarks);
	good = affordable(r, pair, mr.design, cost);
	if (good)
		design_of_matrix(r, m, pair->mark, whole_design(r, mr.design));
	free(mr.factors);
	free(mr.benchmarks);
	return good;
}

void matrices_read(struct reading *r, void *into,
		   const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "matrices"), cost = 0;

	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "no matrix: write one or more, or leave "
			     "\"matrices\" out for one of everything");
	e->matrices = mem_zalloc(entries, sizeof(*e->matrices));
	for (size_t i = 0; i < entries; i++)
		if (!read_matrix(r, &value->pairs[i], &cost))
			break;
}

/* Without `matrices` there is one, of everything. */
static void read_only_matrix(struct reading *r, struct mark at,
			     const struct yaml_node *design)
{
	struct experiment *e = r->e;
	struct matrix *m;

	e->matrices = mem_zalloc(1, sizeof(*e->matrices));
	m = &e->matrices[e->n_matrices++];
	*m = (struct matrix){ .name = mem_strdup(""), .mark = at };
	matrix_take_all(m, e);
	design_of_matrix(r, m, at, design);
}

void design_read(struct reading *r, void *into, const struct yaml_node *value)
{
	(void)into;
	if (!yaml_get(r->root, "matrices"))
		read_only_matrix(r, yaml_get(r->root, "design")->mark, value);
}

void design_absent(struct reading *r, void *into)
{
	(void)into;
	if (!yaml_get(r->root, "matrices"))
		read_only_matrix(r, r->root->mark, NULL);
}
