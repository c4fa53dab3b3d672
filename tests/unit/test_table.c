#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "plot/table/prose.h"
#include "plot/table/table.h"
#include "tests/unit/comma_locale.h"

#define DASH "\xe2\x80\x93"
#define PM "\xc2\xb1"
#define RULE "\xe2\x94\x80"
#define FIG "\xe2\x80\x87"
#define POINT "\xe2\x80\x88"
#define THIN "\xe2\x80\xaf"
#define NBSP "\xc2\xa0"
#define FOUR "\xe2\x80\x85"
#define THREE "\xe2\x80\x84"
#define RULES5 RULE RULE RULE RULE RULE

static const struct provenance provenance = {
	.experiment = "quick*start",
	.commit = "3f1c9a77",
	.campaign = "0b8a3c52",
	.digest = "9f86d081",
	.version = "0.1.0",
};

static void fill(struct table *t, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t row = i % t->n_columns ? t->n_rows - 1 : table_row(t);

		table_set(t, row, i % t->n_columns, texts[i]);
	}
}

/* A label and two columns of numbers. */
static void sample(struct table *t)
{
	static const char *const cells[] = {
		"4",   "9.5 " PM " 1.2",      "412.3 [408.9, 415.7]",
		"64",  "10.25 " PM " 0.33",   "88 [79, 97]",
		"128", DASH,		      "1" THIN "412.3",
	};

	table_init(t, "Synced random writes");
	table_column(t, "Block size", TABLE_LEFT, true);
	table_column(t, "on disk", TABLE_RIGHT, false);
	table_column(t, "in memory", TABLE_RIGHT, false);
	fill(t, cells, 9);
	table_note(t, "n = 5");
}

static void is_text(const struct table *t, int width, const char *expected)
{
	struct buf out = BUF_INIT;

	table_write_text(t, width, &out);
	assert_string_equal(out.data, expected);
	buf_release(&out);
}

static const char sample_text[] =
	"Synced random writes\n"
	"Block size        on disk                in memory\n"
	RULES5 RULES5 RULES5 RULES5 RULES5 RULES5 RULES5 RULES5 RULES5 RULES5
	"\n"
	"4             9.5  " PM " 1.2      412.3 [408.9, 415.7]\n"
	"64           10.25 " PM " 0.33      88    [79,    97]\n"
	"128           " DASH "             1" THIN "412.3\n"
	"n = 5\n";

static void test_text_lines_numbers_up_at_the_point(void **state)
{
	struct table t;

	(void)state;
	sample(&t);
	is_text(&t, 0, sample_text);
	is_text(&t, 50, sample_text);
	table_release(&t);
}

static void test_text_wraps_words_and_never_numbers(void **state)
{
	static const char *const cells[] = { "sequential reads",
					     "10.25 " PM " 0.33", "x" };
	struct table t;

	(void)state;
	table_init(&t, "A title of words");
	table_column(&t, "Kind", TABLE_LEFT, true);
	table_column(&t, "on disk, synced", TABLE_RIGHT, false);
	table_column(&t, "", TABLE_LEFT, false);
	fill(&t, cells, 3);
	table_note(&t, "Some method, some runs");
	is_text(&t, 1,
		"A\ntitle\nof\nwords\n"
		"Kind             on disk,\n"
		"                   synced\n"
		RULES5 RULES5 RULES5 RULES5 RULES5 RULE RULE RULE RULE "\n"
		"sequential   10.25 " PM " 0.33   x\n"
		"reads\n"
		"Some\nmethod,\nsome\nruns\n");
	table_release(&t);
}

static void test_text_counts_columns_not_bytes(void **state)
{
	static const char *const cells[] = { "\xe6\x97\xa5\xe6\x9c\xac", "1",
					     "k\xc3\xb5ik", "2" };
	struct table t;

	(void)state;
	table_init(&t, NULL);
	table_column(&t, "a", TABLE_LEFT, true);
	table_column(&t, "b", TABLE_LEFT, false);
	fill(&t, cells, 4);
	is_text(&t, 0,
		"a      b\n"
		RULES5 RULE RULE RULE "\n"
		"\xe6\x97\xa5\xe6\x9c\xac   1\n"
		"k\xc3\xb5ik   2\n");
	table_release(&t);
}

static void test_empty_tables_are_written(void **state)
{
	struct table t;

	(void)state;
	table_init(&t, NULL);
	is_text(&t, 80, "");
	table_column(&t, "a", TABLE_LEFT, true);
	is_text(&t, 80, "a\n" RULE "\n");
	table_row(&t);
	is_text(&t, 80, "a\n" RULE "\n\n");
	table_release(&t);
}

static void test_no_control_character_reaches_a_terminal(void **state)
{
	static const char *const cells[] = { "\x1b[31mred\n\tline\xff"
					     "\xc2\x9b" "2J" };
	struct table t;

	(void)state;
	table_init(&t, NULL);
	table_column(&t, "a", TABLE_LEFT, true);
	fill(&t, cells, 1);
	assert_string_equal(t.cells[0],
			    "\xe2\x90\x9b[31mred  line\xef\xbf\xbd"
			    "\xef\xbf\xbd" "2J");
	table_release(&t);
}

static void test_the_locale_changes_nothing(void **state)
{
	struct table t;

	(void)state;
	if (!comma_locale_enter()) {
		comma_locale_leave();
		skip();
	}
	sample(&t);
	is_text(&t, 0, sample_text);
	table_release(&t);
	comma_locale_leave();
}

static void test_markdown_has_pipes_notes_and_provenance(void **state)
{
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	sample(&t);
	table_write_markdown(&t, &provenance, &out);
	assert_string_equal(
		out.data,
		"**Synced random writes**\n"
		"\n"
		"| Block size |      on disk |            in memory |\n"
		"| ---------- | -----------: | -------------------: |\n"
		"| 4          |    9.5 " PM " 1.2 | 412.3 [408.9, 415.7] |\n"
		"| 64         | 10.25 " PM " 0.33 |          88 [79, 97] |\n"
		"| 128        |            " DASH " |"
		"              1" THIN "412.3 |\n"
		"\n"
		"- n = 5\n"
		"\n"
		"Experiment quick\\*start; commit `3f1c9a77`; campaign "
		"`0b8a3c52`; data `9f86d081`; assay 0.1.0.\n");
	buf_release(&out);
	table_release(&t);
}

static void test_markdown_outside_git_says_so(void **state)
{
	struct provenance p = provenance;
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	p.commit = "";
	table_init(&t, NULL);
	table_write_markdown(&t, &p, &out);
	assert_string_equal(out.data,
			    "\nExperiment quick\\*start; not in a git "
			    "repository; campaign `0b8a3c52`; data "
			    "`9f86d081`; assay 0.1.0.\n");
	buf_release(&out);
	table_release(&t);
}

static void test_markdown_escapes_its_own_signs(void **state)
{
	static const char *const cells[] = {
		"a|b", "block_kib", "_x_", "[1.2, 3.4]", "[a](b)",
		"<b>", "a*b`c~\\", "R & D", "&amp;", "![i](j)",
	};
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	table_init(&t, NULL);
	table_column(&t, "h|h", TABLE_LEFT, true);
	fill(&t, cells, 10);
	table_note(&t, "1. first");
	table_note(&t, "# second");
	table_note(&t, "- third");
	table_note(&t, "  12) fourth");
	table_note(&t, "12 is fine");
	table_write_markdown(&t, NULL, &out);
	assert_string_equal(out.data, "| h\\|h        |\n"
				      "| ----------- |\n"
				      "| a\\|b        |\n"
				      "| block_kib   |\n"
				      "| \\_x\\_       |\n"
				      "| [1.2, 3.4]  |\n"
				      "| [a\\](b)     |\n"
				      "| \\<b\\>       |\n"
				      "| a\\*b\\`c\\~\\\\ |\n"
				      "| R & D       |\n"
				      "| \\&amp;      |\n"
				      "| \\![i\\](j)   |\n"
				      "\n"
				      "- 1\\. first\n"
				      "- \\# second\n"
				      "- \\- third\n"
				      "- 12\\) fourth\n"
				      "- 12 is fine\n");
	buf_release(&out);
	table_release(&t);
}

static void test_html_is_semantic(void **state)
{
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	sample(&t);
	table_write_html(&t, &out);
	assert_string_equal(
		out.data,
		"<div class=\"table\">\n"
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		"aria-label=\"Synced random writes\">\n"
		"<table>\n"
		"<caption>Synced random writes</caption>\n"
		"<thead>\n"
		"<tr><th scope=\"col\">Block size</th>"
		"<th scope=\"col\" class=\"num\">on disk</th>"
		"<th scope=\"col\" class=\"num\">in memory</th></tr>\n"
		"</thead>\n"
		"<tbody>\n"
		"<tr><th scope=\"row\">4</th>"
		"<td class=\"num\">9.5" FIG " " PM " 1.2" FIG "</td>"
		"<td class=\"num\">412.3 [408.9, 415.7]</td></tr>\n"
		"<tr><th scope=\"row\">64</th>"
		"<td class=\"num\">10.25 " PM " 0.33</td>"
		"<td class=\"num\">88" POINT FIG " " FIG "[79," POINT FIG
		" " FIG "97]" POINT FIG "</td></tr>\n"
		"<tr><th scope=\"row\">128</th>"
		"<td class=\"num\">" DASH POINT FIG FIG FOUR FIG FOUR FIG
		POINT FIG FIG "</td>"
		"<td class=\"num\">1" THIN "412.3" FOUR THREE FIG FIG FIG
		POINT FIG POINT FOUR FIG FIG FIG POINT FIG THREE
		"</td></tr>\n"
		"</tbody>\n"
		"</table>\n"
		"</div>\n"
		"<ul class=\"notes\">\n"
		"<li>n" NBSP "=" NBSP "5</li>\n"
		"</ul>\n"
		"</div>\n");
	buf_release(&out);
	table_release(&t);
}

static void test_html_escapes_every_text(void **state)
{
	static const char evil[] = "<script>\"&'";
	static const char *const cells[] = { evil, evil };
	struct buf out = BUF_INIT;
	struct table t;
	size_t n = 0;

	(void)state;
	table_init(&t, evil);
	table_column(&t, evil, TABLE_LEFT, true);
	table_column(&t, evil, TABLE_RIGHT, false);
	fill(&t, cells, 2);
	table_note(&t, evil);
	table_write_html(&t, &out);
	assert_null(strstr(out.data, "<script"));
	for (const char *p = out.data;
	     (p = strstr(p, "&lt;script&gt;&quot;&amp;&#39;")); p++)
		n++;
	assert_int_equal(n, 7); /* the title is there twice */
	buf_release(&out);
	table_release(&t);
}

static void test_minus_and_groups_line_up_in_html(void **state)
{
	static const char *const cells[] = {
		"\xe2\x88\x92" "1.5 [\xe2\x88\x92" "12" THIN "345.6, 2.5]",
		"0.5 [1.0, \xe2\x88\x9e]",
	};
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	table_init(&t, NULL);
	table_column(&t, "h", TABLE_RIGHT, false);
	fill(&t, cells, 2);
	table_write_html(&t, &out);
	assert_non_null(strstr(out.data, "<td class=\"num\">0.5 " FIG FIG FIG
					 FIG FIG THIN "[1.0, \xe2\x88\x9e]"
					 POINT FIG "</td>"));
	buf_release(&out);
	table_release(&t);
}

static void binds(const char *text, const char *expected)
{
	char *bound = prose_bind(text);

	assert_string_equal(bound, expected);
	free(bound);
}

static void test_expressions_in_prose_do_not_break(void **state)
{
	(void)state;
	binds("", "");
	binds("95 % t interval, n = 5.",
	      "95" NBSP "% t interval, n" NBSP "=" NBSP "5.");
	binds("1.2 " PM " 0.1", "1.2" NBSP PM NBSP "0.1");
	binds("(2 \xc3\x97 10)", "(2" NBSP "\xc3\x97" NBSP "10)");
	binds("a % b, x =, = y, ends =", "a % b, x =," NBSP "=" NBSP
	      "y, ends =");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_lines_numbers_up_at_the_point),
		cmocka_unit_test(test_text_wraps_words_and_never_numbers),
		cmocka_unit_test(test_text_counts_columns_not_bytes),
		cmocka_unit_test(test_empty_tables_are_written),
		cmocka_unit_test(test_no_control_character_reaches_a_terminal),
		cmocka_unit_test(test_the_locale_changes_nothing),
		cmocka_unit_test(test_markdown_has_pipes_notes_and_provenance),
		cmocka_unit_test(test_markdown_outside_git_says_so),
		cmocka_unit_test(test_markdown_escapes_its_own_signs),
		cmocka_unit_test(test_html_is_semantic),
		cmocka_unit_test(test_html_escapes_every_text),
		cmocka_unit_test(test_minus_and_groups_line_up_in_html),
		cmocka_unit_test(test_expressions_in_prose_do_not_break),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
