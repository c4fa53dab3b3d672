#include "orchestrate/spec/design_section.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/matrix.h"

static const struct choice kinds[] = {
	{ "full-factorial", DESIGN_FULL_FACTORIAL },
	{ "one-at-a-time", DESIGN_ONE_AT_A_TIME },
	{ "fractional", DESIGN_FRACTIONAL },
	{ "latin-square", DESIGN_LATIN_SQUARE },
	{ "list", DESIGN_LIST },
	{ NULL, 0 },
};

static const struct choice orders[] = {
	{ "randomized", ORDER_RANDOMIZED },
	{ "as-written", ORDER_AS_WRITTEN },
	{ NULL, 0 },
};

static const struct choice block_kinds[] = {
	{ "round", BLOCK_ROUND },
	{ "host", BLOCK_HOST },
	{ "day", BLOCK_DAY },
	{ NULL, 0 },
};

static const char *name_of(const struct choice *c, int value)
{
	while (c->name && c->value != value)
		c++;
	return c->name;
}

static void add_kinds(struct buf *text, unsigned set)
{
	for (const struct choice *c = kinds; c->name; c++)
		if (set & KIND(c->value))
			buf_addf(text, "%s%s", text->n ? " or " : "",
				 c->name);
}

bool design_takes(struct reading *r, const struct design_reading *dr,
		  const char *key, unsigned set)
{
	struct buf text = BUF_INIT;

	if (dr->kind_unknown || (set & KIND(dr->kind)))
		return !dr->kind_unknown;
	add_kinds(&text, set);
	problems_add(r->problems, yaml_get(dr->map, key)->mark,
		     "\"%s\" has no use in a %s design; it goes with kind: %s",
		     key, name_of(kinds, dr->kind), text.data);
	buf_release(&text);
	return false;
}

int design_factor(struct reading *r, const struct design_reading *dr,
		  struct mark at, const char *name)
{
	int factor = find_factor(r, at, name);

	if (factor < 0 || dr->factors[factor])
		return factor;
	problems_add(r->problems, at,
		     "matrix \"%s\" does not have the factor \"%s\": add it to "
		     "its \"factors\", or leave it out here", dr->m->name,
		     name);
	return -1;
}

#define AT(member) .offset = offsetof(struct design_reading, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct key order_table[] = {
	{ .name = "kind", .kind = VALUE_CHOICE, .choices = orders, AT(order),
	  .doc = "randomized or as-written",
	  .fallback = "randomized", .example = "kind: as-written" },
	{ .name = "seed", .kind = VALUE_SEED, AT(seed),
	  .doc = "the same seed gives the same order; unsaid, one is drawn "
		 "and kept with the results",
	  .example = "seed: 20190501" },
};

const struct key_table order_keys = KEY_TABLE("order", order_table);

static void read_order(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct design_reading *dr = into;

	keys_read(r, &order_keys, value->mark, value, dr);
	if (!yaml_get(value, "seed"))
		return;
	r->e->seed = dr->seed;
	r->e->seed_given = true;
}

static const struct key blocks_table[] = {
	{ .name = "by", .kind = VALUE_CHOICE, .choices = block_kinds,
	  AT(blocks), .required = true, .doc = "round, host or day",
	  .example = "by: day" },
	{ .name = "rounds", .kind = VALUE_COUNT, .min = 1, .max = 1000000,
	  AT(rounds_a_day), .doc = "by day: how many rounds belong to a day",
	  .fallback = "1", .example = "rounds: 2" },
};

const struct key_table blocks_keys = KEY_TABLE("blocks", blocks_table);

static void read_blocks(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct design_reading *dr = into;
	const struct yaml_pair *rounds;

	if (value->kind == YAML_SCALAR) {
		keys_read_choice(r, "blocks", block_kinds, value,
				 (int *)&dr->blocks);
		return;
	}
	keys_read(r, &blocks_keys, value->mark, value, dr);
	rounds = yaml_get(value, "rounds");
	if (rounds && dr->blocks != BLOCK_DAY && yaml_get(value, "by"))
		problems_add(r->problems, rounds->mark,
			     "\"rounds\" has no use here: it goes with by: "
			     "day");
}

static const struct form order_form = { .kind = FORM_OBJECT,
					.table = &order_keys };
static const struct form count_form = { .kind = FORM_COUNT, .min = 1,
					.max = 1000000 };
static const struct form replicates_object = { .kind = FORM_OBJECT,
					       .table = &replicates_keys };
static const struct form replicates_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &count_form, &replicates_object,
					     NULL },
};
static const struct form block_form = { .kind = FORM_CHOICE,
					.choices = block_kinds };
static const struct form blocks_object = { .kind = FORM_OBJECT,
					   .table = &blocks_keys };
static const struct form blocks_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &block_form, &blocks_object,
					     NULL },
};

static const struct form level_form = { .kind = FORM_TEXT,
					.what = "a level's name" };
static const struct form factor_form = { .kind = FORM_TEXT,
					 .what = "a factor's name" };
static const struct form levels_form = { .kind = FORM_LIST,
					 .item = &level_form, .min = 1 };
static const struct form some_levels = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &level_form, &levels_form, NULL },
};
static const struct form treatment_form = {
	.kind = FORM_MAP, .item = &level_form, .what = "a factor's name",
};
static const struct form product_form = {
	.kind = FORM_TEXT, .what = "a product of factors such as a*b, or -a*b",
};
static const struct form generators_form = {
	.kind = FORM_MAP, .item = &product_form, .min = 1,
	.what = "a factor's name",
};
static const struct form latin_form = { .kind = FORM_OBJECT,
					.table = &latin_keys };
static const struct form file_form = { .kind = FORM_TEXT,
				       .what = "the name of a CSV file" };
static const struct form rows_form = { .kind = FORM_LIST,
				       .item = &treatment_form, .min = 1 };
static const struct form list_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &file_form, &rows_form, NULL },
};
static const struct form zip_group = { .kind = FORM_LIST,
				       .item = &factor_form, .min = 2 };
static const struct form zip_form = { .kind = FORM_LIST, .item = &zip_group };
static const struct form match_form = {
	.kind = FORM_MAP, .item = &some_levels, .min = 1,
	.what = "a factor's name",
};
static const struct form expression_form = {
	.kind = FORM_TEXT, .what = "an expression over factors",
};
static const struct form filter_list = {
	.kind = FORM_LIST,
	.item = &(const struct form){
		.kind = FORM_ANY,
		.any = (const struct form *const[]){ &expression_form,
						     &match_form, NULL } },
};
static const struct form filters_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &expression_form, &match_form,
					     &filter_list, NULL },
};
static const struct form existence_form = { .kind = FORM_OBJECT,
					    .table = &existence_keys };
static const struct form existences_form = {
	.kind = FORM_MAP, .item = &existence_form, .what = "a factor's name",
};

#define ANY_SHAPE (SHAPE_TEXT | SHAPE_LIST | SHAPE_MAPPING)

static const struct key design_table[] = {
	{ .name = "kind", .kind = VALUE_CHOICE, .choices = kinds, AT(kind),
	  .doc = "which combinations of levels are measured",
	  .fallback = "full-factorial", .example = "kind: one-at-a-time" },
	{ .name = "base", BY(base_read, SHAPE_MAPPING),
	  .form = &treatment_form,
	  .doc = "one-at-a-time: the levels that all others are compared with, "
		 "one factor at a time; of a factor that is not named, the "
		 "level in analysis: {baseline: ...}, else its first",
	  .example = "base: {platform: native}" },
	{ .name = "generators", BY(generators_read, SHAPE_MAPPING),
	  .form = &generators_form,
	  .doc = "fractional: factors whose level follows from others', as the "
		 "product of these with levels counted -1 and 1",
	  .example = "generators: {cache: compress*dedup, sync: "
		     "-compress*quota}" },
	{ .name = "resolution", .kind = VALUE_COUNT, .min = 3, .max = 32,
	  AT(resolution),
	  .doc = "fractional: the least there must be; 4 keeps factors "
		 "apart from interactions of two",
	  .example = "resolution: 4" },
	{ .name = "latin", BY(latin_read, SHAPE_MAPPING), .form = &latin_form,
	  .doc = "latin-square: what its rows, columns and letters are",
	  .example = "latin: {rows: host, columns: round, letters: platform}" },
	{ .name = "list", BY(list_read, SHAPE_TEXT | SHAPE_LIST),
	  .form = &list_form,
	  .doc = "list: the combinations, or a CSV file of them (a column per "
		 "factor, relative to this file). A factor that is left out "
		 "of one does not exist in it",
	  .example = "list: [{platform: native}, {platform: docker, "
		     "storage: zvol}]" },
	{ .name = "zip", BY(zip_read, SHAPE_LIST), .form = &zip_form,
	  .doc = "factors that go along: the first level of one with the first "
		 "of the other, and so on",
	  .fallback = "none", .example = "zip: [[threads, block_kib]]" },
	{ .name = "include", BY(include_read, ANY_SHAPE),
	  .form = &filters_form,
	  .doc = "combinations to keep: those that match one of these",
	  .fallback = "all",
	  .example = "include: [{platform: [native, docker]}]" },
	{ .name = "exclude", BY(exclude_read, ANY_SHAPE),
	  .form = &filters_form,
	  .doc = "combinations to leave out, after include",
	  .fallback = "none",
	  .example = "exclude: [{platform: docker, storage: zvol}, "
		     "\"threads * block_kib > 8192\"]" },
	{ .name = "only", BY(only_read, SHAPE_MAPPING),
	  .form = &existences_form,
	  .doc = "factors that exist under some levels of others only",
	  .fallback = "none",
	  .example = "only: {storage: {when: {platform: [docker, lxc]}}}" },
	{ .name = "replicates", BY(replicates_read,
				   SHAPE_TEXT | SHAPE_MAPPING),
	  .form = &replicates_form,
	  .doc = "independent runs of each treatment",
	  .fallback = "1", .example = "replicates: 10" },
	{ .name = "blocks", BY(read_blocks, SHAPE_TEXT | SHAPE_MAPPING),
	  .form = &blocks_form,
	  .doc = "what is alike enough to be compared within: round, host "
		 "(every host makes every treatment) or day",
	  .fallback = "round", .example = "blocks: {by: day, rounds: 2}" },
	{ .name = "order", BY(read_order, SHAPE_MAPPING), .form = &order_form,
	  .table = &order_keys, .doc = "of the runs",
	  .fallback = "{kind: randomized}",
	  .example = "order: {kind: randomized, seed: 20190501}" },
};

const struct key_table design_keys = KEY_TABLE("design", design_table);

static void missing(struct reading *r, const struct design_reading *dr,
		    const char *key)
{
	if (!yaml_get(dr->map, key))
		problems_add(r->problems, dr->m->kind_mark,
			     "a %s design needs the key \"%s\", for example "
			     "\"%s\"", name_of(kinds, dr->kind), key,
			     keys_find(&design_keys, key)->example);
}

/* What can be said once the whole design is read. */
static void complete(struct reading *r, struct design_reading *dr)
{
	if (yaml_get(dr->map, "resolution"))
		design_takes(r, dr, "resolution", KIND(DESIGN_FRACTIONAL));
	switch (dr->kind) {
	case DESIGN_FRACTIONAL:
		missing(r, dr, "generators");
		fraction_check(r, dr);
		break;
	case DESIGN_LATIN_SQUARE:
		missing(r, dr, "latin");
		break;
	case DESIGN_LIST:
		missing(r, dr, "list");
		break;
	case DESIGN_ONE_AT_A_TIME:
	case DESIGN_FULL_FACTORIAL:
		break;
	}
}

static bool is_unknown(const struct yaml_pair *kind)
{
	const struct choice *c = kinds;

	if (!kind)
		return false;
	if (kind->value->kind != YAML_SCALAR)
		return true;
	while (c->name && strcmp(c->name, kind->value->text))
		c++;
	return !c->name;
}

static bool *factors_of(const struct experiment *e, const struct matrix *m)
{
	bool *has = mem_zalloc(e->n_factors, sizeof(*has));

	for (size_t i = 0; i < m->n_factors; i++)
		has[m->factors[i]] = true;
	return has;
}

void design_of_matrix(struct reading *r, struct matrix *m, struct mark at,
		      const struct yaml_node *map)
{
	static const struct yaml_node nothing = { .kind = YAML_MAPPING };
	bool *factors = factors_of(r->e, m);
	struct design_reading dr = { .m = m, .map = map ? map : &nothing,
				     .factors = factors, .rounds_a_day = 1,
				     .replicates = { .min = 1, .max = 1 } };
	const struct yaml_pair *kind = yaml_get(dr.map, "kind");
	const struct yaml_pair *replicates = yaml_get(dr.map, "replicates");

	dr.kind_unknown = is_unknown(kind);
	m->kind_mark = kind ? kind->mark : at;
	m->replicates_mark = replicates ? replicates->mark : at;
	keys_read(r, &design_keys, at, dr.map, &dr);
	m->kind = dr.kind;
	m->resolution = dr.resolution;
	m->replicates = dr.replicates.min;
	m->replicates_max = dr.replicates.max;
	m->until = dr.replicates.until;
	m->blocks = dr.blocks;
	m->rounds_a_day = dr.rounds_a_day;
	m->order = dr.order;
	if (!dr.kind_unknown)
		complete(r, &dr);
	free(factors);
}
