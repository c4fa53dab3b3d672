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
#include "plot/report/svg_inline.h"

#define ROOT "<svg role=\"img\" aria-label=\"A &amp; B\""

static int inline_it(const char *data, size_t n, struct buf *out,
		     struct error *err)
{
	struct svg_source svg = { .name = "rate",
				  .data = data,
				  .n = n,
				  .alt = "A & B",
				  .prefix = "f1-" };

	return svg_inline(&svg, out, err);
}

static void becomes(const char *text, const char *expected)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	if (inline_it(text, strlen(text), &out, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(out.data, expected);
	buf_release(&out);
}

static void refuses(const char *text, const char *why)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char expected[256];

	snprintf(expected, sizeof(expected),
		 "figure rate cannot go into the report: %s", why);
	assert_int_equal(inline_it(text, strlen(text), &out, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, expected);
	buf_release(&out);
}

static void test_what_stands_around_the_image_is_left_out(void **state)
{
	(void)state;
	becomes("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\" ["
		"<!ENTITY a \"b\">]>\n<!-- a > comment -->\n"
		"<svg width=\"1pt\" version=\"1.1\">\n<g/><!-- x --></svg>\n",
		ROOT " width=\"1pt\">\n<g/></svg>");
	becomes("<svg/>", ROOT "/>");
}

static void test_the_root_says_what_it_shows_once(void **state)
{
	(void)state;
	becomes("<svg role=\"graphics-document\" aria-label='old' "
		"aria-labelledby=\"t\"><g role=\"x\"></g></svg>",
		ROOT "><g role=\"x\"></g></svg>");
}

static void test_ids_and_what_refers_to_them_get_the_prefix(void **state)
{
	(void)state;
	becomes("<svg><g id=\"a\" clip-path=\"url(#c)\" "
		"style=\"fill:url(#f);mask:url(#m)\"/>"
		"<use xlink:href=\"#a\" x='1'/><use href=\"#a\"/></svg>",
		ROOT "><g id=\"f1-a\" clip-path=\"url(#f1-c)\" "
		     "style=\"fill:url(#f1-f);mask:url(#f1-m)\"/>"
		     "<use xlink:href=\"#f1-a\" x='1'/>"
		     "<use href=\"#f1-a\"/></svg>");
}

static void test_text_that_looks_like_a_reference_is_left_alone(void **state)
{
	(void)state;
	becomes("<svg><text>id=\"a\" url(#b) &lt;script></text>"
		"<desc><![CDATA[<g id=\"a\">]]></desc></svg>",
		ROOT "><text>id=\"a\" url(#b) &lt;script></text>"
		     "<desc><![CDATA[<g id=\"a\">]]></desc></svg>");
}

static void test_metadata_is_kept(void **state)
{
	static const char inner[] =
		"<metadata><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-"
		"rdf-syntax-ns#\"><dc:source>3f1c</dc:source></rdf:RDF>"
		"</metadata></svg>";
	char text[512], expected[512];

	(void)state;
	snprintf(text, sizeof(text), "<svg>%s", inner);
	snprintf(expected, sizeof(expected), ROOT ">%s", inner);
	becomes(text, expected);
}

static void test_embedded_images_are_kept(void **state)
{
	(void)state;
	becomes("<svg><image xlink:href=\"data:image/png;base64,AA\"/></svg>",
		ROOT "><image xlink:href=\"data:image/png;base64,AA\"/></svg>");
}

static void test_what_reaches_outside_is_refused(void **state)
{
	(void)state;
	refuses("<svg><image href=\"http://x/y.png\"/></svg>",
		"its SVG refers to another file");
	refuses("<svg><use xlink:href=\"other.svg#a\"/></svg>",
		"its SVG refers to another file");
	refuses("<svg><g style=\"fill:URL(x.svg#a)\"/></svg>",
		"its SVG refers to another file");
	refuses("<svg><g fill=\"url(\"/></svg>",
		"its SVG refers to another file");
	refuses("<svg><image src=\"x.png\"/></svg>",
		"its SVG refers to another file");
}

static void test_what_acts_is_refused(void **state)
{
	(void)state;
	refuses("<svg><script>x</script></svg>",
		"its SVG has an element <script>");
	refuses("<svg><STYLE>x</STYLE></svg>",
		"its SVG has an element <style>");
	refuses("<svg><foreignObject/></svg>",
		"its SVG has an element <foreignobject>");
	refuses("<svg><img/></svg>", "its SVG has an element <img>");
	refuses("<svg onload=\"x\"/>", "its SVG holds a script");
	refuses("<svg><g OnClick='x'/></svg>", "its SVG holds a script");
}

static void test_what_is_no_svg_is_refused(void **state)
{
	(void)state;
	refuses("", "it is not an SVG image");
	refuses("plain text", "it is not an SVG image");
	refuses("<html><svg/></html>", "it is not an SVG image");
	refuses("<svg>\xff</svg>", "its SVG is not UTF-8 text");
}

static void test_a_broken_svg_cannot_swallow_the_page(void **state)
{
	static const char whole[] = "<?xml?><!DOCTYPE a><svg a=\"b\"><!--c-->"
				    "<g id='x'>t<![CDATA[d]]></g></svg>";

	(void)state;
	for (size_t n = 0; n < strlen(whole); n++) {
		struct error err = ERROR_INIT;
		struct buf out = BUF_INIT;

		assert_int_equal(inline_it(whole, n, &out, &err), -1);
		buf_release(&out);
	}
	refuses("<svg><g></svg>", "its SVG ends in the middle");
	refuses("<svg></svg><g/>", "its SVG is not well-formed");
	refuses("<svg></svg></g>", "its SVG is not well-formed");
	refuses("<svg a=b/>", "its SVG has an attribute without quotes");
	refuses("<svg a/>", "its SVG is not well-formed");
	refuses("<svg><>", "its SVG is not well-formed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_stands_around_the_image_is_left_out),
		cmocka_unit_test(test_the_root_says_what_it_shows_once),
		cmocka_unit_test(
			test_ids_and_what_refers_to_them_get_the_prefix),
		cmocka_unit_test(
			test_text_that_looks_like_a_reference_is_left_alone),
		cmocka_unit_test(test_metadata_is_kept),
		cmocka_unit_test(test_embedded_images_are_kept),
		cmocka_unit_test(test_what_reaches_outside_is_refused),
		cmocka_unit_test(test_what_acts_is_refused),
		cmocka_unit_test(test_what_is_no_svg_is_refused),
		cmocka_unit_test(test_a_broken_svg_cannot_swallow_the_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
