#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/path.h"
#include "plot/chart/figure.h"

#define COMMIT "60771e4aa0c1f2d3e4b5a69788796a5b4c3d2e1f"
#define CAMPAIGN "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
#define DIGEST                                                               \
	"0123abcd456789ef0123abcd456789ef0123abcd456789ef0123abcd456789ef"

static const char *self;

static const char *const sizes[] = { "4", "64", "1024" };
static const char *const places[] = { "on disk", "in memory" };
static const struct estimate cells[] = {
	{ .value = 12, .low = 10, .high = 14, .n = 5 },
	{ .value = 310, .low = 298, .high = 322, .n = 5 },
	{ .value = 88, .low = 79, .high = 97, .n = 5 },
	{ .value = NAN, .low = NAN, .high = NAN },
	{ .value = 120, .low = NAN, .high = NAN, .n = 1 },
	{ .value = 900, .low = -INFINITY, .high = INFINITY, .n = 3 },
};

static struct figure example(void)
{
	return (struct figure){
		.title = "Synced \"random\" <writes>",
		.x_title = "Block size (KiB)",
		.y_title = "Bandwidth", .uom = "MiB/s",
		.better = BETTER_HIGHER,
		.categories = sizes, .n_categories = 3,
		.series_title = "Work directory", .series = places,
		.n_series = 2, .cells = cells,
		.caption = "Bars: mean; whiskers: 95 % t interval, n = 5",
		.width_mm = 88,
		.provenance = { .experiment = "quickstart", .commit = COMMIT,
				.campaign = CAMPAIGN, .digest = DIGEST,
				.version = "0.1.0" },
	};
}

static void render(const struct figure *f, enum figure_format format,
		   struct buf *out)
{
	struct error err = ERROR_INIT;

	if (figure_render(f, format, out, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(out->n > 1000);
}

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
	struct figure f = example();

	(void)state;
	for (int format = FIGURE_PDF; format <= FIGURE_PNG; format++) {
		char argument[] = { (char)('0' + format), '\0' };

		render(&f, format, &first);
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

static void assert_contains(const struct buf *b, const char *text)
{
	if (!memmem(b->data, b->n, text, strlen(text)))
		fail_msg("no '%s' in the output", text);
}

static void pdf_says_where_it_comes_from_and_no_date(void **state)
{
	struct buf pdf = BUF_INIT;
	struct figure f = example();

	(void)state;
	render(&f, FIGURE_PDF, &pdf);
	assert_memory_equal(pdf.data, "%PDF-1.4", 8);
	assert_contains(&pdf, "/Keywords (experiment: quickstart; commit: "
			COMMIT "; campaign: " CAMPAIGN "; data: " DIGEST
			"; version: 0.1.0)");
	assert_contains(&pdf, "/Creator (assay 0.1.0)");
	assert_contains(&pdf, "/Title (Synced \"random\" <writes>)");
	assert_contains(&pdf, "/FontFile2");
	assert_null(memmem(pdf.data, pdf.n, "/CreationDate", 13));
	assert_null(memmem(pdf.data, pdf.n, "/ModDate", 8));
	buf_release(&pdf);
}

static void svg_says_where_it_comes_from(void **state)
{
	struct buf svg = BUF_INIT;
	struct figure f = example();

	(void)state;
	render(&f, FIGURE_SVG, &svg);
	assert_contains(&svg, "<metadata>\n<assay:provenance "
			"xmlns:assay=\"urn:assay:provenance:1\" "
			"experiment=\"quickstart\" commit=\"" COMMIT
			"\" campaign=\"" CAMPAIGN "\" data=\"" DIGEST
			"\" version=\"0.1.0\"/>\n</metadata>");
	assert_contains(&svg,
			"-title\">Synced &quot;random&quot; &lt;writes&gt;"
			"</title>");
	assert_contains(&svg, "-desc\">Bar chart of Bandwidth (MiB/s) by "
			"Block size (KiB): 4, 64, 1024; Work directory: "
			"on disk, in memory. Bars: mean;");
	buf_release(&svg);
}

/* Elements open and close in pairs; attributes are quoted. */
static void assert_well_formed(const char *svg)
{
	char *open[64];
	size_t depth = 0;

	for (const char *p = strchr(svg, '<'); p; p = strchr(p, '<')) {
		size_t name = strcspn(p + 1, " />\n");
		const char *end = strchr(p, '>');

		assert_non_null(end);
		if (p[1] == '/') {
			assert_true(depth > 0);
			name = strcspn(p + 2, ">");
			assert_int_equal(strlen(open[depth - 1]), name);
			assert_memory_equal(open[--depth], p + 2, name);
			free(open[depth]);
		} else if (p[1] != '?' && end[-1] != '/') {
			assert_true(depth < 64);
			open[depth++] = mem_strndup(p + 1, name);
		}
		p = end;
	}
	assert_int_equal(depth, 0);
}

/* Puts the ids into `ids`; one that is there already is a clash. */
static size_t collect_ids(const char *svg, struct map *ids)
{
	static int here;
	size_t n = 0;

	for (const char *p = strstr(svg, " id=\""); p;
	     p = strstr(p + 1, " id=\"")) {
		char *id = mem_strndup(p + 5, strcspn(p + 5, "\""));

		if (map_put(ids, id, &here))
			fail_msg("id '%s' twice", id);
		free(id);
		n++;
	}
	return n;
}

static void assert_references_found(const char *svg, const char *mark,
				    struct map *ids)
{
	for (const char *p = strstr(svg, mark); p; p = strstr(p + 1, mark)) {
		const char *from = p + strlen(mark);
		char *id = mem_strndup(from, strcspn(from, "\")"));

		if (!map_get(ids, id))
			fail_msg("'%s' refers to nothing", id);
		free(id);
	}
}

static void svgs_can_live_in_one_page(void **state)
{
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct map ids = MAP_INIT;
	struct figure f = example();

	(void)state;
	render(&f, FIGURE_SVG, &first);
	f.caption = "Another one";
	render(&f, FIGURE_SVG, &second);
	assert_well_formed(first.data);
	assert_true(collect_ids(first.data, &ids) > 10);
	assert_references_found(first.data, "href=\"#", &ids);
	assert_references_found(first.data, "url(#", &ids);
	assert_true(collect_ids(second.data, &ids) > 10);
	map_release(&ids);
	buf_release(&first);
	buf_release(&second);
}

static uint32_t read_u32(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 |
	       (uint32_t)u[2] << 8 | u[3];
}

static uint32_t crc32_of(const char *p, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void png_says_where_it_comes_from(void **state)
{
	static const char text[] = "tEXtassay:commit\0" COMMIT;
	struct buf png = BUF_INIT;
	struct figure f = example();
	size_t at = 8;
	int images = 0;

	(void)state;
	render(&f, FIGURE_PNG, &png);
	assert_memory_equal(png.data, "\x89PNG\r\n\x1a\n", 8);
	while (at < png.n) { /* every chunk, ours and libpng's */
		uint32_t n = read_u32(png.data + at);

		assert_true(at + 12 + n <= png.n);
		assert_int_equal(crc32_of(png.data + at + 4, n + 4),
				 read_u32(png.data + at + 8 + n));
		if (at == 8)
			assert_memory_equal(png.data + at + 4, "IHDR", 4);
		images += !memcmp(png.data + at + 4, "IDAT", 4);
		at += 12 + n;
	}
	assert_true(images > 0);
	assert_memory_equal(png.data + png.n - 8, "IEND", 4);
	assert_non_null(memmem(png.data, png.n, text, sizeof(text) - 1));
	assert_contains(&png, "pHYs");
	assert_contains(&png, DIGEST);
	/* 88 mm at 300 dpi */
	assert_int_equal(read_u32(png.data + 16), 1040);
	buf_release(&png);
}

static void text_that_is_not_ascii_goes_into_itxt(void **state)
{
	struct buf png = BUF_INIT;
	struct figure f = example();
	static const char chunk[] =
		"iTXtTitle\0\0\0\0\0Levyn l\xc3\xa4pimeno";

	(void)state;
	f.title = "Levyn l\xc3\xa4pimeno";
	render(&f, FIGURE_PNG, &png);
	assert_non_null(memmem(png.data, png.n, chunk, sizeof(chunk) - 1));
	buf_release(&png);
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
	refused(&f, ERROR_USAGE, "a width of 10 mm; it must be 30 to 600");
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
	refused(&f, ERROR_USAGE, "100 categories of 2 bars need a width of");
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
	buf_release(&out);
	figure_shutdown();
	return error_exit_status(&err);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_figure_gives_same_bytes),
		cmocka_unit_test(another_value_gives_other_bytes),
		cmocka_unit_test(pdf_says_where_it_comes_from_and_no_date),
		cmocka_unit_test(svg_says_where_it_comes_from),
		cmocka_unit_test(svgs_can_live_in_one_page),
		cmocka_unit_test(png_says_where_it_comes_from),
		cmocka_unit_test(text_that_is_not_ascii_goes_into_itxt),
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
