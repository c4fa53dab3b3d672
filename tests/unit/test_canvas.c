#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/chart/canvas.h"

static const struct colour ink = COLOUR(0x000000);
static const struct colour paper = COLOUR(0xffffff);
static const struct canvas_info info = { .title = "t" };

static void first_fault_is_the_one_that_is_told(void **state)
{
	struct rect r = { 1, 1, 5, 5 };
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	struct canvas *c;
	size_t n;

	(void)state;
	c = canvas_new(FIGURE_SVG, 100, 50, &info, &paper, &out);
	canvas_fail(c, ERROR_ENVIRONMENT, "no %s", "ink");
	canvas_fail(c, ERROR_USAGE, "no paper");
	canvas_fill(c, &r, &ink);
	canvas_outline(c, &r, 1, &ink);
	canvas_hatch(c, &r, HATCH_CROSS, 1, 1, &ink);
	canvas_lines(c, &(struct segment){ 0, 0, 1, 1 }, 1, 1, &ink);
	canvas_marks(c, &n);
	assert_int_equal(n, 0);
	assert_int_equal(canvas_finish(c, &err), -1);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
	assert_string_equal(err.text, "no ink");
	canvas_free(c);
	buf_release(&out);
}

static void a_page_that_cairo_cannot_make_is_an_environment_error(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	struct canvas *c;

	(void)state;
	c = canvas_new(FIGURE_PNG, 1e6, 1e6, &info, &paper, &out);
	assert_int_equal(canvas_finish(c, &err), -1);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.text, "drawing failed in Cairo: "));
	canvas_free(c);
	buf_release(&out);
}

/* Reads "M x y L x y M ..." of the hatch's path. */
static int check_path(const char *d, const struct rect *r)
{
	int points = 0, n;
	double x, y;
	char letter;

	while (sscanf(d, " %c %lf %lf%n", &letter, &x, &y, &n) == 3) {
		assert_true(letter == 'M' || letter == 'L');
		assert_true(x >= r->x - 1e-3 && x <= r->x + r->width + 1e-3);
		assert_true(y >= r->y - 1e-3 && y <= r->y + r->height + 1e-3);
		points++;
		d += n;
	}
	return points;
}

static void hatch_stays_inside_its_rectangle(void **state)
{
	static const struct rect shapes[] = {
		{ 10, 10, 12, 7.5 }, { 10, 10, 3, 60 }, { 10, 10, 60, 3 },
		{ 10, 10, 0.5, 0.5 },
	};

	(void)state;
	for (int h = HATCH_RISING; h <= HATCH_CROSS; h++) {
		for (size_t i = 0; i < 4; i++) {
			struct error err = ERROR_INIT;
			struct buf out = BUF_INIT;
			const char *path;
			struct canvas *c = canvas_new(FIGURE_SVG, 100, 100,
						      &info, &paper, &out);

			canvas_hatch(c, &shapes[i], (enum hatch)h, 3, 0.5,
				     &ink);
			assert_int_equal(canvas_finish(c, &err), 0);
			path = strstr(out.data, " d=\"");
			if (i < 3) {
				assert_non_null(path);
				assert_true(check_path(path + 4,
						       &shapes[i]) >= 4);
			}
			canvas_free(c);
			buf_release(&out);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_fault_is_the_one_that_is_told),
		cmocka_unit_test(
			a_page_that_cairo_cannot_make_is_an_environment_error),
		cmocka_unit_test(hatch_stays_inside_its_rectangle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
