#include "tests/unit/plan_fixture.h"

#include "orchestrate/schedule/occurrence.h"

/* a, b: (0,1) (1,-) (0,0) (1,1) */
static const uint16_t rows[] = { 0, 1, 1, NA, 0, 0, 1, 1 };

static void setting_up(struct fixture *x)
{
	set_up(x, "33");
	list(x, rows, 4);
	expand(x);
}

static void assert_occur(const struct fixture *x, const bool *measured,
			 const size_t *factors, size_t n,
			 const struct condition *where, size_t n_where,
			 const char *want)
{
	struct occurrences o;
	struct buf got = BUF_INIT;

	occurrences_make(&o, &x->x.design, measured, factors, n, where,
			 n_where);
	for (size_t i = 0; i < o.n; i++) {
		buf_addc(&got, '(');
		for (size_t k = 0; k < o.width; k++) {
			uint16_t level = occurrences_at(&o, i)[k];

			buf_addf(&got, level == NA ? "-" : "%u", level);
		}
		buf_addc(&got, ')');
		assert_true(occurrences_has(&o, occurrences_at(&o, i)));
	}
	assert_string_equal(got.data, want);
	buf_release(&got);
	occurrences_release(&o);
}

static void each_is_there_once_in_order_and_absence_last(void **state)
{
	static const size_t ab[] = { 0, 1 }, ba[] = { 1, 0 };
	struct fixture x;

	(void)state;
	setting_up(&x);
	assert_occur(&x, NULL, ab, 1, NULL, 0, "(0)(1)");
	assert_occur(&x, NULL, ba, 1, NULL, 0, "(0)(1)(-)");
	assert_occur(&x, NULL, ab, 2, NULL, 0, "(00)(01)(11)(1-)");
	assert_occur(&x, NULL, ba, 2, NULL, 0, "(00)(10)(11)(-1)");
	tear_down(&x);
}

static void only_of_what_is_measured_under_the_conditions(void **state)
{
	static const bool measured[] = { true, true, false, true };
	static const struct condition one = { .factor = 0, .level = 1 },
				      none = { .factor = 1, .level = NA };
	static const size_t ab[] = { 0, 1 };
	struct fixture x;

	(void)state;
	setting_up(&x);
	assert_occur(&x, measured, ab, 2, NULL, 0, "(01)(11)(1-)");
	assert_occur(&x, measured, ab + 1, 1, &one, 1, "(1)(-)");
	assert_occur(&x, measured, ab, 1, &none, 1, "(1)");
	tear_down(&x);
}

static void of_no_factor_there_is_one_or_none(void **state)
{
	static const bool measured[] = { false, false, true, false };
	static const struct condition one = { .factor = 0, .level = 1 };
	struct fixture x;

	(void)state;
	setting_up(&x);
	assert_occur(&x, NULL, NULL, 0, NULL, 0, "()");
	assert_occur(&x, measured, NULL, 0, &one, 1, "");
	tear_down(&x);
}

static void what_is_not_there_is_not_found(void **state)
{
	static const uint16_t absent[] = { 0, NA }, beyond[] = { 2, 0 };
	static const size_t ab[] = { 0, 1 };
	struct occurrences o;
	struct fixture x;

	(void)state;
	setting_up(&x);
	occurrences_make(&o, &x.x.design, NULL, ab, 2, NULL, 0);
	assert_false(occurrences_has(&o, absent));
	assert_false(occurrences_has(&o, beyond));
	occurrences_release(&o);
	tear_down(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_there_once_in_order_and_absence_last),
		cmocka_unit_test(
			only_of_what_is_measured_under_the_conditions),
		cmocka_unit_test(of_no_factor_there_is_one_or_none),
		cmocka_unit_test(what_is_not_there_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
