#include "orchestrate/spec/profiles.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/matrix_tags.h"
#include "orchestrate/spec/tags.h"
#include "orchestrate/spec/yaml_merge.h"
#include "stats/design.h"

/* Top-level keys that a profile cannot change. */
static const char *const fixed[] = { "assay", "experiment", "include",
				     "profiles", NULL };
/* What is no part of the tree. */
static const char *const apart[] = { "assay", "experiment", "include",
				     "profiles", "only", "skip", "tags",
				     NULL };

static bool is_in(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

static const struct yaml_pair *find_profile(struct reading *r,
					    const struct yaml_node *all,
					    const char *name)
{
	const struct yaml_pair *pair = all ? yaml_get(all, name) : NULL;
	struct mark whole = { .file = r->e->files.items[0] };
	struct strlist known = STRLIST_INIT;

	if (pair)
		return pair;
	if (!all || !all->n_pairs) {
		problems_add(r->problems, whole,
			     "there is no profile \"%s\": the file has no "
			     "\"profiles\"", name);
		return NULL;
	}
	for (size_t i = 0; i < all->n_pairs; i++)
		strlist_push(&known, all->pairs[i].key);
	problems_add_undefined(r->problems, whole, "profile", name, NULL,
			       &known);
	strlist_release(&known);
	return NULL;
}

static const struct yaml_node *put_over(struct reading *r,
					const struct yaml_node *root,
					const struct yaml_pair *profile)
{
	const struct yaml_node *body = profile->value;

	if (body->kind != YAML_MAPPING)
		return root; /* reported where profiles are read */
	body = yaml_without(r->made, body, apart);
	root = yaml_merge(r->made, root, body);
	return yaml_merge_fits(root, profile->mark, "the experiment",
			       r->problems) ? root : NULL;
}

const struct yaml_node *profiles_apply(struct reading *r,
				       const struct yaml_node *root)
{
	const struct strlist *names = r->options ? r->options->profiles : NULL;
	const struct yaml_pair *all = yaml_get(root, "profiles");

	for (size_t i = 0; names && root && i < names->n; i++) {
		const struct yaml_pair *profile =
			find_profile(r, all ? all->value : NULL,
				     names->items[i]);

		if (!profile || strlist_has(&r->e->profiles, names->items[i]))
			continue;
		strlist_push(&r->e->profiles, names->items[i]);
		root = put_over(r, root, profile);
	}
	return root;
}

struct profile_reading {
	const char *name;
	bool chosen; /* its keys are read with the tree */
	/* whether what it names can be looked for: of one that is not chosen
	 * only in the file itself, and if it does not bring that */
	bool factors, benchmarks;
};

/* A level of the factor; of none: a benchmark. */
static void add_level(struct reading *r, const struct profile_reading *pr,
		      const struct yaml_node *node, const char *of, int factor,
		      struct buf *text)
{
	const char *name = reading_text(r, node, of);
	bool first = text->n == strlen(of) + 1;

	if (!name)
		return;
	if (factor >= 0 && is_absence(r, (size_t)factor, name))
		; /* what there is of it, the chosen profile says */
	else if (factor >= 0 && pr->factors &&
		 r->e->factors[factor].n_levels)
		find_level(r, node->mark, (size_t)factor, name);
	else if (factor < 0 && pr->benchmarks)
		find_benchmark(r, node->mark, name);
	buf_adds(text, first ? "" : ",");
	treatment_key_escape(name, text);
}

static void read_choice(struct reading *r, const struct profile_reading *pr,
			const struct yaml_pair *pair, struct strlist *out)
{
	const struct yaml_node *list = pair->value;
	bool bench = !strcmp(pair->key, "benchmark");
	struct buf text = BUF_INIT;
	int factor = -1;

	if (!bench && pr->factors)
		factor = find_factor(r, pair->mark, pair->key);
	if (!bench && factor < 0)
		return;
	if (list->kind == YAML_SEQUENCE && !list->n_items)
		problems_add(r->problems, list->mark,
			     "\"%s\" has no level here: name those that are "
			     "meant", pair->key);
	buf_addf(&text, "%s=", pair->key);
	for (size_t i = 0; i < reading_items(list); i++)
		add_level(r, pr, reading_item(list, i), pair->key, factor,
			  &text);
	if (pr->chosen)
		strlist_push(out, text.data);
	buf_release(&text);
}

/* {platform: [docker, lxc], benchmark: fio} as "platform=docker,lxc" and
 * "benchmark=fio", names escaped as in a treatment's key. */
static void read_choices(struct reading *r, const struct profile_reading *pr,
			 const struct yaml_node *map, struct strlist *out)
{
	size_t entries = reading_entries(r, map, "factors");

	for (size_t i = 0; i < entries; i++)
		read_choice(r, pr, &map->pairs[i], out);
}

static void read_only(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	read_choices(r, into, value, &r->e->only);
}

static void read_skip(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	read_choices(r, into, value, &r->e->skip);
}

static bool any_tag(void *ctx, const char *tag, size_t n)
{
	(void)ctx;
	(void)tag;
	(void)n;
	return true;
}

static void read_tags(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	const struct profile_reading *pr = into;
	struct error err = ERROR_INIT;

	if (!pr->chosen && tags_match(value->text, any_tag, NULL, &err) < 0)
		problems_add(r->problems, value->mark, "\"tags\": %s",
			     err.text);
	if (pr->chosen &&
	    tags_known(r, value->mark, "\"tags\"", value->text))
		strlist_push(&r->e->tags, value->text);
}

static const struct form name_form = { .kind = FORM_TEXT,
				       .what = "a level's name" };
static const struct form names_form = { .kind = FORM_LIST,
					.item = &name_form, .min = 1 };
static const struct form one_or_more = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &name_form, &names_form, NULL },
};
static const struct form choices_form = {
	.kind = FORM_MAP, .item = &one_or_more, .what = "a factor's name",
};
static const struct form tags_form = {
	.kind = FORM_TEXT, .what = "an expression over tags",
};

static const struct key profile_table[] = {
	{ .name = "only", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_only, .form = &choices_form,
	  .doc = "levels (and, as \"benchmark\", benchmarks) to keep: other "
		 "planned runs are left out",
	  .fallback = "all", .example = "only: {platform: [docker, lxc]}" },
	{ .name = "skip", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_skip, .form = &choices_form,
	  .doc = "levels (and, as \"benchmark\", benchmarks) to leave out",
	  .fallback = "none", .example = "skip: {benchmark: fio-randwrite}" },
	{ .name = "tags", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_tags, .form = &tags_form,
	  .doc = "an expression over the tags of benchmarks and matrices: "
		 "others are left out",
	  .fallback = "all", .example = "tags: network and not slow" },
};

static void check_form(struct reading *r, const struct form *form,
		       const struct yaml_node *node);

/* Looks for keys that do not exist; the values are not looked at. */
static void check_table(struct reading *r, const struct key_table *t,
			const struct yaml_node *map)
{
	for (size_t i = 0; i < map->n_pairs; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		const struct key *key = keys_find(t, pair->key);
		bool object = key && key->kind == VALUE_OBJECT &&
			      pair->value->kind == YAML_MAPPING;

		if (object)
			check_table(r, key->table, pair->value);
		else if (key && key->kind == VALUE_CUSTOM && key->form)
			check_form(r, key->form, pair->value);
		else if (!key && !t->other)
			keys_unknown(r, t, pair, NULL);
	}
}

/* Of two forms that the node may have, the one that fits its shape. */
static bool suits(const struct form *form, const struct yaml_node *node)
{
	switch (form->kind) {
	case FORM_OBJECT:
	case FORM_MAP:
		return node->kind == YAML_MAPPING;
	case FORM_LIST:
		return node->kind == YAML_SEQUENCE;
	default:
		return false;
	}
}

static void check_form(struct reading *r, const struct form *form,
		       const struct yaml_node *node)
{
	if (form->kind == FORM_ANY) {
		const struct form *const *any = form->any;

		while (*any && !suits(*any, node))
			any++;
		if (*any)
			check_form(r, *any, node);
		return;
	}
	if (!suits(form, node))
		return;
	if (form->kind == FORM_OBJECT && form->table)
		check_table(r, form->table, node);
	for (size_t i = 0; form->kind == FORM_MAP && i < node->n_pairs; i++)
		check_form(r, form->item, node->pairs[i].value);
	for (size_t i = 0; form->kind == FORM_LIST && i < node->n_items; i++)
		check_form(r, form->item, node->items[i]);
}

static void unknown_key(struct reading *r, const struct yaml_pair *pair)
{
	struct strlist names = STRLIST_INIT;

	for (size_t i = 0; i < experiment_keys.n; i++)
		if (!is_in(fixed, experiment_keys.keys[i].name) &&
		    experiment_keys.keys[i].kind != VALUE_LATER)
			strlist_push(&names, experiment_keys.keys[i].name);
	problems_add_undefined(r->problems, pair->mark, "key", pair->key,
			       "a profile", &names);
	strlist_release(&names);
}

/* A key of the experiment. */
static void read_other(struct reading *r, void *into,
		       const struct yaml_pair *pair)
{
	const struct key *key = keys_find(&experiment_keys, pair->key);
	const struct profile_reading *pr = into;

	if (is_in(fixed, pair->key))
		problems_add(r->problems, pair->mark,
			     "profile \"%s\" cannot change \"%s\"", pr->name,
			     pair->key);
	else if (pr->chosen)
		return; /* the tree has it */
	else if (!key)
		unknown_key(r, pair);
	else if (key->kind == VALUE_OBJECT &&
		 pair->value->kind == YAML_MAPPING)
		check_table(r, key->table, pair->value);
	else if (key->form)
		check_form(r, key->form, pair->value);
}

const struct key_table profile_keys = {
	.what = "a profile",
	.keys = profile_table,
	.n = sizeof(profile_table) / sizeof(*profile_table),
	.partial_of = &experiment_keys,
	.fixed = fixed,
	.other = read_other,
};

static void read_profile(struct reading *r, const struct yaml_pair *pair)
{
	bool chosen = strlist_has(&r->e->profiles, pair->key);
	bool plain = !r->e->profiles.n;
	struct profile_reading pr = {
		.name = pair->key,
		.chosen = chosen,
		.factors = chosen || (plain &&
				     !yaml_get(pair->value, "factors")),
		.benchmarks = chosen || (plain &&
					!yaml_get(pair->value, "benchmarks")),
	};

	if (reading_name(r, pair->mark, "profile", pair->key) &&
	    reading_mapping(r, pair->value, pair->key))
		keys_read(r, &profile_keys, pair->mark, pair->value, &pr);
}

void profiles_section_read(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct experiment *e = into;

	for (size_t i = 0; i < reading_entries(r, value, "profiles"); i++) {
		read_profile(r, &value->pairs[i]);
		strlist_push(&e->profile_names, value->pairs[i].key);
	}
}
