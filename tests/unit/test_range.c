#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/range.h"

/*
 * What a range of the file `text` ({range: ..., step: ...}) gives: its levels,
 * or its one problem with its place.
 */
static char *levels_of(const char *text)
{
	struct problems p = PROBLEMS_INIT;
	struct strlist levels = STRLIST_INIT;
	struct experiment e = { .name = NULL };
	struct reading r = { .problems = &p, .e = &e };
	struct buf out = BUF_INIT;
	struct range range = { .ends = NULL };
	struct yaml_doc doc;
	const struct yaml_pair *pair;

	assert_int_equal(yaml_doc_parse(&doc, "x.yaml", text, strlen(text),
					&p), 0);
	range.ends = yaml_get(doc.root, "range")->value;
	pair = yaml_get(doc.root, "step");
	range.step = pair ? pair->value : NULL;
	pair = yaml_get(doc.root, "points");
	range.points = pair ? pair->value : NULL;
	if (range_levels(&r, &range, &levels) < 0) {
		assert_int_equal(p.total, 1);
		assert_int_equal(levels.n, 0);
		buf_addf(&out, "%u:%u: %s", p.items[0].line,
			 p.items[0].column, p.items[0].text);
	} else {
		assert_int_equal(p.total, 0);
	}
	for (size_t i = 0; i < levels.n; i++)
		buf_addf(&out, "%s%s", i ? " " : "", levels.items[i]);
	strlist_release(&levels);
	yaml_doc_release(&doc);
	problems_release(&p);
	return buf_detach(&out);
}

struct sample {
	const char *text;
	const char *levels;
};

static void check(const struct sample *samples, size_t n)
{
	int failures = 0;

	for (size_t i = 0; i < n; i++) {
		char *got = levels_of(samples[i].text);

		if (strcmp(got, samples[i].levels)) {
			fprintf(stderr, "%s\n  wanted %s\n  got    %s\n",
				samples[i].text, samples[i].levels, got);
			failures++;
		}
		free(got);
	}
	assert_int_equal(failures, 0);
}
#define CHECK(samples) check(samples, sizeof(samples) / sizeof(*(samples)))

static void steps_are_added_exactly(void **state)
{
	static const struct sample samples[] = {
		{ "{range: [1, 9], step: 2}", "1 3 5 7 9" },
		{ "{range: [1, 10], step: 2}", "1 3 5 7 9" },
		{ "{range: [0.1, 0.7], step: 0.1}",
		  "0.1 0.2 0.3 0.4 0.5 0.6 0.7" },
		{ "{range: [0.10, 1.00], step: 0.45}", "0.1 0.55 1" },
		{ "{range: [-2, 2], step: 2}", "-2 0 2" },
		{ "{range: [-0.5, 0.5], step: 0.5}", "-0.5 0 0.5" },
		{ "{range: [0.000000001, 0.000000003], step: 0.000000001}",
		  "0.000000001 0.000000002 0.000000003" },
		{ "{range: [999999999999998, 999999999999999], step: 1}",
		  "999999999999998 999999999999999" },
		{ "{range: [5, 5], step: 1}", "5" },
		{ "{range: [5, 5], step: -1}", "5" },
		{ "{range: [3, 5], step: 100}", "3" },
	};

	(void)state;
	CHECK(samples);
}

static void steps_may_be_factors(void **state)
{
	static const struct sample samples[] = {
		{ "{range: [1, 16], step: '*2'}", "1 2 4 8 16" },
		{ "{range: [1, 20], step: '*2'}", "1 2 4 8 16" },
		{ "{range: [1, 5], step: '*1.5'}", "1 1.5 2.25 3.375" },
		{ "{range: [0.001, 1], step: '*10'}", "0.001 0.01 0.1 1" },
		{ "{range: [1, 4], step: '/0.5'}", "1 2 4" },
		{ "{range: [7, 7], step: '*2'}", "7" },
	};

	(void)state;
	CHECK(samples);
}

static void a_range_may_go_down(void **state)
{
	static const struct sample samples[] = {
		{ "{range: [9, 1], step: -4}", "9 5 1" },
		{ "{range: [16, 1], step: '/2'}", "16 8 4 2 1" },
		{ "{range: [10, 2], step: '/2'}", "10 5 2.5" },
		{ "{range: [8, 1], step: '*0.5'}", "8 4 2 1" },
		{ "{range: [1000, 1], points: 4}", "1000 100 10 1" },
	};

	(void)state;
	CHECK(samples);
}

static void points_are_the_same_factor_apart(void **state)
{
	static const struct sample samples[] = {
		{ "{range: [1, 1000], points: 4}", "1 10 100 1000" },
		{ "{range: [1, 10], points: 4}", "1 2 5 10" },
		{ "{range: [1, 3], points: 9}", "1 2 3" },
		{ "{range: [0.1, 10], points: 5}",
		  "0.1 0.316228 1 3.16228 10" },
		{ "{range: [1, 1], points: 2}", "1" },
		{ "{range: [4k, 1M], points: 5}", "4k 16k 64k 256k 1M" },
		{ "{range: [4k, 1M], points: 4}", "4k 25k 161k 1M" },
	};

	(void)state;
	CHECK(samples);
}

static void units_are_those_of_the_ends(void **state)
{
	static const struct sample samples[] = {
		{ "{range: [4k, 1M], step: '*4'}", "4k 16k 64k 256k 1M" },
		{ "{range: [4k, 64k], step: 20k}", "4k 24k 44k 64k" },
		{ "{range: [512, 4k], step: '*2'}", "512 1k 2k 4k" },
		{ "{range: [1k, 512], step: '/2'}", "1k 512" },
		{ "{range: [0, 2k], step: 1k}", "0 1k 2k" },
		{ "{range: [1kB, 3kB], step: 1kB}", "1kB 2kB 3kB" },
		{ "{range: [1MiB, 4MiB], step: '*2'}", "1MiB 2MiB 4MiB" },
		{ "{range: [1.5G, 2G], step: 512M}", "1.5G 2G" },
		{ "{range: [0.5k, 2k], step: '*2'}", "0.5k 1k 2k" },
	};

	(void)state;
	CHECK(samples);
}

static void what_is_wrong_is_said_once(void **state)
{
	static const struct sample samples[] = {
		{ "{range: [1, 9], step: 0}",
		  "1:23: a step of 0 leads nowhere" },
		{ "{range: [1, 9], step: '*1'}",
		  "1:23: a factor of 1 leads nowhere" },
		{ "{range: [1, 9], step: -1}",
		  "1:23: a range from 1 to 9 needs a step above 0" },
		{ "{range: [9, 1], step: 1}",
		  "1:23: a range from 9 to 1 needs a step below 0" },
		{ "{range: [1, 9], step: '/2'}",
		  "1:23: a range from 1 to 9 needs a step such as \"*2\"" },
		{ "{range: [9, 1], step: '*2'}",
		  "1:23: a range from 9 to 1 needs a step such as \"/2\"" },
		{ "{range: [0, 9], step: '*2'}",
		  "1:10: levels that are a factor apart must be above 0, "
		  "unlike 0; use a \"step\" that is added" },
		{ "{range: [1, -9], points: 3}",
		  "1:13: levels that are a factor apart must be above 0, "
		  "unlike -9; use a \"step\" that is added" },
		{ "{range: [1, 9], step: '*'}",
		  "1:23: \"*\": expected a number above 0 behind \"*\", such "
		  "as \"*2\"" },
		{ "{range: [1, 9], step: '/0'}",
		  "1:23: \"/0\": expected a number above 0 behind \"/\", such "
		  "as \"/2\"" },
		{ "{range: [1, 9], points: 1}",
		  "1:25: \"points\": expected a whole number from 2 to 10000, "
		  "got \"1\"" },
		{ "{range: [1, 9], points: 10001}",
		  "1:25: \"points\": expected a whole number from 2 to 10000, "
		  "got \"10001\"" },
		{ "{range: [1, 9], step: 1, points: 3}",
		  "1:34: a range has either \"step\" or \"points\"; remove one "
		  "of them" },
		{ "{range: [1, 9]}",
		  "1:9: a range needs \"step\" (2 is added, \"*2\" is a "
		  "factor) or \"points\" (how many levels)" },
		{ "{range: [1, 2, 3], step: 1}",
		  "1:9: \"range\": expected the first and the last level, such "
		  "as [1, 16]" },
		{ "{range: 1-16, step: 1}",
		  "1:9: \"range\": expected the first and the last level, such "
		  "as [1, 16]" },
		{ "{range: [one, 9], step: 1}",
		  "1:10: \"one\" is no number that a range can count with: "
		  "write one such as 8, 0.5 or 64K (at most 15 digits, 9 "
		  "decimals)" },
		{ "{range: [1, 0.1234567891], step: 1}",
		  "1:13: \"0.1234567891\" is no number that a range can count "
		  "with: write one such as 8, 0.5 or 64K (at most 15 digits, "
		  "9 decimals)" },
		{ "{range: [1, 5m], step: 1}",
		  "1:13: \"5m\" is no number that a range can count with: "
		  "write one such as 8, 0.5 or 64K (at most 15 digits, 9 "
		  "decimals)" },
		{ "{range: [1k, 2k], step: 512}",
		  "1:25: step 512 is without a unit, but both ends have one: "
		  "write 512k" },
		{ "{range: [1, 10001], step: 1}",
		  "1:9: a range of more than 10000 levels; take a greater "
		  "step" },
		{ "{range: [1, 10], step: '*1.000001'}",
		  "1:24: a level of this range has more than 9 decimals; list "
		  "the levels, or say how many there are with \"points\"" },
		{ "{range: [10, 1], step: '/3'}",
		  "1:24: a level of this range has more than 9 decimals; list "
		  "the levels, or say how many there are with \"points\"" },
		{ "{range: [1, [2]], step: 1}",
		  "1:13: \"level\": expected text, got a list" },
		{ "{range: [1, 2], step: [2]}",
		  "1:23: \"step\": expected text, got a list" },
	};

	(void)state;
	CHECK(samples);
}

static void ten_thousand_levels_are_possible(void **state)
{
	char *got = levels_of("{range: [1, 10000], step: 1}");

	(void)state;
	assert_string_equal(got + strlen(got) - 10, "9999 10000");
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_added_exactly),
		cmocka_unit_test(steps_may_be_factors),
		cmocka_unit_test(a_range_may_go_down),
		cmocka_unit_test(points_are_the_same_factor_apart),
		cmocka_unit_test(units_are_those_of_the_ends),
		cmocka_unit_test(what_is_wrong_is_said_once),
		cmocka_unit_test(ten_thousand_levels_are_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
