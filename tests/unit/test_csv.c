#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "orchestrate/spec/csv.h"

/* Every record as <field><field>, one a line; then the fault, if any. */
static char *read_all(const char *data, size_t n)
{
	struct problems p = PROBLEMS_INIT;
	struct buf out = BUF_INIT;
	struct csv c;
	int rc;

	csv_init(&c, "x.csv", data, n);
	while ((rc = csv_next(&c, &p)) > 0) {
		for (size_t i = 0; i < c.n_fields; i++)
			buf_addf(&out, "<%s>", c.fields[i].text);
		buf_addc(&out, '\n');
	}
	assert_int_equal(rc, p.n ? -1 : 0);
	for (size_t i = 0; i < p.n; i++)
		buf_addf(&out, "%s:%u:%u: %s\n", p.items[i].file,
			 p.items[i].line, p.items[i].column, p.items[i].text);
	csv_release(&c);
	problems_release(&p);
	return buf_detach(&out);
}

static void assert_read(const char *data, const char *wanted)
{
	char *got = read_all(data, strlen(data));

	assert_string_equal(got, wanted);
	free(got);
}

static void fields_are_between_commas(void **state)
{
	(void)state;
	assert_read("a,b\n1,2\n", "<a><b>\n<1><2>\n");
	assert_read("a,b\n1,2", "<a><b>\n<1><2>\n");
	assert_read("a", "<a>\n");
	assert_read("", "");
}

static void an_empty_field_is_one(void **state)
{
	(void)state;
	assert_read(",\na,,b\n,", "<><>\n<a><><b>\n<><>\n");
	assert_read("a,\n", "<a><>\n");
	assert_read("\"\"\n", "<>\n");
}

static void spaces_belong_to_a_field(void **state)
{
	(void)state;
	assert_read(" a , b\t\n", "< a >< b\t>\n");
}

static void quotes_hold_commas_line_ends_and_quotes(void **state)
{
	(void)state;
	assert_read("\"a,b\",\"c\nd\",\"e\"\"f\"\"\"\nx,y,z\n",
		    "<a,b><c\nd><e\"f\">\n<x><y><z>\n");
	assert_read("\"a\r\nb\"\r\n", "<a\r\nb>\n");
}

static void lines_may_end_like_on_other_systems(void **state)
{
	(void)state;
	assert_read("a,b\r\n1,2\r\n", "<a><b>\n<1><2>\n");
	/* a lone carriage return is no line end */
	assert_read("a\rb\n", "<a\rb>\n");
}

static void lines_with_nothing_in_them_are_skipped(void **state)
{
	(void)state;
	assert_read("\n\r\na\n\n\nb\n\n", "<a>\n<b>\n");
}

static void a_byte_order_mark_is_no_text(void **state)
{
	(void)state;
	assert_read("\xef\xbb\xbf" "a,b\n", "<a><b>\n");
	assert_read("\xef\xbb\xbf" "a\"\n",
		    "x.csv:1:2: a quote (\") inside a field without quotes; "
		    "put the field into quotes and write the quote twice\n");
}

static void faults_have_their_place(void **state)
{
	(void)state;
	assert_read("a,b\n1,\"2\n3,4\n",
		    "<a><b>\nx.csv:2:3: a quote (\") that nothing closes\n");
	assert_read("\"a\"b\n",
		    "x.csv:1:4: text behind a closing quote; a quote inside a "
		    "field is written twice (\"\")\n");
	assert_read("\"x\ny\",a\"\n",
		    "x.csv:2:5: a quote (\") inside a field without quotes; "
		    "put the field into quotes and write the quote twice\n");
}

static void columns_are_characters(void **state)
{
	static const char data[] = "\xc3\xa4\xc3\xb6,b\n";
	struct problems p = PROBLEMS_INIT;
	struct csv c;

	(void)state;
	csv_init(&c, "x.csv", data, strlen(data));
	assert_int_equal(csv_next(&c, &p), 1);
	assert_string_equal(c.fields[0].text, "\xc3\xa4\xc3\xb6");
	assert_int_equal(c.fields[1].mark.line, 1);
	assert_int_equal(c.fields[1].mark.column, 4);
	assert_int_equal(csv_next(&c, &p), 0);
	assert_int_equal(csv_next(&c, &p), 0);
	csv_release(&c);
	problems_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_between_commas),
		cmocka_unit_test(an_empty_field_is_one),
		cmocka_unit_test(spaces_belong_to_a_field),
		cmocka_unit_test(quotes_hold_commas_line_ends_and_quotes),
		cmocka_unit_test(lines_may_end_like_on_other_systems),
		cmocka_unit_test(lines_with_nothing_in_them_are_skipped),
		cmocka_unit_test(a_byte_order_mark_is_no_text),
		cmocka_unit_test(faults_have_their_place),
		cmocka_unit_test(columns_are_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
