#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/report/template.h"

/* {name: "A<b>&\"c'", empty: "", none: [], list: [{x: 1}, {x: 2}],
 * words: ["a", "b"], deep: {er: {name: "inner"}, name: "deep"}} */
static struct filling *sample(void)
{
	struct filling *root = filling_object(), *list = filling_list();
	struct filling *words = filling_list(), *deep = filling_object();
	struct filling *er = filling_object();

	for (int i = 1; i <= 2; i++) {
		struct filling *item = filling_object();

		filling_set_text(item, "x", i == 1 ? "1" : "2");
		filling_push(list, item);
	}
	filling_push(words, filling_text("a"));
	filling_push(words, filling_text("b"));
	filling_set_text(er, "name", "inner");
	filling_set(deep, "er", er);
	filling_set_text(deep, "name", "deep");
	filling_set_text(root, "name", "A<b>&\"c'");
	filling_set_text(root, "empty", "");
	filling_set(root, "none", filling_list());
	filling_set(root, "list", list);
	filling_set(root, "words", words);
	filling_set(root, "deep", deep);
	return root;
}

static void renders(const char *text, const char *expected)
{
	struct error err = ERROR_INIT;
	struct filling *root = sample();
	struct buf out = BUF_INIT;

	if (template_render("t", text, root, &out, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(out.data, expected);
	buf_release(&out);
	filling_free(root);
}

static void refuses(const char *text, const char *expected)
{
	struct error err = ERROR_INIT;
	struct filling *root = sample();
	struct buf out = BUF_INIT;

	buf_adds(&out, "before");
	assert_int_equal(template_render("t.html", text, root, &out, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, expected);
	assert_string_equal(out.data, "before");
	buf_release(&out);
	filling_free(root);
}

static void test_text_without_tags_is_kept(void **state)
{
	(void)state;
	renders("", "");
	renders("a { b } c }} d\n\n", "a { b } c }} d\n\n");
}

static void test_variables_are_escaped_unless_raw(void **state)
{
	(void)state;
	renders("{{name}}", "A&lt;b&gt;&amp;&quot;c&#39;");
	renders("{{ name }}", "A&lt;b&gt;&amp;&quot;c&#39;");
	renders("{{{name}}}|{{&name}}|{{& name }}|{{{ name }}}",
		"A<b>&\"c'|A<b>&\"c'|A<b>&\"c'|A<b>&\"c'");
	renders("[{{empty}}]", "[]");
}

static void test_sections_repeat_over_lists(void **state)
{
	(void)state;
	renders("{{#list}}<{{x}}>{{/list}}", "<1><2>");
	renders("{{#none}}never{{/none}}", "");
	renders("{{#words}}{{.}},{{/words}}", "a,b,");
	renders("{{#words}}{{{.}}}{{/words}}", "ab");
}

static void test_sections_show_texts_and_objects_once(void **state)
{
	(void)state;
	renders("{{#name}}yes{{/name}}{{#empty}}no{{/empty}}", "yes");
	renders("{{#deep}}{{name}}{{/deep}}", "deep");
	renders("{{#deep}}{{#er}}{{name}}{{/er}}{{/deep}}", "inner");
}

static void test_inverted_sections_show_what_is_empty(void **state)
{
	(void)state;
	renders("{{^none}}none{{/none}}", "none");
	renders("{{^empty}}empty{{/empty}}", "empty");
	renders("{{^list}}never{{/list}}{{^name}}never{{/name}}", "");
	renders("{{#list}}{{^none}}{{x}}{{/none}}{{/list}}", "12");
}

static void test_names_are_looked_up_from_inside_out(void **state)
{
	(void)state;
	renders("{{#list}}{{x}}{{deep.name}} {{/list}}", "1deep 2deep ");
	renders("{{deep.er.name}}", "inner");
	renders("{{#deep}}{{er.name}}{{/deep}}", "inner");
}

static void test_a_dotted_name_does_not_look_further_out(void **state)
{
	(void)state;
	refuses("{{deep.list}}", "t.html:1: nothing is named 'deep.list'");
	refuses("{{name.x}}", "t.html:1: nothing is named 'name.x'");
}

static void test_comments_vanish(void **state)
{
	(void)state;
	renders("a{{! not {shown} }}b", "ab");
	renders("a{{!\nover\nlines\n}}b", "ab");
}

static void test_a_tag_alone_takes_its_line_with_it(void **state)
{
	(void)state;
	renders("a\n{{#list}}\n<{{x}}>\n{{/list}}\nb\n", "a\n<1>\n<2>\nb\n");
	renders("a\n  {{! c }}  \nb", "a\nb");
	renders("a\r\n{{! c }}\r\nb", "a\r\nb");
	renders("{{! first }}\na", "a");
}

static void test_a_tag_among_text_leaves_its_line_alone(void **state)
{
	(void)state;
	renders("a {{! c }}\nb", "a \nb");
	renders(" {{empty}} \nb", "  \nb");
	renders("{{#name}}{{/name}}\nb", "\nb");
	renders("{{! a }} {{! b }}\nc", " \nc");
}

static void test_the_last_line_may_lack_its_newline(void **state)
{
	(void)state;
	renders("a\n  {{! c }}", "a\n");
	renders("{{#name}}\nx\n{{/name}}", "x\n");
}

static void test_unknown_names_are_errors_with_their_line(void **state)
{
	(void)state;
	refuses("a\nb {{nmae}}", "t.html:2: nothing is named 'nmae'");
	refuses("\n\n{{#nmae}}{{/nmae}}", "t.html:3: nothing is named 'nmae'");
	refuses("{{^nmae}}{{/nmae}}", "t.html:1: nothing is named 'nmae'");
	refuses("{{#list}}\n{{! x\n\n }}\n{{y}}{{/list}}",
		"t.html:5: nothing is named 'y'");
}

static void test_lists_and_objects_are_not_texts(void **state)
{
	(void)state;
	refuses("{{list}}", "t.html:1: 'list' is a list, not a text; open it "
			    "with {{#list}}");
	refuses("{{.}}", "t.html:1: '.' is an object, not a text; open it "
			 "with {{#.}}");
}

static void test_sections_must_end_in_order(void **state)
{
	(void)state;
	refuses("\n{{#list}}\n", "t.html:2: section 'list' is never ended");
	refuses("{{/list}}", "t.html:1: {{/list}} ends no section");
	refuses("{{#list}}\n{{#name}}\n{{/list}}{{/name}}",
		"t.html:3: {{/list}} where section 'name' of line 2 should "
		"end");
}

static void test_a_tag_must_be_closed(void **state)
{
	(void)state;
	refuses("a\n{{name", "t.html:2: {{ without its }}");
	refuses("{{{name}}", "t.html:1: {{ without its }}}");
	refuses("{{", "t.html:1: {{ without its }}");
}

static void test_odd_names_are_refused(void **state)
{
	(void)state;
	refuses("{{}}", "t.html:1: '' is no name: letters, digits, _ and -, "
			"with dots between");
	refuses("{{a b}}", "t.html:1: 'a b' is no name: letters, digits, _ "
			   "and -, with dots between");
	refuses("{{a..b}}", "t.html:1: 'a..b' is no name: letters, digits, _ "
			    "and -, with dots between");
	refuses("{{#a.}}", "t.html:1: 'a.' is no name: letters, digits, _ "
			   "and -, with dots between");
}

static void test_partials_and_delimiters_are_refused(void **state)
{
	(void)state;
	refuses("{{> footer}}", "t.html:1: {{>...}}: templates cannot use "
				"other templates; put the text here");
	refuses("{{=<% %>=}}", "t.html:1: {{=...=}}: the delimiters are "
			       "always {{ and }}");
}

static void test_nesting_is_bounded(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < TEMPLATE_DEPTH_MAX + 1; i++)
		buf_adds(&text, "{{#name}}");
	refuses(text.data,
		"t.html:1: more than 32 sections within each other");
	buf_clear(&text);
	for (int i = 0; i < TEMPLATE_DEPTH_MAX; i++)
		buf_adds(&text, "{{#name}}");
	buf_adds(&text, "x");
	for (int i = 0; i < TEMPLATE_DEPTH_MAX; i++)
		buf_adds(&text, "{{/name}}");
	renders(text.data, "x");
	buf_release(&text);
}

static void test_lists_within_lists_cannot_explode(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < TEMPLATE_DEPTH_MAX; i++)
		buf_adds(&text, "{{#list}}");
	for (int i = 0; i < TEMPLATE_DEPTH_MAX; i++)
		buf_adds(&text, "{{/list}}");
	refuses(text.data, "t.html:1: the page grows without end: sections "
			   "repeat each other");
	buf_release(&text);
}

static void test_a_name_set_twice_has_its_last_value(void **state)
{
	struct filling *v = filling_object();

	(void)state;
	filling_set_text(v, "a", "1");
	filling_set_text(v, "a", "2");
	assert_string_equal(filling_bytes(filling_get(v, "a", 1), NULL), "2");
	assert_null(filling_get(v, "ab", 2));
	filling_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_without_tags_is_kept),
		cmocka_unit_test(test_variables_are_escaped_unless_raw),
		cmocka_unit_test(test_sections_repeat_over_lists),
		cmocka_unit_test(test_sections_show_texts_and_objects_once),
		cmocka_unit_test(test_inverted_sections_show_what_is_empty),
		cmocka_unit_test(test_names_are_looked_up_from_inside_out),
		cmocka_unit_test(test_a_dotted_name_does_not_look_further_out),
		cmocka_unit_test(test_comments_vanish),
		cmocka_unit_test(test_a_tag_alone_takes_its_line_with_it),
		cmocka_unit_test(test_a_tag_among_text_leaves_its_line_alone),
		cmocka_unit_test(test_the_last_line_may_lack_its_newline),
		cmocka_unit_test(test_unknown_names_are_errors_with_their_line),
		cmocka_unit_test(test_lists_and_objects_are_not_texts),
		cmocka_unit_test(test_sections_must_end_in_order),
		cmocka_unit_test(test_a_tag_must_be_closed),
		cmocka_unit_test(test_odd_names_are_refused),
		cmocka_unit_test(test_partials_and_delimiters_are_refused),
		cmocka_unit_test(test_nesting_is_bounded),
		cmocka_unit_test(test_lists_within_lists_cannot_explode),
		cmocka_unit_test(test_a_name_set_twice_has_its_last_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
