#include "stats/fraction.h"

#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "stats/factor.h"
#include "stats/word.h"

/* The bit of a factor; k when it does not take part. */
static size_t bit_of(const struct fraction *f, size_t factor)
{
	size_t i = 0;

	while (i < f->k && f->of[i] != factor)
		i++;
	return i;
}

static int take_factors(struct fraction *f, size_t n_factors,
			const bool *part, struct error *err)
{
	f->of = mem_zalloc(n_factors, sizeof(*f->of));
	for (size_t i = 0; i < n_factors; i++) {
		if (part && !part[i])
			continue;
		if (f->factors[i].n_levels != 2)
			return error_set(err, ERROR_USAGE,
					 "a fractional design needs factors of "
					 "two levels: '%s' has %zu",
					 f->factors[i].name,
					 f->factors[i].n_levels);
		f->of[f->k++] = i;
	}
	if (f->k > FRACTION_MAX_FACTORS)
		return error_set(err, ERROR_USAGE,
				 "a fractional design of %zu factors; at most "
				 "%d are possible", f->k,
				 FRACTION_MAX_FACTORS);
	return 0;
}

static bool is_generated(const struct generator *items, size_t n,
			 size_t factor)
{
	for (size_t i = 0; i < n; i++)
		if (items[i].factor == factor)
			return true;
	return false;
}

/* Multiplies the word with one factor of the product. */
static int take_product(struct fraction *f, const struct generator *g,
			const struct generator *all, size_t n, size_t factor,
			struct word *w, struct error *err)
{
	const char *name = f->factors[g->factor].name;
	const char *other = f->factors[factor].name;
	size_t bit = bit_of(f, factor);

	if (factor == g->factor)
		return error_set(err, ERROR_USAGE,
				 "the generator of '%s' names '%s' itself",
				 name, name);
	if (bit == f->k)
		return error_set(err, ERROR_USAGE,
				 "the generator of '%s' names '%s', which is "
				 "not varied here", name, other);
	if (is_generated(all, n, factor))
		return error_set(err, ERROR_USAGE,
				 "the generator of '%s' names '%s', which is "
				 "generated itself; name only factors without "
				 "a generator", name, other);
	if (w->factors >> bit & 1)
		return error_set(err, ERROR_USAGE,
				 "the generator of '%s' names '%s' twice",
				 name, other);
	w->factors |= (uint64_t)1 << bit;
	return 0;
}

static int take_generator(struct fraction *f, const struct generator *all,
			  size_t n, size_t i, struct error *err)
{
	const struct generator *g = &all[i];
	size_t bit = bit_of(f, g->factor);
	struct word w = { .negative = g->negative };

	if (bit == f->k)
		return error_set(err, ERROR_USAGE,
				 "'%s' has a generator, but is not varied "
				 "here", f->factors[g->factor].name);
	if (is_generated(all, i, g->factor))
		return error_set(err, ERROR_USAGE, "'%s' has two generators",
				 f->factors[g->factor].name);
	if (!g->n)
		return error_set(err, ERROR_USAGE,
				 "the generator of '%s' names no factor",
				 f->factors[g->factor].name);
	for (size_t k = 0; k < g->n; k++)
		if (take_product(f, g, all, n, g->of[k], &w, err))
			return -1;
	f->columns[bit] = w;
	w.factors |= (uint64_t)1 << bit;
	f->generators[f->p++] = w;
	return 0;
}

static int take_generators(struct fraction *f, const struct generator *all,
			   size_t n, struct error *err)
{
	if (!n)
		return error_set(err, ERROR_USAGE,
				 "a fractional design needs generators: say "
				 "which factors are products of others");
	if (n > FRACTION_MAX_GENERATORS)
		return error_set(err, ERROR_USAGE,
				 "a fractional design with %zu generators; at "
				 "most %d are possible", n,
				 FRACTION_MAX_GENERATORS);
	f->generators = mem_zalloc(n, sizeof(*f->generators));
	f->columns = mem_zalloc(f->k, sizeof(*f->columns));
	for (size_t i = 0; i < f->k; i++)
		f->columns[i].factors = (uint64_t)1 << i;
	for (f->bad = 0; f->bad < n; f->bad++)
		if (take_generator(f, all, n, f->bad, err))
			return -1;
	f->bad = 0;
	return 0;
}

/* All words, one after another: each differs from the one before by the
 * generator that a Gray code flips. */
static void count_lengths(struct fraction *f)
{
	struct word w = { .factors = 0 };

	f->lengths = mem_zalloc(f->k + 1, sizeof(*f->lengths));
	for (uint64_t i = 1; i < (uint64_t)1 << f->p; i++) {
		w = word_product(w, f->generators[__builtin_ctzll(i)]);
		f->lengths[word_length(w)]++;
	}
	f->resolution = 1;
	while (!f->lengths[f->resolution])
		f->resolution++;
}

static int refuse_resolution(const struct fraction *f, struct error *err)
{
	struct buf text = BUF_INIT;
	struct word *words;
	size_t n = fraction_words(f, 1, &words);

	for (size_t i = 0; i < n && i < 8; i++) {
		buf_adds(&text, i ? ", " : "");
		fraction_add_word(f, words[i], &text);
	}
	error_set(err, ERROR_USAGE,
		  "the generators confound main effects with one another: %s "
		  "%s the same in every treatment; let them be products of "
		  "other factors", text.data, n == 1 ? "is" : "are each");
	free(words);
	buf_release(&text);
	return -1;
}

int fraction_make(struct fraction *f, const struct factor *factors,
		  size_t n_factors, const bool *part,
		  const struct generator *generators, size_t n,
		  struct error *err)
{
	*f = (struct fraction){ .factors = factors };
	if (take_factors(f, n_factors, part, err) ||
	    take_generators(f, generators, n, err))
		return -1;
	count_lengths(f);
	if (f->resolution < 3)
		return refuse_resolution(f, err);
	return 0;
}

void fraction_release(struct fraction *f)
{
	free(f->of);
	free(f->generators);
	free(f->columns);
	free(f->lengths);
	*f = (struct fraction){ .of = NULL };
}

static int by_word(const void *a, const void *b)
{
	return word_compare(*(const struct word *)a, *(const struct word *)b);
}

size_t fraction_words(const struct fraction *f, size_t least,
		      struct word **words)
{
	size_t longest = 0, n = 0;
	struct word w = { .factors = 0 };

	for (size_t found = 0; longest < f->k && found < least;)
		found += f->lengths[++longest];
	for (size_t i = 0; i <= longest; i++)
		n += f->lengths[i];
	*words = mem_zalloc(n, sizeof(**words));
	n = 0;
	for (uint64_t i = 1; i < (uint64_t)1 << f->p; i++) {
		w = word_product(w, f->generators[__builtin_ctzll(i)]);
		if (word_length(w) <= longest)
			(*words)[n++] = w;
	}
	qsort(*words, n, sizeof(**words), by_word);
	return n;
}

void fraction_add_word(const struct fraction *f, struct word w,
		       struct buf *out)
{
	const char *separator = "";

	if (w.negative)
		buf_addc(out, '-');
	if (!w.factors)
		buf_addc(out, 'I');
	for (size_t i = 0; i < f->k; i++) {
		if (!(w.factors >> i & 1))
			continue;
		buf_addf(out, "%s%s", separator, f->factors[f->of[i]].name);
		separator = "*";
	}
}

void fraction_add_relation(const struct fraction *f, size_t most,
			   struct buf *out)
{
	size_t all = ((size_t)1 << f->p) - 1;
	struct word *words;
	size_t n = fraction_words(f, most, &words);

	if (n > most)
		n = most;
	buf_addc(out, 'I');
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, " = ");
		fraction_add_word(f, words[i], out);
	}
	if (n < all)
		buf_addf(out, " = ... (%zu more)", all - n);
	free(words);
}

void fraction_add_resolution(size_t resolution, struct buf *out)
{
	static const struct {
		size_t value;
		const char *text;
	} digits[] = { { 50, "L" }, { 40, "XL" }, { 10, "X" }, { 9, "IX" },
		       { 5, "V" }, { 4, "IV" }, { 1, "I" } };

	for (size_t i = 0; i < sizeof(digits) / sizeof(*digits); i++)
		for (; resolution >= digits[i].value;
		     resolution -= digits[i].value)
			buf_adds(out, digits[i].text);
}
