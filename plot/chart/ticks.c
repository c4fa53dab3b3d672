#include "plot/chart/ticks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define THIN_SPACE "\xe2\x80\x89"
#define MINUS "\xe2\x88\x92"

/*
 * Candidates are judged as by Talbot, Lin and Hanrahan, "An Extension of
 * Wilkinson's Algorithm for Positioning Tick Labels on Axes" (2010):
 * simplicity, coverage and density, with their weights; all candidates are
 * looked at, since there are few. Steps in tenths, nicest first.
 */
static const int steps[] = { 10, 50, 20, 25 };
enum {
	N_STEPS = sizeof(steps) / sizeof(steps[0])
};

struct candidate {
	int step;      /* tenths */
	int power;     /* the step is step/10 * 10^power */
	long first;    /* lowest tick, in steps */
	long last;
	double score;
};

/* k steps, rounded once: 3 * 0.1 gives 0.3 */
static double tick_value(const struct candidate *c, long k)
{
	double tenths = (double)k * c->step;
	int power = c->power - 1;

	return power < 0 ? tenths / pow(10, -power) : tenths * pow(10, power);
}

static void judge(struct candidate *c, size_t nicety, const struct range *data,
		  unsigned wanted)
{
	double lo = tick_value(c, c->first), hi = tick_value(c, c->last);
	double width = data->hi - data->lo;
	double top = fmax(hi, data->hi), bottom = fmin(lo, data->lo);
	bool zero = c->first <= 0 && c->last >= 0;
	double simplicity, coverage, density, have, want;

	simplicity = 1 - (double)nicety / (double)(N_STEPS - 1) - 1 +
		     zero;
	coverage = 1 - 0.5 * (pow((data->hi - hi) / (0.1 * width), 2) +
			      pow((data->lo - lo) / (0.1 * width), 2));
	have = (double)(c->last - c->first) / ((hi - lo) / width);
	want = (wanted - 1) / ((top - bottom) / width);
	density = 2 - fmax(have / want, want / have);
	c->score = 0.25 * simplicity + 0.2 * coverage + 0.5 * density;
}

static void try_step(struct candidate *best, size_t nicety, int power,
		     const struct range *data, unsigned wanted)
{
	struct candidate c = { .step = steps[nicety], .power = power };
	double step = tick_value(&c, 1);
	long below = lround(floor(data->lo / step));
	long above = lround(ceil(data->hi / step));

	for (long first = below; first <= below + 1; first++) {
		for (long last = above; last >= above - 1; last--) {
			long n = last - first + 1;

			if (n < TICKS_MIN || n > TICKS_MAX)
				continue;
			c.first = first;
			c.last = last;
			judge(&c, nicety, data, wanted);
			if (c.score > best->score)
				*best = c;
		}
	}
}

/* 1e6 and beyond, or below 1e-3, count in thousands of thousands. */
static int common_exponent(const struct candidate *c)
{
	double most = fmax(fabs(tick_value(c, c->first)),
			   fabs(tick_value(c, c->last)));
	int digits = (int)floor(log10(most) + 1e-9);

	if (digits < 6 && digits >= -3)
		return 0;
	return (int)floor(digits / 3.0) * 3;
}

/* units / 10^decimals, digit by digit: printf would ask the locale. */
static void write_label(char *out, long long units, int decimals)
{
	char digits[32];
	int n, whole;

	n = snprintf(digits, sizeof(digits), "%0*lld", decimals + 1,
		     units < 0 ? -units : units);
	whole = n - decimals;
	if (units < 0)
		out = stpcpy(out, MINUS);
	for (int i = 0; i < n; i++) {
		if (i == whole)
			*out++ = '.';
		else if (i && whole > 4 && i < whole && (whole - i) % 3 == 0)
			out = stpcpy(out, THIN_SPACE);
		*out++ = digits[i];
	}
	*out = '\0';
}

static void write_labels(struct ticks *t, const struct candidate *c)
{
	int power = c->power - 1 - t->exponent; /* of c->step's unit */
	int step = c->step;

	while (step % 10 == 0 && power < 0) {
		step /= 10;
		power++;
	}
	for (; power > 0; power--)
		step *= 10;
	for (size_t i = 0; i < t->n; i++)
		write_label(t->label[i],
			    (long long)step * (c->first + (long)i), -power);
}

void ticks_choose(struct ticks *t, const struct range *data, unsigned wanted)
{
	struct candidate best = { .score = -INFINITY };
	int power = (int)floor(log10(data->hi - data->lo));

	for (int p = power - 2; p <= power + 1; p++)
		for (size_t i = 0; i < N_STEPS; i++)
			try_step(&best, i, p, data, wanted);
	t->n = (size_t)(best.last - best.first + 1);
	for (size_t i = 0; i < t->n; i++)
		t->value[i] = tick_value(&best, best.first + (long)i);
	t->exponent = common_exponent(&best);
	write_labels(t, &best);
	t->axis = *data;
	range_include(&t->axis, t->value[0]);
	range_include(&t->axis, t->value[t->n - 1]);
}

char *ticks_factor(const struct ticks *t, char text[TICKS_LABEL_SIZE])
{
	static const char *const superscript[] = {
		"\xe2\x81\xb0", "\xc2\xb9", "\xc2\xb2", "\xc2\xb3",
		"\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6",
		"\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9",
	};
	char digits[16], *end;

	text[0] = '\0';
	if (!t->exponent)
		return text;
	snprintf(digits, sizeof(digits), "%d", t->exponent);
	end = stpcpy(text, "\xc3\x97" "10");
	for (const char *d = digits; *d; d++)
		end = stpcpy(end, *d == '-' ? "\xe2\x81\xbb"
					    : superscript[*d - '0']);
	return text;
}
