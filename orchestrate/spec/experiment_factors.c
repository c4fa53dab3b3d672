#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/printed.h"
#include "orchestrate/spec/names.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/spec/variables.h"

#define MAX_LEVELS 10000

enum change {
	CHANGE_EASY,
	CHANGE_HARD,
};

struct factor_reading {
	struct factor *f;
	struct factor_use *u;
	bool has_use;
	struct given given;
	struct mark use_mark;
	enum change change;
};

/* A level and what stands behind it. */
struct level_reading {
	struct level *l;
	struct level_use *u;
	char *name;
	struct localized label;
};

static void read_set(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct level_reading *lr = into;

	variables_read(r, value, "variable", &lr->u->vars, &lr->u->n_vars);
	lr->u->n_given = lr->u->n_vars;
}

static const struct key level_table[] = {
	{ .name = "name", .kind = VALUE_TEXT, .required = true,
	  .offset = offsetof(struct level_reading, name),
	  .doc = "the level, as scripts get it" },
	{ .name = "label", .kind = VALUE_LOCALIZED,
	  .offset = offsetof(struct level_reading, label),
	  .doc = "how charts and tables call it" },
	{ .name = "set", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_set, .doc = "further variables this level sets" },
};

const struct key_table level_keys = KEY_TABLE("a level", level_table);

static void check_level_name(struct reading *r, struct mark at,
			     const char *name)
{
	const char *fault = name ? printed_fault(name, true) : NULL;

	if (fault)
		problems_add(r->problems, at,
			     "a level cannot hold %s; give it a short name, "
			     "and \"set\" a variable", fault);
}

/* Fills the next level; it counts only with a name that is new. */
static void read_level(struct reading *r, const struct yaml_node *node,
		       struct factor *f, struct factor_use *u,
		       struct map *seen)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	struct level *l = &f->levels[f->n_levels];
	struct level_reading lr = { .l = l, .u = &u->levels[f->n_levels] };
	const struct mark *first;

	lr.u->mark = node->mark;

	if (node->kind == YAML_MAPPING) {
		keys_read(r, &level_keys, node->mark, node, &lr);
		l->name = lr.name;
		l->label = lr.label;
	} else {
		l->name = mem_strdup(reading_text(r, node, f->name));
		if (l->name && !*l->name)
			problems_add(r->problems, node->mark,
				     "a level cannot be empty");
	}
	check_level_name(r, node->mark, l->name);
	first = l->name ? map_get(seen, l->name) : NULL;
	if (first)
		problems_add(r->problems, node->mark,
			     "level \"%s\" is there already, on line %u",
			     problem_quote(quoted, l->name), first->line);
	if (l->name && !first) {
		map_put(seen, l->name, (void *)&node->mark);
		f->n_levels++;
	} else {
		level_release(l);
		*l = (struct level){ .name = NULL };
		variables_release(lr.u->vars, lr.u->n_vars);
		*lr.u = (struct level_use){ .vars = NULL };
	}
}

static void read_levels(struct reading *r, struct factor *f,
			struct factor_use *u, const struct yaml_node *list)
{
	struct map seen = MAP_INIT;

	if (!list->n_items)
		problems_add(r->problems, list->mark,
			     "factor \"%s\" has no level", f->name);
	if (list->n_items > MAX_LEVELS) {
		problems_add(r->problems, list->mark,
			     "factor \"%s\" has %zu levels; at most %d are "
			     "possible", f->name, list->n_items, MAX_LEVELS);
		return;
	}
	f->levels = mem_zalloc(list->n_items, sizeof(*f->levels));
	u->levels = mem_zalloc(list->n_items, sizeof(*u->levels));
	for (size_t i = 0; i < list->n_items; i++)
		read_level(r, list->items[i], f, u, &seen);
	map_release(&seen);
}

static void read_use(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	fr->has_use = true;
	fr->use_mark = value->mark;
	fr->u->definition = mem_strdup(value->text);
	if (reading_name(r, value->mark, "treatment", value->text))
		fr->u->treatment.def = r->resolver->treatment(
			r->resolver->ctx, value->text, value->mark,
			&r->e->files, r->problems);
}

static void read_factor_levels(struct reading *r, void *into,
			       const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	read_levels(r, fr->f, fr->u, value);
}

static void read_params(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	(void)r;
	given_add_all(&fr->given, value);
}

static void read_label(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct factor_reading *fr = into;

	reading_localized(r, value, "label", &fr->f->label);
}

static const struct choice changes[] = {
	{ "hard", CHANGE_HARD },
	{ "easy", CHANGE_EASY },
	{ NULL, 0 },
};

static const struct key factor_table[] = {
	{ .name = "use", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_use, .doc = "the treatment that puts a level in effect; "
				   "without it the factor is a variable only" },
	{ .name = "levels", .kind = VALUE_CUSTOM, .shapes = SHAPE_LIST,
	  .read = read_factor_levels, .table = &level_keys,
	  .doc = "its values: texts, or mappings with a name" },
	{ .name = "label", .kind = VALUE_CUSTOM, .read = read_label,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING,
	  .doc = "how charts and tables call it" },
	{ .name = "change", .kind = VALUE_CHOICE, .choices = changes,
	  .offset = offsetof(struct factor_reading, change),
	  .doc = "hard: change it as seldom as possible" },
	{ .name = "params", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_params,
	  .doc = "parameters of the treatment; they may also stand beside "
		 "these keys" },
	{ .name = "range", .kind = VALUE_LATER, .doc = "first and last level" },
	{ .name = "step", .kind = VALUE_LATER, .doc = "from level to level" },
};

/* Other keys are parameters of the treatment, if there is one. */
static void read_other(struct reading *r, void *into,
		       const struct yaml_pair *pair)
{
	struct factor_reading *fr = into;

	given_add(&fr->given, pair);
	(void)r;
}

const struct key_table factor_keys = {
	.what = "a factor",
	.keys = factor_table,
	.n = sizeof(factor_table) / sizeof(*factor_table),
	.other = read_other,
};

static bool is_param(const struct treatment_def *def, const char *name)
{
	return parameters_find(def->params, def->n_params, name);
}

/* A key that is no parameter may be a misspelt key as well as a misspelt
 * parameter: suggest from both. */
static void take_params(struct reading *r, struct factor_reading *fr)
{
	const struct treatment_def *def = fr->u->treatment.def;
	struct strlist names = STRLIST_INIT;
	struct given good = { .items = NULL };
	struct declared d = { .of = NULL };

	if (def)
		parameters_names(def->params, def->n_params, &names);
	for (size_t i = 0; i < fr->given.n; i++) {
		const struct yaml_pair *pair = fr->given.items[i];

		if (def && is_param(def, pair->key))
			given_add(&good, pair);
		else if (def || !fr->has_use)
			keys_unknown(r, &factor_keys, pair, &names);
	}
	if (def) {
		d.of = mem_printf("treatment %s", def->name);
		d.params = def->params;
		d.n = def->n_params;
		params_merge(r, &d, &good, fr->use_mark,
			     &fr->u->treatment.params,
			     &fr->u->treatment.n_params,
			     &fr->u->treatment.n_given);
		free((char *)d.of);
	}
	given_release(&good);
	strlist_release(&names);
}

static void default_levels(struct factor *f, struct factor_use *u,
			   const struct strlist *names)
{
	u->levels = mem_zalloc(names->n, sizeof(*u->levels));
	f->levels = mem_zalloc(names->n, sizeof(*f->levels));
	for (size_t i = 0; i < names->n; i++)
		f->levels[f->n_levels++].name = mem_strdup(names->items[i]);
}

static void check_levels(struct reading *r, const struct factor_reading *fr,
			 const struct yaml_node *list)
{
	const struct treatment_def *def = fr->u->treatment.def;
	char *of = mem_printf("treatment %s", def->name);

	for (size_t i = 0; i < list->n_items && def->levels.n; i++) {
		const struct yaml_node *item = list->items[i];
		const struct yaml_pair *name = yaml_get(item, "name");

		if (name)
			item = name->value;
		if (item->kind == YAML_SCALAR && item->text[0] &&
		    !strlist_has(&def->levels, item->text))
			problems_add_undefined(r->problems, item->mark,
					       "level", item->text, of,
					       &def->levels);
	}
	free(of);
}

static void finish_factor(struct reading *r, struct factor_reading *fr,
			  const struct yaml_node *map)
{
	const struct treatment_def *def = fr->u->treatment.def;
	const struct yaml_pair *levels = yaml_get(map, "levels");

	take_params(r, fr);
	fr->f->hard = fr->change == CHANGE_HARD;
	if (def && is_param(def, fr->f->name))
		problems_add(r->problems, fr->u->mark,
			     "factor \"%s\" hides the parameter \"%s\" of "
			     "treatment %s; give the factor another name",
			     fr->f->name, fr->f->name, def->name);
	if (levels && levels->value->kind == YAML_SEQUENCE && def)
		check_levels(r, fr, levels->value);
	if (levels || (fr->has_use && !def))
		return;
	if (def && def->levels.n)
		default_levels(fr->f, fr->u, &def->levels);
	else
		problems_add(r->problems, fr->u->mark,
			     "factor \"%s\" needs the key \"levels\" (its "
			     "values)", fr->f->name);
}

static void read_factor(struct reading *r, const struct yaml_pair *pair,
			struct factor *f, struct factor_use *u)
{
	struct factor_reading fr = { .f = f, .u = u };
	char quoted[PROBLEM_QUOTE_SIZE];

	f->name = mem_strdup(pair->key);
	u->mark = pair->mark;
	reading_variable(r, pair->mark, "factor", pair->key);
	if (pair->value->kind == YAML_SEQUENCE) {
		read_levels(r, f, u, pair->value);
	} else if (pair->value->kind == YAML_MAPPING) {
		keys_read(r, &factor_keys, pair->mark, pair->value, &fr);
		finish_factor(r, &fr, pair->value);
		given_release(&fr.given);
	} else {
		problems_add(r->problems, pair->value->mark,
			     "factor \"%s\": expected a list of levels or a "
			     "mapping, got %s",
			     problem_quote(quoted, pair->key),
			     yaml_shape(pair->value));
	}
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
