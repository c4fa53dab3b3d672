#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/factor_parse.h"
#include "orchestrate/spec/names.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"

void use_read(struct reading *r, struct use_reading *use,
	      const struct yaml_node *value)
{
	(void)r;
	use->name = mem_strdup(value->text);
	use->mark = value->mark;
}

void use_read_params(struct reading *r, struct use_reading *use,
		     const struct yaml_node *value)
{
	(void)r;
	given_add_all(&use->given, value);
}

void use_release(struct use_reading *use)
{
	free(use->name);
	strlist_release(&use->family);
	given_release(&use->given);
}

/* A name, or two with one "/" between them; reports if not. */
static bool legal(struct reading *r, const struct use_reading *use)
{
	const char *slash = strchr(use->name, '/');
	char *family = slash ? mem_strndup(use->name,
					   (size_t)(slash - use->name))
			     : NULL;
	bool ok = family && !name_fault(family) && !name_fault(slash + 1);

	/* one that is no name is reported as a whole */
	ok = ok || reading_name(r, use->mark, "treatment", use->name);
	free(family);
	return ok;
}

static struct treatment_def *resolve(struct reading *r,
				     struct factor_reading *fr,
				     const char *name, struct mark mark)
{
	struct treatment_def *def = r->resolver->treatment(
		r->resolver->ctx, name, mark, &r->e->files, r->problems);

	if (!def)
		fr->unresolved = true;
	return def;
}

/* Whether it is a family; asked once, and only for what has a legal name. */
static bool find_family(struct reading *r, struct use_reading *use)
{
	const struct resolver *s = r->resolver;

	return s->family && !strchr(use->name, '/') &&
	       s->family(s->ctx, use->name, &use->family);
}

void uses_resolve_factor(struct reading *r, struct factor_reading *fr)
{
	struct use_reading *use = &fr->use;

	if (!use->name)
		return;
	fr->u->definition = mem_strdup(use->name);
	if (!legal(r, use)) {
		fr->unresolved = true;
		return;
	}
	use->is_family = find_family(r, use);
	if (!use->is_family)
		fr->u->treatment.def = resolve(r, fr, use->name, use->mark);
}

/* The definition FAMILY/LEVEL. A level that could be no file's name is just
 * as unknown as one that has no file. */
static struct treatment_def *resolve_member(struct reading *r,
					    struct factor_reading *fr,
					    const struct use_reading *use,
					    const struct level_reading *lr)
{
	struct treatment_def *def = NULL;
	char *name = mem_printf("%s/%s", use->name, lr->name);
	char *of = mem_printf("family %s", use->name);

	if (!lr->known) {
		fr->unresolved = true;
	} else if (strlist_has(&use->family, lr->name)) {
		def = resolve(r, fr, name, lr->mark);
	} else {
		fr->unresolved = true;
		problems_add_undefined(r->problems, lr->mark, "level",
				       lr->name, of, &use->family);
	}
	free(of);
	free(name);
	return def;
}

/* A level's own definition; NULL when it has none, or cannot have it. */
static struct treatment_def *resolve_level(struct reading *r,
					   struct factor_reading *fr,
					   struct level_reading *lr)
{
	struct use_reading *use = &lr->use;

	if (use->name && !legal(r, use)) {
		fr->unresolved = true;
		return NULL;
	}
	if (use->name)
		use->is_family = find_family(r, use);
	else if (fr->use.is_family)
		return resolve_member(r, fr, &fr->use, lr);
	if (use->name && !use->is_family)
		return resolve(r, fr, use->name, use->mark);
	if (use->name)
		return resolve_member(r, fr, use, lr);
	/* parameters of its own for what serves the whole factor */
	if (use->given.n && fr->u->treatment.def)
		return resolve(r, fr, fr->use.name, fr->use.mark);
	return NULL;
}

static bool is_param(const struct treatment_def *def, const char *name)
{
	return parameters_find(def->params, def->n_params, name);
}

static bool gives(const struct given *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (!strcmp(g->items[i]->key, name))
			return true;
	return false;
}

/* What is given that the definition has; what is given nearer hides it. */
static void take(const struct treatment_def *def, const struct given *from,
		 const struct given *nearer, struct given *out)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct yaml_pair *pair = from->items[i];

		if (is_param(def, pair->key) &&
		    !(nearer && gives(nearer, pair->key)))
			given_add(out, pair);
	}
}

/* `own`: what the level gives itself, or NULL. */
static void give_params(struct reading *r, const struct factor_reading *fr,
			const struct given *own, struct mark mark,
			struct treatment_use *t)
{
	struct given good = { .items = NULL };
	struct declared d = { .params = t->def->params,
			      .n = t->def->n_params };
	char *of = mem_printf("treatment %s", t->def->name);

	d.of = of;
	if (own)
		take(t->def, own, NULL, &good);
	take(t->def, &fr->use.given, own, &good);
	params_merge(r, &d, &good, mark, &t->params, &t->n_params,
		     &t->n_given);
	given_release(&good);
	free(of);
}

/* What the definition sets, unless the level itself says otherwise. */
static void add_set(struct level_use *u, const struct treatment_def *def)
{
	if (!def->n_set)
		return;
	u->vars = mem_realloc(u->vars, u->n_vars + def->n_set,
			      sizeof(*u->vars));
	for (size_t i = 0; i < def->n_set; i++)
		if (!variables_find(u->vars, u->n_given, def->set[i].name))
			variable_copy(&u->vars[u->n_vars++], &def->set[i]);
}

static void check_level(struct reading *r, const struct treatment_def *def,
			const struct level_reading *lr)
{
	char *of;

	if (!def->levels.n || !lr->known || !*lr->name ||
	    strlist_has(&def->levels, lr->name))
		return;
	of = mem_printf("treatment %s", def->name);
	problems_add_undefined(r->problems, lr->mark, "level", lr->name, of,
			       &def->levels);
	free(of);
}

/* A key that is no parameter may be a misspelt key as well as a misspelt
 * parameter: suggest from both. */
static void check_own(struct reading *r, const struct treatment_def *def,
		      const struct given *own)
{
	struct strlist names = STRLIST_INIT;

	if (def)
		parameters_names(def->params, def->n_params, &names);
	for (size_t i = 0; i < own->n; i++)
		if (!def || !is_param(def, own->items[i]->key))
			keys_unknown(r, &level_keys, own->items[i], &names);
	strlist_release(&names);
}

static void resolve_one(struct reading *r, struct factor_reading *fr, size_t i)
{
	struct level_reading *lr = &fr->levels[i];
	struct level_use *u = &fr->u->levels[i];
	struct treatment_use *t = &u->treatment;
	const struct treatment_def *def;
	bool before = fr->unresolved, unresolved;

	fr->unresolved = false;
	t->def = resolve_level(r, fr, lr);
	unresolved = fr->unresolved;
	fr->unresolved = before || unresolved;
	def = t->def ? t->def : unresolved ? NULL : fr->u->treatment.def;
	if (!unresolved && (def || !before))
		check_own(r, def, &lr->use.given);
	if (t->def)
		give_params(r, fr, &lr->use.given,
			    lr->use.name ? lr->use.mark : u->mark, t);
	if (def) {
		check_level(r, def, lr);
		add_set(u, def);
	}
}

/* A factor's parameter is right when any of its definitions has it. */
static bool anywhere(const struct factor_reading *fr, const char *name)
{
	const struct treatment_def *def = fr->u->treatment.def;

	if (def && is_param(def, name))
		return true;
	for (size_t i = 0; i < fr->f->n_levels; i++) {
		def = fr->u->levels[i].treatment.def;
		if (def && is_param(def, name))
			return true;
	}
	return false;
}

static void check_given(struct reading *r, const struct factor_reading *fr)
{
	struct strlist names = STRLIST_INIT;
	const struct treatment_def *def = fr->u->treatment.def;

	if (def)
		parameters_names(def->params, def->n_params, &names);
	for (size_t i = 0; i < fr->f->n_levels; i++) {
		def = fr->u->levels[i].treatment.def;
		if (def)
			parameters_names(def->params, def->n_params, &names);
	}
	for (size_t i = 0; i < fr->use.given.n; i++) {
		const struct yaml_pair *pair = fr->use.given.items[i];

		if (!anywhere(fr, pair->key))
			keys_unknown(r, &factor_keys, pair, &names);
	}
	strlist_release(&names);
}

/* The factor's name is a variable of the scripts, as parameters are. */
static void check_hidden(struct reading *r, const struct factor_reading *fr)
{
	const char *name = fr->f->name;
	const struct treatment_def *def = fr->u->treatment.def;

	for (size_t i = 0; i < fr->f->n_levels && !(def && is_param(def, name));
	     i++)
		def = fr->u->levels[i].treatment.def;
	if (def && is_param(def, name))
		problems_add(r->problems, fr->u->mark,
			     "factor \"%s\" hides the parameter \"%s\" of "
			     "treatment %s; give the factor another name",
			     name, name, def->name);
}

/* Once, not for each level that takes it. */
static void check_twice(struct reading *r, struct given *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct given before = { .items = g->items, .n = n };

		if (gives(&before, g->items[i]->key))
			problems_add(r->problems, g->items[i]->mark,
				     "parameter \"%s\" is given twice",
				     g->items[i]->key);
		else
			g->items[n++] = g->items[i];
	}
	g->n = n;
}

void uses_resolve_levels(struct reading *r, struct factor_reading *fr)
{
	check_twice(r, &fr->use.given);
	for (size_t i = 0; i < fr->f->n_levels; i++) {
		check_twice(r, &fr->levels[i].use.given);
		resolve_one(r, fr, i);
	}
	if (fr->u->treatment.def)
		give_params(r, fr, NULL, fr->use.mark, &fr->u->treatment);
	if (!fr->unresolved)
		check_given(r, fr);
	check_hidden(r, fr);
}
