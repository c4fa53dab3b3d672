#include "tests/unit/design_example.h"

#include <stdlib.h>
#include <string.h>

#include "stats/fraction.h"
#include "stats/random.h"

static const struct factor seven[] = {
	FACTOR("A", 2), FACTOR("B", 2), FACTOR("C", 2), FACTOR("D", 2),
	FACTOR("E", 2), FACTOR("F", 2), FACTOR("G", 2),
};

/* A generator as it is printed: "D=-ABC". */
struct written {
	struct generator g;
	size_t of[8];
};

static void write_down(struct written *w, const char *text)
{
	w->g = (struct generator){ .factor = (size_t)(text[0] - 'A'),
				   .of = w->of,
				   .negative = text[2] == '-' };
	for (const char *s = text + 2 + w->g.negative; *s; s++)
		w->of[w->g.n++] = (size_t)(*s - 'A');
}

static int make(struct fraction *f, size_t k, const char *const *texts,
		struct error *err)
{
	struct written written[8];
	struct generator generators[8];
	size_t n = 0;

	for (; texts[n]; n++) {
		write_down(&written[n], texts[n]);
		generators[n] = written[n].g;
	}
	return fraction_make(f, seven, k, NULL, generators, n, err);
}

static struct fraction fraction(size_t k, const char *const *texts)
{
	struct error err = ERROR_INIT;
	struct fraction f;

	if (make(&f, k, texts, &err))
		fail_msg("%s", err.text);
	return f;
}

#define TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void assert_relation(const struct fraction *f, const char *want)
{
	struct buf text = BUF_INIT;

	fraction_add_relation(f, 100, &text);
	assert_string_equal(text.data, want);
	buf_release(&text);
}

/* One line a chain, without the "*". */
static void assert_aliases(const struct fraction *f, size_t with,
			   const char *want)
{
	struct buf text = BUF_INIT, plain = BUF_INIT;
	struct alias_table t;

	alias_table_make(&t, f, ALIAS_ORDER, with);
	for (size_t i = 0; i < t.n; i++) {
		alias_chain_add(f, &t.chains[i], &text);
		buf_addc(&text, '\n');
	}
	for (const char *s = text.data; *s; s++)
		if (*s != '*' && *s != ' ')
			buf_addc(&plain, *s);
	assert_string_equal(plain.data, want);
	alias_table_release(&t);
	buf_release(&text);
	buf_release(&plain);
}

/* These four: Montgomery, chapter 8; Box, Hunter and Hunter, chapter 6. */
static void half_of_four_factors(void **state)
{
	struct fraction f = fraction(4, TEXTS("D=ABC"));

	(void)state;
	assert_int_equal(f.resolution, 4);
	assert_relation(&f, "I = A*B*C*D");
	assert_aliases(&f, 4, "A=BCD\nB=ACD\nC=ABD\nD=ABC\n"
			      "AB=CD\nAC=BD\nAD=BC\n");
	assert_aliases(&f, 2, "A\nB\nC\nD\nAB=CD\nAC=BD\nAD=BC\n");
	fraction_release(&f);
}

static void quarter_of_five_factors(void **state)
{
	struct fraction f = fraction(5, TEXTS("D=AB", "E=AC"));

	(void)state;
	assert_int_equal(f.resolution, 3);
	assert_relation(&f, "I = A*B*D = A*C*E = B*C*D*E");
	assert_aliases(&f, 5,
		       "A=BD=CE=ABCDE\nB=AD=CDE=ABCE\nC=AE=BDE=ABCD\n"
		       "D=AB=BCE=ACDE\nE=AC=BCD=ABDE\n"
		       "BC=DE=ABE=ACD\nBE=CD=ABC=ADE\n");
	fraction_release(&f);
}

/* saturated */
static void sixteenth_of_seven_factors(void **state)
{
	static const size_t lengths[] = { 0, 0, 0, 7, 7, 0, 0, 1 };
	struct fraction f = fraction(7, TEXTS("D=AB", "E=AC", "F=BC",
					      "G=ABC"));

	(void)state;
	assert_int_equal(f.resolution, 3);
	assert_memory_equal(f.lengths, lengths, sizeof(lengths));
	assert_aliases(&f, 2, "A=BD=CE=FG\nB=AD=CF=EG\nC=AE=BF=DG\n"
			      "D=AB=CG=EF\nE=AC=BG=DF\nF=AG=BC=DE\n"
			      "G=AF=BE=CD\n");
	fraction_release(&f);
}

static void quarter_of_six_factors(void **state)
{
	static const size_t lengths[] = { 0, 0, 0, 0, 3, 0, 0 };
	struct fraction f = fraction(6, TEXTS("E=ABC", "F=BCD"));

	(void)state;
	assert_int_equal(f.resolution, 4);
	assert_memory_equal(f.lengths, lengths, sizeof(lengths));
	assert_relation(&f, "I = A*B*C*E = A*D*E*F = B*C*D*F");
	assert_aliases(&f, 2, "A\nB\nC\nD\nE\nF\nAB=CE\nAC=BE\nAD=EF\n"
			      "AE=BC=DF\nAF=DE\nBD=CF\nBF=CD\n");
	assert_aliases(&f, 3, "A=BCE=DEF\nB=ACE=CDF\nC=ABE=BDF\n"
			      "D=AEF=BCF\nE=ABC=ADF\nF=ADE=BCD\n"
			      "AB=CE\nAC=BE\nAD=EF\nAE=BC=DF\nAF=DE\n"
			      "BD=CF\nBF=CD\n");
	fraction_release(&f);
}

static void signs_go_through(void **state)
{
	struct fraction f = fraction(5, TEXTS("D=-AB", "E=AC"));

	(void)state;
	assert_relation(&f, "I = -A*B*D = A*C*E = -B*C*D*E");
	assert_aliases(&f, 2, "A=-BD=CE\nB=-AD\nC=AE\nD=-AB\nE=AC\n"
			      "BC=-DE\nBE=-CD\n");
	fraction_release(&f);
}

static void long_relations_are_cut(void **state)
{
	struct fraction f = fraction(7, TEXTS("D=AB", "E=AC", "F=BC",
					      "G=ABC"));
	struct buf text = BUF_INIT;
	struct word *words;

	(void)state;
	fraction_add_relation(&f, 2, &text);
	assert_string_equal(text.data,
			    "I = A*B*D = A*C*E = ... (13 more)");
	assert_int_equal(fraction_words(&f, 1, &words), 7);
	free(words);
	assert_int_equal(fraction_words(&f, 8, &words), 14);
	free(words);
	assert_int_equal(fraction_words(&f, 99, &words), 15);
	free(words);
	buf_release(&text);
	fraction_release(&f);
}

static void resolutions_are_roman(void **state)
{
	static const char *const want[] = { "", "I", "II", "III", "IV", "V",
					    "VI", "VII", "VIII", "IX", "X",
					    "XI" };
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		buf_clear(&text);
		fraction_add_resolution(i, &text);
		assert_string_equal(text.data, want[i]);
	}
	buf_clear(&text);
	fraction_add_resolution(49, &text);
	assert_string_equal(text.data, "XLIX");
	buf_release(&text);
}

static void assert_refused(size_t k, const char *const *texts, size_t bad,
			   const char *want)
{
	struct error err = ERROR_INIT;
	struct fraction f;

	assert_int_equal(make(&f, k, texts, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	assert_int_equal(f.bad, bad);
	fraction_release(&f);
}

static void generators_that_are_none_are_refused(void **state)
{
	(void)state;
	assert_refused(4, TEXTS(NULL), 0,
		       "a fractional design needs generators: say which "
		       "factors are products of others");
	assert_refused(5, TEXTS("D=AB", "E=AE"), 1,
		       "the generator of 'E' names 'E' itself");
	assert_refused(5, TEXTS("D=AB", "E=ADC"), 1,
		       "the generator of 'E' names 'D', which is generated "
		       "itself; name only factors without a generator");
	assert_refused(5, TEXTS("D=AE", "E=DB"), 0,
		       "the generator of 'D' names 'E', which is generated "
		       "itself; name only factors without a generator");
	assert_refused(4, TEXTS("D=ABA"), 0,
		       "the generator of 'D' names 'A' twice");
	assert_refused(4, TEXTS("D=AB", "D=AC"), 1, "'D' has two generators");
	assert_refused(4, TEXTS("D="), 0,
		       "the generator of 'D' names no factor");
	assert_refused(4, TEXTS("D=AG"), 0,
		       "the generator of 'D' names 'G', which is not varied "
		       "here");
	assert_refused(4, TEXTS("G=AB"), 0,
		       "'G' has a generator, but is not varied here");
}

static void resolution_two_is_refused_with_the_words(void **state)
{
	(void)state;
	assert_refused(4, TEXTS("D=-C"), 0,
		       "the generators confound main effects with one "
		       "another: -C*D is the same in every treatment; let "
		       "them be products of other factors");
	assert_refused(6, TEXTS("D=ABC", "E=ABC", "F=-ABC"), 0,
		       "the generators confound main effects with one "
		       "another: D*E, -D*F, -E*F are each the same in every "
		       "treatment; let them be products of other factors");
}

/* The value of an effect in a treatment: -1 or 1. */
static int value_of(const struct design *d, const struct fraction *f,
		    size_t treatment, struct word w)
{
	int value = w.negative ? -1 : 1;

	for (size_t i = 0; i < f->k; i++)
		if (w.factors >> i & 1 &&
		    !design_level(d, treatment, f->of[i]))
			value = -value;
	return value;
}

static void assert_true_of_design(const struct design *d,
				  const struct fraction *f)
{
	struct alias_table t;
	struct word *words;
	size_t n = fraction_words(f, SIZE_MAX, &words), effects = 0;

	assert_int_equal(n, ((size_t)1 << f->p) - 1);
	for (size_t i = 0; i < n; i++)
		for (size_t r = 0; r < d->n_treatments; r++)
			assert_int_equal(value_of(d, f, r, words[i]), 1);
	alias_table_make(&t, f, f->k, f->k);
	for (size_t c = 0; c < t.n; c++) {
		const struct alias_chain *chain = &t.chains[c];

		effects += chain->n;
		for (size_t i = 1; i < chain->n; i++)
			for (size_t r = 0; r < d->n_treatments; r++)
				assert_int_equal(
					value_of(d, f, r, chain->effects[0]),
					value_of(d, f, r, chain->effects[i]));
	}
	/* every effect is in one chain or a word, and chains are those of a
	 * full factorial in the basic factors */
	assert_int_equal(effects + n, ((size_t)1 << f->k) - 1);
	assert_int_equal(t.n, ((size_t)1 << (f->k - f->p)) - 1);
	alias_table_release(&t);
	free(words);
}

static void what_is_said_holds_in_every_treatment(void **state)
{
	struct random r;
	size_t done = 0;

	(void)state;
	random_seed(&r, 2026);
	while (done < 200) {
		size_t basic = 2 + (size_t)random_below(&r, 3);
		size_t p = 1 + (size_t)random_below(&r, 7 - basic);
		struct generator g[8];
		size_t of[8][8];
		struct error err = ERROR_INIT;
		struct fraction f;

		for (size_t i = 0; i < p; i++) {
			g[i] = (struct generator){
				.factor = basic + i, .of = of[i],
				.negative = random_below(&r, 2) };
			for (size_t b = 0; b < basic; b++)
				if (random_below(&r, 2))
					of[i][g[i].n++] = b;
		}
		if (!fraction_make(&f, seven, basic + p, NULL, g, p, &err)) {
			const struct design_options o = {
				.kind = DESIGN_FRACTIONAL, .factors = seven,
				.n_factors = basic + p, .generators = g,
				.n_generators = p };
			struct design d = made(&o);

			assert_int_equal(d.n_treatments,
					 (size_t)1 << basic);
			assert_true_of_design(&d, &f);
			design_release(&d);
			done++;
		}
		fraction_release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_four_factors),
		cmocka_unit_test(quarter_of_five_factors),
		cmocka_unit_test(sixteenth_of_seven_factors),
		cmocka_unit_test(quarter_of_six_factors),
		cmocka_unit_test(signs_go_through),
		cmocka_unit_test(long_relations_are_cut),
		cmocka_unit_test(resolutions_are_roman),
		cmocka_unit_test(generators_that_are_none_are_refused),
		cmocka_unit_test(resolution_two_is_refused_with_the_words),
		cmocka_unit_test(what_is_said_holds_in_every_treatment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
