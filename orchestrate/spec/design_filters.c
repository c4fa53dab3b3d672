#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/design_section.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/filter.h"

#define CROSSED (KIND(DESIGN_FULL_FACTORIAL) | KIND(DESIGN_ONE_AT_A_TIME))

static const struct zip *zip_of(const struct matrix *m, const struct zip *last,
				size_t factor)
{
	for (const struct zip *z = m->zips; z <= last; z++)
		for (size_t i = 0; i < z->n; i++)
			if (z->factors[i] == factor)
				return z;
	return NULL;
}

static void add_to_zip(struct reading *r, const struct design_reading *dr,
		       const struct yaml_node *node, struct zip *z)
{
	const char *name = reading_text(r, node, "zip");
	int factor = name ? design_factor(r, dr, node->mark, name) : -1;
	const struct factor *f, *first;

	if (factor < 0)
		return;
	if (zip_of(dr->m, z, (size_t)factor)) {
		problems_add(r->problems, node->mark,
			     "\"zip\": factor \"%s\" goes along with others "
			     "already", name);
		return;
	}
	f = &r->e->factors[factor];
	first = z->n ? &r->e->factors[z->factors[0]] : f;
	if (f->n_levels != first->n_levels && f->n_levels && first->n_levels)
		problems_add(r->problems, node->mark,
			     "\"zip\": factor \"%s\" has %zu level%s, \"%s\" "
			     "has %zu; they cannot go along", name,
			     f->n_levels, f->n_levels == 1 ? "" : "s",
			     first->name, first->n_levels);
	z->factors[z->n++] = (size_t)factor;
}

static void read_zip(struct reading *r, const struct design_reading *dr,
		     const struct yaml_node *list, struct zip *z)
{
	size_t n;

	z->mark = list->mark;
	if (list->kind != YAML_SEQUENCE) {
		problems_add(r->problems, list->mark,
			     "\"zip\" is a list of lists: write [[a, b]], not "
			     "[a, b]");
		return;
	}
	if (list->n_items < 2)
		problems_add(r->problems, list->mark,
			     "\"zip\": it takes two factors or more to go "
			     "along");
	/* one above, so that one too many is seen */
	n = r->e->n_factors + 1;
	z->factors = mem_zalloc(n, sizeof(*z->factors));
	for (size_t i = 0; i < list->n_items && z->n < n; i++)
		add_to_zip(r, dr, list->items[i], z);
}

void zip_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct matrix *m = dr->m;

	if (!design_takes(r, dr, "zip", CROSSED))
		return;
	m->zips = mem_zalloc(value->n_items, sizeof(*m->zips));
	for (size_t i = 0; i < value->n_items; i++)
		if (i && value->items[i]->kind != YAML_SEQUENCE &&
		    value->items[i - 1]->kind != YAML_SEQUENCE)
			continue; /* [a, b] is one mistake */
		else
			read_zip(r, dr, value->items[i],
				 &m->zips[m->n_zips++]);
}

/* One filter, or a list of them. */
static void read_filters(struct reading *r, const struct design_reading *dr,
			 const struct yaml_node *value, struct filter ***out,
			 size_t *n)
{
	size_t items = reading_items(value);

	*out = mem_zalloc(items, sizeof(struct filter *));
	for (size_t i = 0; i < items; i++) {
		struct filter *f = filter_read(r, reading_item(value, i),
					       dr->factors);

		if (f)
			(*out)[(*n)++] = f;
	}
}

void include_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct matrix *m = dr->m;

	if (value->kind == YAML_SEQUENCE && !value->n_items)
		problems_add(r->problems, value->mark,
			     "\"include\" keeps nothing: leave it out to keep "
			     "all");
	read_filters(r, dr, value, &m->include, &m->n_include);
}

void exclude_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;

	read_filters(r, dr, value, &dr->m->exclude, &dr->m->n_exclude);
}

struct existence_reading {
	const struct design_reading *dr;
	struct existence x;
};

static void read_when(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct existence_reading *er = into;

	er->x.when = filter_read(r, value, er->dr->factors);
}

static const struct form when_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){
		&(const struct form){
			.kind = FORM_TEXT,
			.what = "an expression over factors" },
		&(const struct form){
			.kind = FORM_MAP, .min = 1,
			.what = "a factor's name",
			.item = &(const struct form){
				.kind = FORM_ANY,
				.any = (const struct form *const[]){
					&(const struct form){
						.kind = FORM_TEXT },
					&(const struct form){
						.kind = FORM_LIST, .min = 1,
						.item = &(const struct form){
							.kind = FORM_TEXT } },
					NULL } } },
		NULL },
};

static const struct key existence_table[] = {
	{ .name = "when", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_when,
	  .form = &when_form, .required = true,
	  .doc = "a match or an expression over other factors: where it does "
		 "not hold, the factor does not exist",
	  .example = "when: {platform: [docker, lxc]}" },
};

const struct key_table existence_keys =
	KEY_TABLE("a factor under \"only\"", existence_table);

static struct existence *find_existence(const struct matrix *m, size_t factor)
{
	for (size_t i = 0; i < m->n_existences; i++)
		if (m->existences[i].factor == factor)
			return &m->existences[i];
	return NULL;
}

enum visit { UNSEEN, OPEN, DONE };

/* An existence that depends on itself, from this one on; -1: none. */
static int find_round(const struct experiment *e, const struct matrix *m,
		      size_t i, enum visit *seen)
{
	const struct existence *on;
	int round = -1;

	if (seen[i] != UNSEEN)
		return seen[i] == OPEN ? (int)i : -1;
	seen[i] = OPEN;
	for (size_t f = 0; f < e->n_factors && round < 0; f++) {
		on = find_existence(m, f);
		if (on && filter_uses(m->existences[i].when, f))
			round = find_round(e, m,
					   (size_t)(on - m->existences), seen);
	}
	seen[i] = DONE;
	return round;
}

static void check_rounds(struct reading *r, const struct matrix *m)
{
	enum visit *seen = mem_zalloc(m->n_existences, sizeof(*seen));

	for (size_t i = 0; i < m->n_existences; i++) {
		int round = find_round(r->e, m, i, seen);
		const struct existence *x;

		if (round < 0)
			continue;
		x = &m->existences[round];
		problems_add(r->problems, filter_mark(x->when),
			     "\"only\": whether factor \"%s\" exists depends "
			     "on itself", r->e->factors[x->factor].name);
	}
	free(seen);
}

void only_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct matrix *m = dr->m;
	size_t entries = reading_entries(r, value, "factors");

	if (!design_takes(r, dr, "only", CROSSED))
		return;
	m->existences = mem_zalloc(entries, sizeof(*m->existences));
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &value->pairs[i];
		int factor = design_factor(r, dr, pair->mark, pair->key);
		struct existence_reading er = { .dr = dr };

		if (!reading_mapping(r, pair->value, pair->key))
			continue;
		keys_read(r, &existence_keys, pair->mark, pair->value, &er);
		er.x.factor = (size_t)factor;
		if (factor >= 0 && er.x.when)
			m->existences[m->n_existences++] = er.x;
		else
			filter_free(er.x.when);
	}
	check_rounds(r, m);
}
