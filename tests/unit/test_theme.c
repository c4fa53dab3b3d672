#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/chart/theme.h"

static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/*
 * Machado, Oliveira and Fernandes, "A Physiologically-based Model for
 * Simulation of Color Vision Deficiency" (2009), severity 1, for linear RGB.
 */
static const double vision[4][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 },
	  { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } }, /* protanopia */
	{ { 0.367322, 0.860646, -0.227968 },
	  { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } }, /* deuteranopia */
	{ { 1.255528, -0.076749, -0.178779 },
	  { -0.078411, 0.930809, 0.147602 },
	  { 0.004733, 0.691367, 0.303900 } }, /* tritanopia */
};

static double lab_f(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (t * 24389 / 27 + 16) / 116;
}

static void to_lab(const struct colour *c, const double see[3][3],
		   double lab[3])
{
	double in[3] = { linear(c->r), linear(c->g), linear(c->b) };
	double out[3], x, y, z;

	for (int i = 0; i < 3; i++) {
		out[i] = see[i][0] * in[0] + see[i][1] * in[1] +
			 see[i][2] * in[2];
		out[i] = fmin(fmax(out[i], 0), 1);
	}
	x = (0.4124 * out[0] + 0.3576 * out[1] + 0.1805 * out[2]) / 0.95047;
	y = 0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2];
	z = (0.0193 * out[0] + 0.1192 * out[1] + 0.9505 * out[2]) / 1.08883;
	lab[0] = 116 * lab_f(y) - 16;
	lab[1] = 500 * (lab_f(x) - lab_f(y));
	lab[2] = 200 * (lab_f(y) - lab_f(z));
}

/* CIE76 */
static double distance(const struct colour *a, const struct colour *b,
		       const double see[3][3])
{
	double p[3], q[3];

	to_lab(a, see, p);
	to_lab(b, see, q);
	return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) +
		    pow(p[2] - q[2], 2));
}

static void lightness_of_known_colours(void **state)
{
	struct colour black = COLOUR(0x000000), white = COLOUR(0xffffff);
	struct colour grey = COLOUR(0x777777);

	(void)state;
	assert_true(fabs(colour_lightness(&black)) < 1e-9);
	assert_true(fabs(colour_lightness(&white) - 100) < 1e-9);
	assert_true(fabs(colour_lightness(&grey) - 50.03) < 0.01);
}

static void first_four_series_differ_on_a_grey_printer(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(theme_series(i)->hatch, HATCH_NONE);
		for (size_t j = 0; j < i; j++)
			assert_true(fabs(colour_lightness(
						 &theme_series(i)->fill) -
					 colour_lightness(
						 &theme_series(j)->fill)) >=
				    THEME_LIGHTNESS_APART);
	}
}

static void any_two_series_differ_without_colour(void **state)
{
	(void)state;
	for (size_t i = 0; i < THEME_SERIES_MAX; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct theme_series *a = theme_series(i);
			const struct theme_series *b = theme_series(j);
			double apart = fabs(colour_lightness(&a->fill) -
					    colour_lightness(&b->fill));

			assert_true(apart >= THEME_LIGHTNESS_APART ||
				    a->hatch != b->hatch);
		}
	}
}

static void any_two_series_differ_for_every_kind_of_vision(void **state)
{
	(void)state;
	for (size_t v = 0; v < 4; v++)
		for (size_t i = 0; i < THEME_SERIES_MAX; i++)
			for (size_t j = 0; j < i; j++) {
				const struct theme_series *a = theme_series(i);
				const struct theme_series *b = theme_series(j);

				if (a->hatch != b->hatch)
					continue;
				assert_true(distance(&a->fill, &b->fill,
						     vision[v]) >= 20);
			}
}

/* Hatch and outline carry the difference, so they must show on their fill. */
static void lines_show_on_their_fill(void **state)
{
	(void)state;
	for (size_t i = 0; i < THEME_SERIES_MAX; i++) {
		const struct theme_series *s = theme_series(i);
		double apart = colour_lightness(&s->fill) -
			       colour_lightness(&s->line);

		assert_true(apart >= (s->hatch == HATCH_NONE ? 10 : 25));
	}
}

static void text_and_lines_are_large_enough_to_print(void **state)
{
	const struct theme *t = theme_print();

	(void)state;
	assert_true(t->axis.size >= 9 && t->legend.size >= 9);
	assert_true(t->tick.size >= 8 && t->caption.size >= 8);
	assert_true(t->hairline >= 0.5 && t->line >= 0.5);
}

/* WCAG's 4.5:1 on white is L* of about 50. */
static void every_text_has_contrast_on_paper(void **state)
{
	const struct theme *t = theme_print();

	(void)state;
	assert_true(colour_lightness(&t->ink) < 50);
	assert_true(colour_lightness(&t->hint.colour) < 50);
	assert_true(colour_lightness(&t->caption.colour) < 50);
	assert_true(colour_lightness(&t->provenance.colour) < 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lightness_of_known_colours),
		cmocka_unit_test(first_four_series_differ_on_a_grey_printer),
		cmocka_unit_test(any_two_series_differ_without_colour),
		cmocka_unit_test(
			any_two_series_differ_for_every_kind_of_vision),
		cmocka_unit_test(lines_show_on_their_fill),
		cmocka_unit_test(text_and_lines_are_large_enough_to_print),
		cmocka_unit_test(every_text_has_contrast_on_paper),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
