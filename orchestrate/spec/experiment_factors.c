#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/factor_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/treatment_def.h"

enum change {
	CHANGE_EASY,
	CHANGE_HARD,
};

static void read_use(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	use_read(r, &fr->use, value);
}

static void read_params(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	use_read_params(r, &fr->use, value);
}

static void read_list(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	(void)r;
	fr->list = value;
}

static void read_range(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	(void)r;
	fr->range = value;
}

static void read_step(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	(void)r;
	fr->step = value;
}

static void read_points(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	(void)r;
	fr->points = value;
}

static void read_label(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	reading_localized(r, value, "label", &fr->f->label);
}

/* Other keys are parameters of the treatment, if there is one. */
static void read_other(struct reading *r, void *into,
		       const struct yaml_pair *pair)
{
	struct factor_reading *fr = into;

	(void)r;
	given_add(&fr->use.given, pair);
}

static const struct choice changes[] = {
	{ "hard", CHANGE_HARD },
	{ "easy", CHANGE_EASY },
	{ NULL, 0 },
};

static const struct form text_form = { .kind = FORM_TEXT };
static const struct form use_form = {
	.kind = FORM_TEXT, .what = "the name of a treatment or of a family",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?",
};
static const struct form level_form = {
	.kind = FORM_OBJECT, .table = &level_keys,
};
static const struct form *const level_forms[] = {
	&text_form, &level_form, NULL,
};
static const struct form any_level_form = {
	.kind = FORM_ANY, .any = level_forms,
};
static const struct form levels_form = {
	.kind = FORM_LIST, .item = &any_level_form, .min = 1,
};
static const struct form ends_form = {
	.kind = FORM_LIST, .item = &text_form, .min = 2, .max = 2,
	.what = "the first and the last level",
};
static const struct form label_form = { .kind = FORM_LOCALIZED };
static const struct form params_form = {
	.kind = FORM_MAP, .what = "a parameter's name", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};
static const struct form points_form = {
	.kind = FORM_COUNT, .min = 2, .max = 10000,
};

static const struct key factor_table[] = {
	{ .name = "use", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_use, .form = &use_form,
	  .fallback = "the factor is a variable only",
	  .example = "use: io-scheduler",
	  .doc = "the treatment that puts a level in effect, or the family "
		 "that has one for each; without it the factor is a variable "
		 "only" },
	{ .name = "levels", .kind = VALUE_CUSTOM, .shapes = SHAPE_LIST,
	  .read = read_list, .table = &level_keys, .form = &levels_form,
	  .fallback = "those of the treatment or family, by name",
	  .example = "levels: [none, {name: bfq, label: BFQ}]",
	  .doc = "its values: texts, or mappings with a name; \"= EXPR\" is "
		 "computed from facts of a host" },
	{ .name = "range", .kind = VALUE_CUSTOM, .shapes = SHAPE_LIST,
	  .read = read_range, .form = &ends_form,
	  .example = "range: [1, = sut.cpus]\nstep: \"*2\"",
	  .doc = "in place of levels: the first and the last, with \"step\" "
		 "or \"points\"" },
	{ .name = "step", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_step, .form = &text_form,
	  .example = "range: [4k, 1M]\nstep: \"*4\"",
	  .doc = "from level to level: 2 is added, \"*2\" is a factor" },
	{ .name = "points", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_points, .form = &points_form,
	  .example = "range: [1, 1000]\npoints: 4",
	  .doc = "how many levels, each the same factor above the one before" },
	{ .name = "label", .kind = VALUE_CUSTOM, .read = read_label,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .form = &label_form,
	  .fallback = "its name",
	  .example = "label: {en: Block size (KiB), fi: Lohkon koko (KiB)}",
	  .doc = "how charts and tables call it" },
	{ .name = "change", .kind = VALUE_CHOICE, .choices = changes,
	  .offset = offsetof(struct factor_reading, change),
	  .fallback = "easy", .example = "change: hard",
	  .doc = "hard: change it as seldom as possible" },
	{ .name = "params", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_params, .form = &params_form, .fallback = "none",
	  .example = "params: {disk: sda}",
	  .doc = "parameters of the treatment; they may also stand beside "
		 "these keys" },
};

const struct key_table factor_keys = {
	.what = "a factor",
	.keys = factor_table,
	.n = sizeof(factor_table) / sizeof(*factor_table),
	.other = read_other,
	.other_form = &value_form,
};

static void lonely(struct reading *r, const char *key,
		   const struct yaml_node *value)
{
	if (value)
		problems_add(r->problems, value->mark,
			     "\"%s\" needs \"range: [first, last]\"", key);
}

/* In place of levels that are not written. */
static void default_levels(struct reading *r, struct factor_reading *fr)
{
	const struct treatment_def *def = fr->u->treatment.def;

	if (fr->use.is_family)
		levels_from_names(fr, &fr->use.family, fr->use.mark);
	else if (def && def->levels.n)
		levels_from_names(fr, &def->levels, fr->use.mark);
	else if (!fr->unresolved)
		problems_add(r->problems, fr->u->mark,
			     "factor \"%s\" needs the key \"levels\" (its "
			     "values)", fr->f->name);
}

static void read_levels(struct reading *r, struct factor_reading *fr)
{
	if (fr->list && fr->range)
		problems_add(r->problems, fr->range->mark,
			     "factor \"%s\" has both \"levels\" and "
			     "\"range\"; remove one of them", fr->f->name);
	if (!fr->range) {
		lonely(r, "step", fr->step);
		lonely(r, "points", fr->points);
	}
	if (fr->list)
		levels_from_list(r, fr);
	else if (fr->range)
		levels_from_range(r, fr);
	else if (!fr->step && !fr->points)
		default_levels(r, fr);
}

static void read_factor(struct reading *r, const struct yaml_pair *pair,
			struct factor *f, struct factor_use *u)
{
	struct factor_reading fr = { .f = f, .u = u };
	char quoted[PROBLEM_QUOTE_SIZE];

	f->name = mem_strdup(pair->key);
	u->mark = pair->mark;
	reading_variable(r, pair->mark, "factor", pair->key);
	if (pair->value->kind == YAML_SCALAR) {
		problems_add(r->problems, pair->value->mark,
			     "factor \"%s\": expected a list of levels or a "
			     "mapping, got %s",
			     problem_quote(quoted, pair->key),
			     yaml_shape(pair->value));
		return;
	}
	if (pair->value->kind == YAML_SEQUENCE)
		fr.list = pair->value;
	else
		keys_read(r, &factor_keys, pair->mark, pair->value, &fr);
	f->hard = fr.change == CHANGE_HARD;
	uses_resolve_factor(r, &fr);
	read_levels(r, &fr);
	uses_resolve_levels(r, &fr);
	levels_release(&fr);
	use_release(&fr.use);
}

void factors_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "factors");

	e->factors = mem_zalloc(entries, sizeof(*e->factors));
	e->uses = mem_zalloc(entries, sizeof(*e->uses));
	for (size_t i = 0; i < entries; i++) {
		read_factor(r, &value->pairs[i], &e->factors[i], &e->uses[i]);
		e->n_factors++;
	}
}
