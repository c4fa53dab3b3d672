#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "tests/unit/figure_example.h"

static const char *self;

/* What `self ARGUMENTS` prints, run with `environment`. */
static void run_self(const char *environment, const char *arguments,
		     struct buf *out)
{
	char *command = mem_printf("env %s '%s' %s", environment, self,
				   arguments);
	FILE *p = popen(command, "r");
	char chunk[4096];
	size_t n;

	assert_non_null(p);
	while ((n = fread(chunk, 1, sizeof(chunk), p)))
		buf_add(out, chunk, n);
	pclose(p);
	free(command);
}

static void assert_same(const struct buf *a, const struct buf *b)
{
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->data, b->data, a->n);
}

static void same_figure_gives_same_bytes(void **state)
{
	struct buf first = BUF_INIT, second = BUF_INIT, other = BUF_INIT;
	struct figure f = example(), between = example();

	(void)state;
	between.title = "\xce\xb1\xce\xb2\xce\xb3 and other letters \xe2\x88\x91";
	between.width_mm = 150;
	for (int format = FIGURE_PDF; format <= FIGURE_PNG; format++) {
		char argument[] = { (char)('0' + format), '\0' };

		render(&f, format, &first);
		render(&between, format, &second);
		render(&f, format, &second);
		assert_same(&first, &second);
		buf_clear(&other);
		run_self("TZ=Asia/Tokyo", argument, &other);
		assert_same(&first, &other);
	}
	buf_release(&first);
	buf_release(&second);
	buf_release(&other);
}

static void another_value_gives_other_bytes(void **state)
{
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct estimate changed[6];
	struct figure f = example();

	(void)state;
	render(&f, FIGURE_SVG, &first);
	memcpy(changed, cells, sizeof(cells));
	changed[0].value = 13;
	f.cells = changed;
	render(&f, FIGURE_SVG, &second);
	assert_true(first.n != second.n ||
		    memcmp(first.data, second.data, first.n) != 0);
	buf_release(&first);
	buf_release(&second);
}

static void refused(const struct figure *f, enum error_kind kind,
		    const char *said)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	buf_adds(&out, "old");
	assert_int_equal(figure_render(f, FIGURE_SVG, &out, &err), -1);
	assert_int_equal(err.kind, kind);
	assert_int_equal(out.n, 0);
	if (!strstr(err.text, said))
		fail_msg("'%s' does not say '%s'", err.text, said);
	buf_release(&out);
}

static void values_of_any_size_are_drawn(void **state)
{
	static const double tops[] = { 1e300, 1e15, 1e-9, 1e-280 };
	struct estimate e = { .n = 3 };
	struct buf out = BUF_INIT;
	struct figure f = example();

	(void)state;
	f.cells = &e;
	f.n_categories = f.n_series = 1;
	for (size_t i = 0; i < 4; i++) {
		e.value = tops[i];
		e.low = -tops[i];
		e.high = tops[i];
		render(&f, FIGURE_SVG, &out);
		assert_null(strstr(out.data, " nan"));
		assert_null(strstr(out.data, " inf"));
	}
	buf_release(&out);
}

/* The second category has one bar, in its middle, and no mark. */
static void what_does_not_exist_takes_no_room(void **state)
{
	static const bool exists[] = { true, true, true, false, true, true };
	struct buf gap = BUF_INIT, none = BUF_INIT, alone = BUF_INIT;
	struct figure f = example();

	(void)state;
	f.exists = exists;
	render(&f, FIGURE_SVG, &none);
	f.exists = NULL;
	render(&f, FIGURE_SVG, &gap);
	/* neither the cross nor the note on it */
	assert_true(none.n < gap.n);
	f.exists = (const bool[]){ true, true, true, true, true, true };
	render(&f, FIGURE_SVG, &alone);
	assert_same(&gap, &alone);
	buf_release(&gap);
	buf_release(&none);
	buf_release(&alone);
}

static void one_series_needs_no_names(void **state)
{
	struct buf out = BUF_INIT;
	struct figure f = example();

	(void)state;
	f.n_series = 1;
	f.series = NULL;
	render(&f, FIGURE_SVG, &out);
	f.n_series = 2;
	refused(&f, ERROR_USAGE, "2 series without names");
	buf_release(&out);
}

static void outside_git_is_drawn_too(void **state)
{
	struct buf out = BUF_INIT;
	struct figure f = example();

	(void)state;
	f.provenance = (struct provenance){ .commit = "" };
	f.title = f.x_title = f.y_title = f.uom = f.caption = NULL;
	f.series_title = NULL;
	f.better = BETTER_UNSAID;
	for (int format = FIGURE_PDF; format <= FIGURE_PNG; format++)
		render(&f, format, &out);
	buf_release(&out);
}

static void nothing_to_draw_is_refused(void **state)
{
	static const struct estimate none[] = {
		ESTIMATE_INIT, ESTIMATE_INIT, ESTIMATE_INIT,
		ESTIMATE_INIT, ESTIMATE_INIT, ESTIMATE_INIT,
	};
	struct figure f = example();

	(void)state;
	f.cells = none;
	refused(&f, ERROR_USAGE, "no cell has a value");
	f.n_categories = 0;
	refused(&f, ERROR_USAGE, "nothing to draw: 0 categories, 2 series");
}

static void more_series_than_colours_are_refused(void **state)
{
	struct figure f = example();

	(void)state;
	f.n_series = 9;
	refused(&f, ERROR_USAGE, "9 series cannot be told apart, at most 8");
}

static void values_that_have_no_place_are_refused(void **state)
{
	struct estimate bad[6];
	struct figure f = example();

	(void)state;
	memcpy(bad, cells, sizeof(cells));
	f.cells = bad;
	bad[3].value = INFINITY;
	refused(&f, ERROR_USAGE, "64, in memory: cannot draw inf");
	bad[3].value = 1e301;
	refused(&f, ERROR_USAGE, "64, in memory: cannot draw 1e+301");
	bad[3] = (struct estimate){ .value = 1, .low = 2, .high = 0 };
	refused(&f, ERROR_USAGE, "[2, 0] ends before it begins");
}

static void a_page_that_is_too_small_is_refused_with_the_size_it_needs(
	void **state)
{
	struct estimate many[200];
	const char *names[200];
	struct figure f = example();

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		many[i] = cells[0];
		names[i] = "x";
	}
	f.width_mm = 10;
	refused(&f, ERROR_USAGE, "a width of 10 mm; it must be 40 to 600");
	f.width_mm = NAN;
	refused(&f, ERROR_USAGE, "a width of nan mm");
	f.width_mm = 88;
	f.height_mm = -1;
	refused(&f, ERROR_USAGE, "a height of -1 mm");
	f.height_mm = 20;
	refused(&f, ERROR_USAGE, "it needs at least");
	f.height_mm = 0;
	f.categories = names;
	f.cells = many;
	f.n_categories = 100;
	refused(&f, ERROR_USAGE, "100 categories with 2 bars each need a width of");
}

static void letters_that_no_font_has_are_named(void **state)
{
	static const char *const odd[] = { "4", "\xf4\x8f\xbf\xbd", "6" };
	struct figure f = example();

	(void)state;
	f.categories = odd;
	refused(&f, ERROR_ENVIRONMENT,
		"no installed font has all letters of "
		"'\xf4\x8f\xbf\xbd': install one");
}

/* fontconfig reads its settings once a process */
static void no_font_at_all_is_a_clear_error(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = mem_printf("%s/assay-test-figure-XXXXXX",
			       tmp ? tmp : "/tmp");
	struct error err = ERROR_INIT;
	struct buf said = BUF_INIT;
	char *conf, *environment, *content;

	(void)state;
	assert_non_null(mkdtemp(dir));
	conf = mem_printf("%s/fonts.conf", dir);
	content = mem_printf("<?xml version=\"1.0\"?>\n"
			     "<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n"
			     "<fontconfig><dir>%s/none</dir>"
			     "<cachedir>%s</cachedir></fontconfig>\n",
			     dir, dir);
	assert_int_equal(path_write(conf, content, strlen(content), &err), 0);
	environment = mem_printf("FONTCONFIG_FILE=%s", conf);
	run_self(environment, "1 2>&1", &said);
	assert_string_equal(said.data,
			    "no font found to label charts with: install one "
			    "(Debian: apt-get install fonts-dejavu-core)\n");
	free(content);
	content = mem_printf("rm -rf '%s'", dir);
	assert_int_equal(system(content), 0);
	free(content);
	free(environment);
	free(conf);
	free(dir);
	buf_release(&said);
}

static int render_to_stdout(int format)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	struct figure f = example();

	if (figure_render(&f, format, &out, &err) < 0)
		fprintf(stderr, "%s\n", err.text);
	fwrite(out.data, 1, out.n, stdout);
	fflush(stdout);
	buf_release(&out);
	figure_shutdown();
	return error_exit_status(&err);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_figure_gives_same_bytes),
		cmocka_unit_test(another_value_gives_other_bytes),
		cmocka_unit_test(values_of_any_size_are_drawn),
		cmocka_unit_test(what_does_not_exist_takes_no_room),
		cmocka_unit_test(one_series_needs_no_names),
		cmocka_unit_test(outside_git_is_drawn_too),
		cmocka_unit_test(nothing_to_draw_is_refused),
		cmocka_unit_test(more_series_than_colours_are_refused),
		cmocka_unit_test(values_that_have_no_place_are_refused),
		cmocka_unit_test(
			a_page_that_is_too_small_is_refused_with_the_size_it_needs),
		cmocka_unit_test(letters_that_no_font_has_are_named),
		cmocka_unit_test(no_font_at_all_is_a_clear_error),
	};
	int rc;

	if (argc > 1)
		return render_to_stdout(argv[1][0] - '0');
	self = argv[0];
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	figure_shutdown();
	return rc;
}
