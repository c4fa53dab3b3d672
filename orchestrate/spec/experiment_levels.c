#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/spec/facts.h"
#include "orchestrate/spec/factor_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/printed.h"
#include "orchestrate/spec/range.h"

static void read_set(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct level_reading *lr = into;

	variables_read(r, value, "variable", &lr->vars, &lr->n_vars);
}

static void read_use(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct level_reading *lr = into;

	use_read(r, &lr->use, value);
}

static void read_params(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct level_reading *lr = into;

	use_read_params(r, &lr->use, value);
}

static void read_other(struct reading *r, void *into,
		       const struct yaml_pair *pair)
{
	struct level_reading *lr = into;

	(void)r;
	given_add(&lr->use.given, pair);
}

static const struct form set_form = {
	.kind = FORM_MAP, .what = "a variable's name", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};
static const struct form use_form = {
	.kind = FORM_TEXT, .what = "a treatment's name, FAMILY or FAMILY/LEVEL",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?",
};
static const struct form params_form = {
	.kind = FORM_MAP, .what = "a parameter's name", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};

static const struct key level_table[] = {
	{ .name = "name", .kind = VALUE_TEXT, .required = true,
	  .offset = offsetof(struct level_reading, name),
	  .example = "name: mq-deadline",
	  .doc = "the level, as scripts get it" },
	{ .name = "label", .kind = VALUE_LOCALIZED,
	  .offset = offsetof(struct level_reading, label),
	  .fallback = "its name", .example = "label: {en: disk, fi: levy}",
	  .doc = "how charts and tables call it" },
	{ .name = "set", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_set, .form = &set_form, .fallback = "nothing",
	  .example = "set: {port: 5002, pool: 'tank/${level}'}",
	  .doc = "further variables this level sets" },
	{ .name = "use", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_use, .form = &use_form,
	  .fallback = "what the factor uses",
	  .example = "use: sysctl",
	  .doc = "the treatment that puts this level in effect" },
	{ .name = "params", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_params, .form = &params_form, .fallback = "none",
	  .example = "params: {key: vm.swappiness}",
	  .doc = "parameters of its treatment, for this level; they may also "
		 "stand beside these keys" },
};

const struct key_table level_keys = {
	.what = "a level",
	.keys = level_table,
	.n = sizeof(level_table) / sizeof(*level_table),
	.other = read_other,
	.other_form = &value_form,
};

static void check_name(struct reading *r, struct mark at, const char *name)
{
	const char *fault = name ? printed_fault(name, true) : NULL;

	if (fault)
		problems_add(r->problems, at,
			     "a level cannot hold %s; give it a short name, "
			     "and \"set\" a variable", fault);
}

/* The name of a level that is `node`, computed if need be. */
static char *level_name(struct reading *r, const char *what,
			const struct yaml_node *node, bool *known)
{
	const char *text = reading_text(r, node, what);
	char *name = NULL;

	if (!text)
		return NULL;
	if (text[0] != '=')
		return mem_strdup(text);
	return facts_text(r, node, &name, known) ? NULL : name;
}

/* A level without a name is dropped, and its other keys with it: that one of
 * them is a misspelt name would go unsaid. */
static void tell_nameless(struct reading *r, const struct level_reading *lr)
{
	static const char *const name[] = { "name" };

	for (size_t i = 0; i < lr->use.given.n; i++) {
		const struct yaml_pair *pair = lr->use.given.items[i];

		if (!lr->use.name || strlist_nearest(pair->key, name, 1))
			keys_unknown(r, &level_keys, pair, NULL);
	}
}

static void read_mapping(struct reading *r, const struct yaml_node *node,
			 struct level_reading *lr)
{
	const struct yaml_pair *pair = yaml_get(node, "name");

	keys_read(r, &level_keys, node->mark, node, lr);
	if (!lr->name) {
		tell_nameless(r, lr);
		return;
	}
	lr->mark = pair->value->mark;
	free(lr->name);
	lr->name = level_name(r, "name", pair->value, &lr->known);
}

static void release_level(struct level_reading *lr)
{
	free(lr->name);
	localized_release(&lr->label);
	variables_release(lr->vars, lr->n_vars);
	use_release(&lr->use);
}

void levels_release(struct factor_reading *fr)
{
	for (size_t i = 0; i < fr->f->n_levels; i++)
		release_level(&fr->levels[i]);
	free(fr->levels);
	fr->levels = NULL;
}

/* Takes the level as the factor's next. Its name stays in `lr`, too. */
static void add_level(struct factor_reading *fr, struct level_reading *lr,
		      struct mark mark)
{
	struct level *l = &fr->f->levels[fr->f->n_levels];
	struct level_use *u = &fr->u->levels[fr->f->n_levels];

	l->name = mem_strdup(lr->name);
	l->label = lr->label;
	u->mark = mark;
	u->vars = lr->vars;
	u->n_vars = u->n_given = lr->n_vars;
	lr->label = (struct localized){ .n = 0 };
	lr->vars = NULL;
	lr->n_vars = 0;
	fr->levels[fr->f->n_levels++] = *lr;
}

static bool is_computed(const struct yaml_node *node)
{
	const struct yaml_pair *name = yaml_get(node, "name");

	node = name ? name->value : node;
	return node->kind == YAML_SCALAR && node->text[0] == '=';
}

/* A level that is computed may come out as another on some host: that is no
 * mistake in the file. */
static void repeated(struct reading *r, const struct yaml_node *node,
		     const struct level_reading *lr, const struct mark *first)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	problem_quote(quoted, lr->name);
	if (!is_computed(node))
		problems_add(r->problems, node->mark,
			     "level \"%s\" is there already, on line %u",
			     quoted, first->line);
	else if (lr->known)
		reading_warn(r, node->mark,
			     "this level is \"%s\" here, which is there "
			     "already, on line %u; it is left out", quoted,
			     first->line);
}

/* It counts only with a name that is new. */
static void read_level(struct reading *r, const struct yaml_node *node,
		       struct factor_reading *fr, struct map *seen)
{
	struct level_reading lr = { .mark = node->mark, .known = true };
	const struct mark *first;

	if (node->kind == YAML_MAPPING)
		read_mapping(r, node, &lr);
	else
		lr.name = level_name(r, fr->f->name, node, &lr.known);
	if (lr.name && !*lr.name && node->kind != YAML_MAPPING)
		problems_add(r->problems, node->mark,
			     "a level cannot be empty");
	check_name(r, node->mark, lr.name);
	first = lr.name ? map_get(seen, lr.name) : NULL;
	if (first)
		repeated(r, node, &lr, first);
	if (lr.name && !first) {
		map_put(seen, lr.name, (void *)&node->mark);
		add_level(fr, &lr, node->mark);
	} else {
		release_level(&lr);
	}
}

static void reserve(struct factor_reading *fr, size_t n)
{
	fr->f->levels = mem_zalloc(n, sizeof(*fr->f->levels));
	fr->u->levels = mem_zalloc(n, sizeof(*fr->u->levels));
	fr->levels = mem_zalloc(n, sizeof(*fr->levels));
}

void levels_from_list(struct reading *r, struct factor_reading *fr)
{
	const struct yaml_node *list = fr->list;
	struct map seen = MAP_INIT;

	if (!list->n_items)
		problems_add(r->problems, list->mark,
			     "factor \"%s\" has no level", fr->f->name);
	if (list->n_items > RANGE_MAX_LEVELS) {
		problems_add(r->problems, list->mark,
			     "factor \"%s\" has %zu levels; at most %d are "
			     "possible", fr->f->name, list->n_items,
			     RANGE_MAX_LEVELS);
		return;
	}
	reserve(fr, list->n_items);
	for (size_t i = 0; i < list->n_items; i++)
		read_level(r, list->items[i], fr, &seen);
	map_release(&seen);
}

void levels_from_names(struct factor_reading *fr, const struct strlist *names,
		       struct mark mark)
{
	reserve(fr, names->n);
	for (size_t i = 0; i < names->n; i++) {
		struct level_reading lr = {
			.name = mem_strdup(names->items[i]),
			.mark = mark,
			.known = true,
		};

		add_level(fr, &lr, mark);
	}
}

void levels_from_range(struct reading *r, struct factor_reading *fr)
{
	const struct range range = { .ends = fr->range, .step = fr->step,
				     .points = fr->points };
	struct strlist names = STRLIST_INIT;

	if (!range_levels(r, &range, &names))
		levels_from_names(fr, &names, fr->range->mark);
	strlist_release(&names);
}
