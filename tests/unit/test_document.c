#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/path.h"
#include "plot/report/document.h"
#include "plot/table/table.h"

#define EVIL "<script>alert('x')</script>\"&"
#define EVIL_SAFE                                                             \
	"&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;"

static const char svg[] = "<?xml version=\"1.0\"?>\n"
			  "<svg viewBox=\"0 0 1 1\"><path id=\"p\"/></svg>\n";

static const struct provenance provenance = {
	.experiment = "quickstart",
	.commit = "3f1c9a77d0b5e64c2a8f9b1d7e6054c3b2a19088",
	.campaign = "0b8a3c52-6c1f-4f83-9a5e-2f6d1c7be941",
	.digest = "9f86d081884c7d659a2feaa0c55ad015"
		  "a3bf4f1b2b0b822cd15d6c15b0f00a08",
	.version = "0.1.0",
};

static void writes(const struct document *d, const char *template,
		   const char *expected)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	if (document_write_html(d, "t.html", template, &out, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(out.data, expected);
	buf_release(&out);
}

static void default_page(const struct document *d, struct buf *out)
{
	struct error err = ERROR_INIT;
	struct buf template = BUF_INIT;

	if (path_read("report-templates/default.html", 1 << 20, &template,
		      &err) < 0 ||
	    document_write_html(d, "default.html", template.data, out, &err) <
		    0)
		fail_msg("%s", err.text);
	buf_release(&template);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		n++;
	}
	return n;
}

static void test_headings_open_sections_with_ids_of_their_own(void **state)
{
	struct document *d = document_new("T", "en", &provenance);

	(void)state;
	document_paragraph(d, "lead");
	document_heading(d, "Synced random writes!");
	document_paragraph(d, "one");
	document_paragraph(d, "two");
	document_heading(d, "Synced, random writes");
	document_heading(d, "\xe6\x97\xa5\xe6\x9c\xac");
	writes(d,
	       "{{#sections}}[{{id}}|{{heading}}|"
	       "{{#parts}}<{{paragraph}}>{{/parts}}]{{/sections}}",
	       "[section-||<lead>]"
	       "[section-synced-random-writes|Synced random writes!|"
	       "<one><two>]"
	       "[section-synced-random-writes-2|Synced, random writes|]"
	       "[section--2|\xe6\x97\xa5\xe6\x9c\xac|]");
	document_free(d);
	document_free(NULL);
}

static void test_parts_keep_their_order(void **state)
{
	static const char *const items[] = { "a", "b" };
	struct document *d = document_new("T", "en", &provenance);
	struct table t;

	(void)state;
	table_init(&t, "caption");
	document_listing(d, "x.yaml", "k: v\n");
	document_table(d, &t);
	document_list(d, items, 2);
	document_figure(d, "rate", svg, strlen(svg), "alt", "caption");
	document_paragraph(d, "end");
	writes(d,
	       "{{#sections}}{{#parts}}"
	       "{{#paragraph}}P {{.}}{{/paragraph}}"
	       "{{#list}}L{{#items}} {{.}}{{/items}};{{/list}}"
	       "{{#table}}T;{{/table}}"
	       "{{#figure}}F {{id}} {{name}} {{alt}} {{caption}} "
	       "{{{svg}}};{{/figure}}"
	       "{{#listing}}S {{id}} {{name}} {{text}};{{/listing}}"
	       "{{/parts}}{{/sections}}",
	       "S listing-x-yaml x.yaml k: v\n;T;L a b;"
	       "F figure-rate rate alt caption "
	       "<svg role=\"img\" aria-label=\"alt\" viewBox=\"0 0 1 1\">"
	       "<path id=\"f1-p\"/></svg>;P end");
	document_free(d);
	table_release(&t);
}

static void test_contents_appear_when_there_is_much(void **state)
{
	static const char template[] =
		"{{#contents}}{{#entries}}{{id}}={{heading}};{{/entries}}"
		"{{/contents}}";
	struct document *d = document_new("T", "en", &provenance);

	(void)state;
	document_paragraph(d, "lead");
	document_heading(d, "A");
	document_heading(d, "B");
	document_heading(d, "C");
	writes(d, template, "");
	document_heading(d, "D");
	writes(d, template,
	       "section-a=A;section-b=B;section-c=C;section-d=D;");
	document_free(d);
}

static void test_a_template_fault_names_its_line(void **state)
{
	struct document *d = document_new("T", "en", &provenance);
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(document_write_html(d, "mine.html", "\n{{titel}}",
					     &out, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, "mine.html:2: nothing is named 'titel'");
	assert_int_equal(out.n, 0);
	buf_release(&out);
	document_free(d);
}

static void test_a_figure_that_is_no_svg_is_named(void **state)
{
	struct document *d = document_new("T", "en", &provenance);
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	document_heading(d, "A");
	document_figure(d, "rate", "%PDF", 4, "", "");
	assert_int_equal(document_write_html(d, "t.html", "{{title}}", &out,
					     &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, "figure rate cannot go into the report: "
				      "it is not an SVG image");
	assert_int_equal(out.n, 0);
	buf_release(&out);
	document_free(d);
}

static struct document *evil_document(struct table *t)
{
	static const char *const items[] = { EVIL };
	static const struct provenance evil = { EVIL, EVIL, EVIL, EVIL, EVIL };
	struct document *d = document_new(EVIL, EVIL, &evil);

	table_init(t, EVIL);
	table_column(t, EVIL, TABLE_LEFT, true);
	table_row(t);
	table_set(t, 0, 0, EVIL);
	table_note(t, EVIL);
	for (int i = 0; i < 4; i++)
		document_heading(d, EVIL);
	document_paragraph(d, EVIL);
	document_list(d, items, 1);
	document_table(d, t);
	document_figure(d, EVIL, svg, strlen(svg), EVIL, EVIL);
	document_listing(d, EVIL, EVIL);
	return d;
}

static void test_every_text_is_escaped(void **state)
{
	struct table t;
	struct document *d = evil_document(&t);
	struct buf out = BUF_INIT;

	(void)state;
	default_page(d, &out);
	assert_null(strstr(out.data, "<script"));
	assert_null(strstr(out.data, "alert('"));
	/* language, title x2, provenance 6 + 2 + 5, contents 4, headings 4,
	 * paragraph, item, table 5, figure 2, listing 2 */
	assert_int_equal(count(out.data, EVIL_SAFE), 35);
	document_free(d);
	table_release(&t);
	buf_release(&out);
}

static void test_the_page_wants_nothing_from_outside(void **state)
{
	struct document *d = document_new("T", "en", &provenance);
	struct buf out = BUF_INIT;

	(void)state;
	document_figure(d, "rate", svg, strlen(svg), "alt", "caption");
	default_page(d, &out);
	assert_null(strstr(out.data, "http"  "://"));
	assert_null(strstr(out.data, "https" "://"));
	assert_null(strstr(out.data, "src="));
	assert_null(strstr(out.data, "@import"));
	assert_null(strstr(out.data, "<script"));
	assert_non_null(strstr(out.data, "default-src 'none'"));
	document_free(d);
	buf_release(&out);
}

static void test_the_page_says_where_it_comes_from(void **state)
{
	struct document *d = document_new("T", "fi", &provenance);
	struct buf out = BUF_INIT;

	(void)state;
	default_page(d, &out);
	assert_non_null(strstr(out.data, "<html lang=\"fi\">"));
	assert_non_null(strstr(out.data, "<title>T</title>"));
	assert_non_null(strstr(out.data, "<meta name=\"generator\" "
					 "content=\"assay 0.1.0\">"));
	assert_non_null(strstr(out.data, "<meta name=\"assay.commit\" "
					 "content=\"3f1c9a77d0b5e64c2a8f9b1d7e"
					 "6054c3b2a19088\">"));
	/* meta, below the title, and in the footer */
	assert_int_equal(count(out.data, provenance.commit), 3);
	assert_int_equal(count(out.data, provenance.campaign), 2);
	assert_int_equal(count(out.data, provenance.digest), 2);
	document_free(d);
	buf_release(&out);
}

static void test_a_page_outside_git_says_so(void **state)
{
	struct provenance none = provenance;
	struct document *d;
	struct buf out = BUF_INIT;

	(void)state;
	none.commit = "";
	d = document_new("T", "en", &none);
	default_page(d, &out);
	assert_non_null(strstr(out.data, "not in a git repository"));
	assert_null(strstr(out.data, "<code></code>"));
	document_free(d);
	buf_release(&out);
}

static void test_the_same_document_gives_the_same_bytes(void **state)
{
	struct buf one = BUF_INIT, other = BUF_INIT;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct table t;
		struct document *d = evil_document(&t);

		default_page(d, i ? &other : &one);
		document_free(d);
		table_release(&t);
	}
	assert_string_equal(one.data, other.data);
	buf_release(&one);
	buf_release(&other);
}

static void test_texts_are_made_printable(void **state)
{
	struct document *d = document_new("a\x1b\xff", "en", &provenance);

	(void)state;
	document_listing(d, "l", "x\r\n\ty\x01");
	writes(d,
	       "{{title}}{{#sections}}{{#parts}}{{#listing}}{{text}}"
	       "{{/listing}}{{/parts}}{{/sections}}",
	       "a\xe2\x90\x9b\xef\xbf\xbd"
	       "x\xe2\x90\x8d\n\ty\xe2\x90\x81");
	document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_headings_open_sections_with_ids_of_their_own),
		cmocka_unit_test(test_parts_keep_their_order),
		cmocka_unit_test(test_contents_appear_when_there_is_much),
		cmocka_unit_test(test_a_template_fault_names_its_line),
		cmocka_unit_test(test_a_figure_that_is_no_svg_is_named),
		cmocka_unit_test(test_every_text_is_escaped),
		cmocka_unit_test(test_the_page_wants_nothing_from_outside),
		cmocka_unit_test(test_the_page_says_where_it_comes_from),
		cmocka_unit_test(test_a_page_outside_git_says_so),
		cmocka_unit_test(test_the_same_document_gives_the_same_bytes),
		cmocka_unit_test(test_texts_are_made_printable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
