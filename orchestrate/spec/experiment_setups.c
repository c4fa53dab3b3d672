#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/spec/variables.h"
#include "stats/factor.h"

#define DEFAULT_TIMEOUT 600

/* A set-up is put into effect by a treatment of its own. */
struct setup_reading {
	struct setup s;
	char *run, *check, *clean, *role;
	double timeout, cost;
	struct strlist needs;
};

static int by_index(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

static void add_factor(struct reading *r, struct setup *s,
		       const struct yaml_node *node)
{
	const char *name = reading_text(r, node, "per");
	int factor = name ? find_factor(r, node->mark, name) : -1;

	if (factor < 0)
		return;
	for (size_t i = 0; i < s->n_per; i++)
		if (s->per[i] == (size_t)factor) {
			problems_add(r->problems, node->mark,
				     "set-up \"%s\" has factor \"%s\" twice",
				     s->name, name);
			return;
		}
	s->per[s->n_per++] = (size_t)factor;
}

static void read_per(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct setup_reading *sr = into;
	size_t n = reading_items(value);

	if (n > READING_MAX_ENTRIES)
		n = READING_MAX_ENTRIES;
	sr->s.per = mem_zalloc(n, sizeof(*sr->s.per));
	for (size_t i = 0; i < n; i++)
		add_factor(r, &sr->s, reading_item(value, i));
	if (sr->s.n_per)
		qsort(sr->s.per, sr->s.n_per, sizeof(*sr->s.per), by_index);
}

static void read_with(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct setup_reading *sr = into;
	struct treatment_use *u = &sr->s.treatment;

	variables_read(r, value, "variable", &u->params, &u->n_params);
	u->n_given = u->n_params;
}

static void read_role(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct setup_reading *sr = into;

	if (!r->e->n_roles || find_role(r, value->mark, value->text) >= 0)
		sr->role = mem_strdup(value->text);
}

static const struct form factor_form = {
	.kind = FORM_TEXT, .what = "a factor's name",
};
static const struct form factor_list_form = {
	.kind = FORM_LIST, .item = &factor_form,
};
static const struct form *const per_forms[] = {
	&factor_form, &factor_list_form, NULL,
};
static const struct form per_form = { .kind = FORM_ANY, .any = per_forms };
static const struct form role_form = {
	.kind = FORM_TEXT, .what = "a role's name",
};
static const struct form with_form = {
	.kind = FORM_MAP, .what = "a variable", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};

#define AT(member) .offset = offsetof(struct setup_reading, member)

static const struct key keys[] = {
	{ .name = "per", .kind = VALUE_CUSTOM, .read = read_per,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .form = &per_form,
	  .doc = "the factors that it depends on: it is made once for each "
		 "combination of their levels that runs have",
	  .fallback = "none: it is made once on each host",
	  .example = "per: [compiler, kernel]" },
	{ .name = "run", .kind = VALUE_SCRIPT, AT(run), .required = true,
	  .doc = "what makes it; safe to run twice",
	  .example = "run: make -C \"$source\" CC=\"$compiler\"" },
	{ .name = "check", .kind = VALUE_SCRIPT, AT(check),
	  .doc = "succeeds when it is there",
	  .fallback = "a script that succeeds",
	  .example = "check: test -x \"$source/bench\"" },
	{ .name = "clean", .kind = VALUE_SCRIPT, AT(clean),
	  .doc = "takes it away", .fallback = "nothing is done",
	  .example = "clean: make -C \"$source\" clean" },
	{ .name = "role", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_role, .form = &role_form,
	  .doc = "the role on whose hosts it is made",
	  .fallback = "the role that runs the benchmark",
	  .example = "role: server" },
	{ .name = "with", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_with, .table = &lookup_keys, .form = &with_form,
	  .doc = "variables of its scripts",
	  .example = "with: {source: /srv/bench}" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(needs),
	  .doc = "programs that must be on the host",
	  .example = "needs: [make, gcc]" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(timeout),
	  .doc = "longest time that each script may take", .fallback = "10m",
	  .example = "timeout: 1h" },
	{ .name = "cost", .kind = VALUE_DURATION, AT(cost),
	  .doc = "how long it takes to make, for planning",
	  .example = "cost: 5m" },
};

const struct key_table setup_keys = KEY_TABLE("a set-up", keys);

static const struct form setup_form = {
	.kind = FORM_OBJECT, .table = &setup_keys,
};
const struct form setups_form = {
	.kind = FORM_MAP, .what = "a set-up", .item = &setup_form,
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};

static char *script_or_nothing(char **script)
{
	char *s = *script ? *script : mem_strdup(":");

	*script = NULL;
	return s;
}

static struct treatment_def *definition_of(struct setup_reading *sr)
{
	struct treatment_def *d = mem_zalloc(1, sizeof(*d));

	d->name = mem_strdup(sr->s.name);
	d->file = mem_strdup(sr->s.mark.file);
	d->mark = sr->s.mark;
	d->doc = mem_strdup("");
	d->apply = script_or_nothing(&sr->run);
	d->verify = script_or_nothing(&sr->check);
	d->revert = script_or_nothing(&sr->clean);
	d->applies_to = sr->role;
	d->cost = sr->cost;
	d->timeout = sr->timeout;
	d->needs = sr->needs;
	return d;
}

static void check_name(struct reading *r, const struct setup *s)
{
	const struct experiment *e = r->e;

	reading_name(r, s->mark, "set-up", s->name);
	if (factor_find(e->factors, e->n_factors, s->name) >= 0)
		problems_add(r->problems, s->mark,
			     "set-up \"%s\" has the name of a factor; give it "
			     "another one", s->name);
}

static bool is_per(const struct setup *s, size_t factor)
{
	for (size_t i = 0; i < s->n_per; i++)
		if (s->per[i] == factor)
			return true;
	return false;
}

/* Runs that share it may differ in all other factors. */
static void check_lookups(struct reading *r, const struct setup *s)
{
	const struct experiment *e = r->e;

	for (size_t i = 0; i < s->treatment.n_params; i++) {
		const struct lookup *l = s->treatment.params[i].lookup;
		int f = l ? factor_find(e->factors, e->n_factors, l->by) : -1;

		if (f >= 0 && !is_per(s, (size_t)f))
			problems_add(r->problems, l->mark,
				     "set-up \"%s\" is shared by runs of all "
				     "levels of \"%s\"; add it to \"per\"",
				     s->name, l->by);
	}
}

static void read_setup(struct reading *r, const struct yaml_pair *pair,
		       struct setup *out)
{
	struct setup_reading sr = { .s.mark = pair->mark,
				    .timeout = DEFAULT_TIMEOUT };

	sr.s.name = mem_strdup(pair->key);
	check_name(r, &sr.s);
	if (reading_mapping(r, pair->value, pair->key))
		keys_read(r, &setup_keys, pair->mark, pair->value, &sr);
	check_lookups(r, &sr.s);
	sr.s.treatment.def = definition_of(&sr);
	*out = sr.s;
}

void setups_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "set-ups");

	e->setups = mem_zalloc(entries, sizeof(*e->setups));
	for (size_t i = 0; i < entries; i++)
		read_setup(r, &value->pairs[i], &e->setups[e->n_setups++]);
}
