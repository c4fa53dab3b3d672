#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/design_section.h"
#include "orchestrate/spec/experiment_parse.h"
#include "stats/factor.h"
#include "stats/fraction.h"

void base_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct matrix *m = dr->m;

	if (!design_takes(r, dr, "base", KIND(DESIGN_ONE_AT_A_TIME)))
		return;
	conditions_read(r, value, false, &m->base, &m->n_base);
	for (size_t i = 0; i < m->n_base; i++) {
		const char *name = r->e->factors[m->base[i].factor].name;

		design_factor(r, dr, yaml_get(value, name)->mark, name);
	}
}

/* Without the white space around it; caller frees. */
static char *trimmed(const char *text, size_t n)
{
	while (n && (*text == ' ' || *text == '\t')) {
		text++;
		n--;
	}
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	return mem_strndup(text, n);
}

static bool multiplies(const struct generator *g, size_t factor)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->of[i] == factor)
			return true;
	return false;
}

static void add_part(struct reading *r, const struct design_reading *dr,
		     const struct yaml_pair *pair, const char *name,
		     struct generator *g)
{
	int factor;

	if (!*name) {
		problems_add(r->problems, pair->value->mark,
			     "generator of \"%s\": a factor is missing; write "
			     "a product such as a*b, or -a*b", pair->key);
		return;
	}
	factor = design_factor(r, dr, pair->value->mark, name);
	if (factor < 0)
		return;
	if ((size_t)factor == g->factor)
		problems_add(r->problems, pair->value->mark,
			     "generator of \"%s\": a factor cannot be made "
			     "of itself", pair->key);
	else if (multiplies(g, (size_t)factor))
		problems_add(r->problems, pair->value->mark,
			     "generator of \"%s\": \"%s\" is in the product "
			     "twice, which cancels out", pair->key, name);
	else
		g->of[g->n++] = (size_t)factor;
}

static void read_product(struct reading *r, const struct design_reading *dr,
			 const struct yaml_pair *pair, struct generator *g)
{
	size_t before = r->problems->total;
	const char *text = reading_text(r, pair->value, pair->key);

	if (!text)
		return;
	text += strspn(text, " \t");
	g->negative = *text == '-';
	text += g->negative;
	for (bool more = true; more;) {
		size_t n = strcspn(text, "*");
		char *name = trimmed(text, n);

		/* there is room: none is in it twice */
		add_part(r, dr, pair, name, g);
		free(name);
		more = text[n];
		text += n + more;
	}
	if (g->n == 1 && r->problems->total == before)
		problems_add(r->problems, pair->value->mark,
			     "generator of \"%s\": it would go along with "
			     "\"%s\" always, and nothing could tell them "
			     "apart; write a product of two factors or more",
			     pair->key, r->e->factors[g->of[0]].name);
}

/* What is made by a generator cannot make others: the basic factors do. */
static void check_basic(struct reading *r, const struct matrix *m,
			const struct yaml_node *map)
{
	for (size_t i = 0; i < m->n_generators; i++)
		for (size_t k = 0; k < m->n_generators; k++) {
			const struct generator *g = &m->generators[i];
			size_t made = m->generators[k].factor;
			const char *name = r->e->factors[g->factor].name;

			if (i == k || !multiplies(g, made))
				continue;
			problems_add(r->problems,
				     yaml_get(map, name)->value->mark,
				     "generator of \"%s\": \"%s\" has a "
				     "generator itself; write the product with "
				     "factors that have none", name,
				     r->e->factors[made].name);
		}
}

void generators_read(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct matrix *m = dr->m;
	size_t entries = reading_entries(r, value, "generators");
	size_t before = r->problems->total;

	if (!design_takes(r, dr, "generators", KIND(DESIGN_FRACTIONAL)))
		return;
	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "no generator: a fraction has one or more, for "
			     "example {c: a*b}");
	m->generators = mem_zalloc(entries, sizeof(*m->generators));
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &value->pairs[i];
		int factor = design_factor(r, dr, pair->mark, pair->key);
		struct generator *g;

		if (factor < 0)
			continue;
		g = &m->generators[m->n_generators++];
		g->factor = (size_t)factor;
		g->of = mem_zalloc(r->e->n_factors, sizeof(*g->of));
		read_product(r, dr, pair, g);
	}
	if (r->problems->total == before)
		check_basic(r, m, value);
}

void fraction_check(struct reading *r, const struct design_reading *dr)
{
	const struct matrix *m = dr->m;

	for (size_t i = 0; i < m->n_factors; i++) {
		const struct factor *f = &r->e->factors[m->factors[i]];

		if (f->n_levels && f->n_levels != 2)
			problems_add(r->problems, m->kind_mark,
				     "factor \"%s\" has %zu level%s; a "
				     "fractional design takes factors with two",
				     f->name, f->n_levels,
				     f->n_levels == 1 ? "" : "s");
	}
}

struct latin_reading {
	const struct design_reading *dr;
	struct latin latin;
	bool rows, columns, letters; /* are known */
};

static int word_of(const char *text)
{
	return !strcmp(text, "host")  ? LATIN_HOST :
	       !strcmp(text, "round") ? LATIN_ROUND : 0;
}

/* A side of the square: one of the words, or a factor. */
static bool read_side(struct reading *r, const struct latin_reading *lr,
		      const struct yaml_node *value, int *out)
{
	int factor = factor_find(r->e->factors, r->e->n_factors, value->text);

	*out = word_of(value->text);
	if (!*out) {
		*out = design_factor(r, lr->dr, value->mark, value->text);
		return *out >= 0;
	}
	if (factor >= 0)
		problems_add(r->problems, value->mark,
			     "\"%s\" is a factor as well: give the factor "
			     "another name", value->text);
	return factor < 0;
}

static void read_rows(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct latin_reading *lr = into;

	lr->rows = read_side(r, lr, value, &lr->latin.rows);
}

static void read_columns(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct latin_reading *lr = into;

	lr->columns = read_side(r, lr, value, &lr->latin.columns);
}

static void read_letters(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct latin_reading *lr = into;

	lr->latin.letters = design_factor(r, lr->dr, value->mark,
					  value->text);
	lr->letters = lr->latin.letters >= 0;
}

static const struct form side_form = {
	.kind = FORM_TEXT, .what = "host, round or a factor's name",
};
static const struct form letters_form = {
	.kind = FORM_TEXT, .what = "a factor's name",
};

static const struct key latin_table[] = {
	{ .name = "rows", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_rows, .form = &side_form, .required = true,
	  .doc = "host, round or a factor", .example = "rows: host" },
	{ .name = "columns", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_columns, .form = &side_form, .required = true,
	  .doc = "host, round or a factor", .example = "columns: round" },
	{ .name = "letters", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_letters, .form = &letters_form, .required = true,
	  .doc = "the factor that has each level once in every row and column",
	  .example = "letters: platform" },
};

const struct key_table latin_keys = KEY_TABLE("a Latin square", latin_table);

/* A side that is a factor has as many levels as there are letters. */
static void check_side(struct reading *r, const struct yaml_pair *pair,
		       int side, size_t letters)
{
	const struct factor *f = &r->e->factors[side < 0 ? 0 : side];

	if (side < 0 || f->n_levels == letters)
		return;
	problems_add(r->problems, pair->mark,
		     "\"%s\": factor \"%s\" has %zu level%s, the letters "
		     "have %zu: a Latin square has as many of each",
		     pair->key, f->name, f->n_levels,
		     f->n_levels == 1 ? "" : "s", letters);
}

static void check_others(struct reading *r, const struct latin_reading *lr,
			 struct mark at)
{
	const struct matrix *m = lr->dr->m;

	for (size_t i = 0; i < m->n_factors; i++) {
		int f = (int)m->factors[i];

		if (f == lr->latin.rows || f == lr->latin.columns ||
		    f == lr->latin.letters)
			continue;
		problems_add(r->problems, at,
			     "factor \"%s\" has no place in the Latin square; "
			     "make a matrix with the factors of the square",
			     r->e->factors[f].name);
	}
}

void latin_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct latin_reading lr = { .dr = dr };
	const struct latin *l = &lr.latin;
	struct mark at = yaml_get(dr->map, "latin")->mark;
	size_t letters;

	if (!design_takes(r, dr, "latin", KIND(DESIGN_LATIN_SQUARE)))
		return;
	keys_read(r, &latin_keys, at, value, &lr);
	if (!lr.rows || !lr.columns || !lr.letters)
		return;
	dr->m->latin = *l;
	letters = r->e->factors[l->letters].n_levels;
	if (l->rows == l->columns || l->rows == l->letters ||
	    l->columns == l->letters) {
		problems_add(r->problems, at, "rows, columns and letters of a "
			     "Latin square must be three different things");
		return;
	}
	check_side(r, yaml_get(value, "rows"), l->rows, letters);
	check_side(r, yaml_get(value, "columns"), l->columns, letters);
	check_others(r, &lr, at);
}
