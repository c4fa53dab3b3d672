#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "stats/student.h"

/*
 * P(|T| <= t) = level, from the finite series for whole degrees of freedom
 * (Abramowitz and Stegun 26.7.3 and 26.7.4) in 45 decimal digits, solved for
 * t; the levels are the doubles nearest to these numbers.
 */
static const struct {
	double level, df, t;
} quantiles[] = {
		{ 0.05, 1, 0.07870170682461845245 },
		{ 0.05, 2, 0.07079923254047887320 },
		{ 0.05, 3, 0.06808752267626948932 },
		{ 0.05, 9, 0.06447679010158361305 },
		{ 0.05, 30, 0.06323352123827033090 },
		{ 0.05, 31, 0.06321646572688053053 },
		{ 0.05, 101, 0.06286279682470201591 },
		{ 0.05, 1000, 0.06272251827895049543 },
		{ 0.05, 9998, 0.06270835211180071969 },
		{ 0.05, 10000, 0.06270835179696300101 },
		{ 0.05, 100000, 0.06270693532678829096 },
		{ 0.5, 1, 1.0000000000000000000 },
		{ 0.5, 2, 0.81649658092772603273 },
		{ 0.5, 3, 0.76489232840434528066 },
		{ 0.5, 9, 0.70272214675132636718 },
		{ 0.5, 30, 0.68275569332129255301 },
		{ 0.5, 31, 0.68248630600257217688 },
		{ 0.5, 101, 0.67692659595928516426 },
		{ 0.5, 1000, 0.67473516460700943738 },
		{ 0.5, 9998, 0.67451428939159054531 },
		{ 0.5, 10000, 0.67451428448359243359 },
		{ 0.5, 100000, 0.67449220355329220583 },
		{ 0.95, 1, 12.706204736174693314 },
		{ 0.95, 2, 4.3026527297494617894 },
		{ 0.95, 3, 3.1824463052837084359 },
		{ 0.95, 9, 2.2621571627982049992 },
		{ 0.95, 30, 2.0422724563012378878 },
		{ 0.95, 31, 2.0395134463964080672 },
		{ 0.95, 101, 1.9837310029556058011 },
		{ 0.95, 1000, 1.9623390808264081039 },
		{ 0.95, 9998, 1.9602012873568363835 },
		{ 0.95, 10000, 1.9602012398906258778 },
		{ 0.95, 100000, 1.9599877075346092587 },
		{ 0.99, 1, 63.656741162871524447 },
		{ 0.99, 2, 9.9248432009182886403 },
		{ 0.99, 3, 5.8409093097333554113 },
		{ 0.99, 9, 3.2498355415921257205 },
		{ 0.99, 30, 2.7499956535672249664 },
		{ 0.99, 31, 2.7440419192942689588 },
		{ 0.99, 101, 2.6253859646684408864 },
		{ 0.99, 1000, 2.5807546980659507706 },
		{ 0.99, 9998, 2.5763211450545076254 },
		{ 0.99, 10000, 2.5763210466685285853 },
		{ 0.99, 100000, 2.5758784699083749963 },
		{ 0.999999, 1, 636619.77234875131970 },
		{ 0.999999, 2, 999.99924998546590690 },
		{ 0.999999, 3, 130.15458955711021351 },
		{ 0.999999, 9, 11.636782027289474482 },
		{ 0.999999, 30, 6.1190756203738998483 },
		{ 0.999999, 31, 6.0719759247082785455 },
		{ 0.999999, 101, 5.2103626929646219156 },
		{ 0.999999, 1000, 4.9222895234238254713 },
		{ 0.999999, 9998, 4.8946892267915548657 },
		{ 0.999999, 10000, 4.8946886163099371630 },
		{ 0.999999, 100000, 4.8919433407094515525 },
};

static void quantiles_hold_to_1e_12(void **state)
{
	size_t n = sizeof(quantiles) / sizeof(quantiles[0]);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		double got = student_quantile(quantiles[i].level,
					      quantiles[i].df);

		if (fabs(got / quantiles[i].t - 1) > 1e-12)
			fail_msg("level %g, df %g: wanted %.17g, got %.17g",
				 quantiles[i].level, quantiles[i].df,
				 quantiles[i].t, got);
	}
}

static void quantile_and_probability_are_inverse(void **state)
{
	static const double df[] = { 0.5, 1, 1.5, 2.7, 15.63, 57.39, 5000.5 };
	static const double level[] = { 1e-3, 0.3, 0.5, 0.8, 0.95, 0.999999,
					1 - 1e-12 };

	(void)state;
	for (size_t i = 0; i < 7; i++)
		for (size_t j = 0; j < 7; j++) {
			double t = student_quantile(level[j], df[i]);
			double p = student_two_sided(t, df[i]);

			assert_true(fabs(p / (1 - level[j]) - 1) < 1e-10);
		}
}

/* The expansion takes over at df = 1e4; both must meet there. */
static void quantile_has_no_step_where_the_method_changes(void **state)
{
	static const double level[] = { 0.5, 0.95, 0.9999, 1 - 1e-9 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		double below = student_quantile(level[i], 1e4 - 1e-6);
		double above = student_quantile(level[i], 1e4);

		assert_true(fabs(below / above - 1) < 2e-12);
	}
	assert_true(fabs(student_quantile(1.1e-8, 5) /
			 student_quantile(0.9e-8, 5) / (1.1 / 0.9) - 1) <
		    1e-7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_hold_to_1e_12),
		cmocka_unit_test(quantile_and_probability_are_inverse),
		cmocka_unit_test(
			quantile_has_no_step_where_the_method_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
