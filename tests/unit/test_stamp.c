#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "tests/unit/figure_example.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pdf_says_where_it_comes_from_and_no_date),
		cmocka_unit_test(svg_says_where_it_comes_from),
		cmocka_unit_test(svgs_can_live_in_one_page),
		cmocka_unit_test(png_says_where_it_comes_from),
		cmocka_unit_test(text_that_is_not_ascii_goes_into_itxt),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	figure_shutdown();
	return rc;
}
