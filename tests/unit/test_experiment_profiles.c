#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/experiment_text.h"

/* Lines 1 to 6. */
#define HEAD                                                                \
	"assay: 1\nexperiment: x\nhosts: {here: local}\n"                   \
	"benchmarks:\n"                                                     \
	"  b: {tags: [slow], run: echo, responses: {t: {regex: .+, uom: "   \
	"s, better: lower}}}\n"                                             \
	"factors: {a: [1, 2, 'x,y'], c: [u, v]}\n"

/* Up to two names, as on the command line. */
struct names {
	struct strlist list;
	struct experiment_options options;
};

static void choose(struct names *n, const char *one, const char *two)
{
	*n = (struct names){ .list = STRLIST_INIT };
	if (one)
		strlist_push(&n->list, one);
	if (two)
		strlist_push(&n->list, two);
	n->options.profiles = &n->list;
}

static void load(struct text_experiment *t, const char *text, const char *one,
		 const char *two)
{
	const struct text_file files[] = { { "x.yaml", text },
					   { NULL, NULL } };
	struct names n;

	choose(&n, one, two);
	text_load(t, files, &n.options);
	assert_string_equal(t->messages, "");
	assert_int_equal(t->rc, 0);
	strlist_release(&n.list);
}

static const char profiles[] =
	HEAD "design: {replicates: 10, blocks: host}\n"
	     "profiles:\n"
	     "  quick: {title: Quick, design: {replicates: 2}}\n"
	     "  small: {factors: {a: [1]}, design: {replicates: 3, blocks: }}\n"
	     "  part:\n"
	     "    only: {a: ['x,y', 1], benchmark: b}\n"
	     "    skip: {c: u}\n"
	     "    tags: slow\n";

static void no_profile_is_in_force_unless_chosen(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, profiles, NULL, NULL);
	assert_int_equal(t.e.matrices[0].replicates, 10);
	assert_int_equal(t.e.profiles.n, 0);
	assert_int_equal(t.e.profile_names.n, 3);
	assert_string_equal(t.e.profile_names.items[0], "quick");
	assert_string_equal(t.e.profile_names.items[2], "part");
	assert_int_equal(t.e.only.n + t.e.skip.n + t.e.tags.n, 0);
	text_unload(&t);
}

static void a_profile_is_put_over_the_file(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, profiles, "quick", NULL);
	assert_string_equal(localized_get(&t.e.title, "en"), "Quick");
	assert_int_equal(t.e.matrices[0].replicates, 2);
	assert_int_equal(t.e.matrices[0].blocks, BLOCK_HOST);
	assert_int_equal(t.e.matrices[0].replicates_mark.line, 9);
	assert_int_equal(t.e.factors[0].n_levels, 3);
	assert_int_equal(t.e.profiles.n, 1);
	assert_string_equal(t.e.profiles.items[0], "quick");
	text_unload(&t);
}

static void later_profiles_go_over_earlier_ones(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, profiles, "quick", "small");
	assert_int_equal(t.e.matrices[0].replicates, 3);
	assert_int_equal(t.e.matrices[0].blocks, BLOCK_ROUND);
	assert_int_equal(t.e.factors[0].n_levels, 1);
	assert_int_equal(t.e.n_factors, 2);
	text_unload(&t);
	load(&t, profiles, "small", "quick");
	assert_int_equal(t.e.matrices[0].replicates, 2);
	assert_string_equal(t.e.profiles.items[1], "quick");
	text_unload(&t);
	load(&t, profiles, "small", "small");
	assert_int_equal(t.e.profiles.n, 1);
	text_unload(&t);
}

static void a_profile_may_narrow_the_runs(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, profiles, "part", NULL);
	assert_int_equal(t.e.only.n, 2);
	assert_string_equal(t.e.only.items[0], "a=x%2Cy,1");
	assert_string_equal(t.e.only.items[1], "benchmark=b");
	assert_int_equal(t.e.skip.n, 1);
	assert_string_equal(t.e.skip.items[0], "c=u");
	assert_int_equal(t.e.tags.n, 1);
	assert_string_equal(t.e.tags.items[0], "slow");
	text_unload(&t);
}

static void a_profile_may_come_from_an_included_file(void **state)
{
	static const struct text_file files[] = {
		{ "x.yaml", HEAD "include: p.yaml\nprofiles: {q: {title: "
			    "Here}}\n" },
		{ "p.yaml", "profiles: {q: {title: There, design: "
			    "{replicates: 3}}}\n" },
		{ NULL, NULL },
	};
	struct text_experiment t;
	struct names n;

	(void)state;
	choose(&n, "q", NULL);
	text_load(&t, files, &n.options);
	assert_string_equal(t.messages, "");
	assert_string_equal(localized_get(&t.e.title, "en"), "Here");
	assert_int_equal(t.e.matrices[0].replicates, 3);
	assert_string_equal(t.e.matrices[0].replicates_mark.file, "p.yaml");
	text_unload(&t);
	strlist_release(&n.list);
}

static void a_profile_may_mend_the_file(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {replicates: none}\n"
		      "profiles: {q: {design: {replicates: 3}}}\n", "q", NULL);
	assert_int_equal(t.e.matrices[0].replicates, 3);
	text_unload(&t);
}

/* What is wrong with the file itself, and with one of its profiles. */
static void a_file_may_be_read_once_for_each_profile(void **state)
{
	static const char text[] =
		HEAD "titel: x\nprofiles: {q: {report: {templat: x}}, r: "
		     "{title: [x]}}\n";
	struct problems p = PROBLEMS_INIT;
	char *got;

	(void)state;
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { NULL, "q", "r" };
		struct experiment e;
		struct names n;

		choose(&n, names[i], NULL);
		assert_int_equal(experiment_parse(&e, "x.yaml", text,
						  strlen(text),
						  &(struct resolver){
							  .ctx = NULL },
						  &n.options, &p), -1);
		experiment_release(&e);
		strlist_release(&n.list);
	}
	got = text_messages(&p, "x.yaml");
	assert_string_equal(got,
			    "7:1: there is no key \"titel\" in an experiment; "
			    "did you mean \"title\"?\n"
			    "8:25: there is no key \"templat\" in report; did "
			    "you mean \"template\"? (keys: template, "
			    "languages, formats)\n"
			    "8:50: \"title\": expected text or a mapping, got "
			    "a list\n");
	assert_int_equal(p.total, 3);
	free(got);
	problems_release(&p);
}

struct broken {
	const char *what;
	const char *text;
	const char *messages;
	const char *profile; /* chosen; NULL: none */
};

#include "tests/data/spec/broken_profiles.inc"

static void every_broken_profile_gets_its_messages(void **state)
{
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		const struct text_file files[] = {
			{ "x.yaml", broken[i].text },
			{ NULL, NULL },
		};
		struct names n;

		choose(&n, broken[i].profile, NULL);
		failures += !text_gets(broken[i].what, files, &n.options,
				       broken[i].messages);
		strlist_release(&n.list);
	}
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_profile_is_in_force_unless_chosen),
		cmocka_unit_test(a_profile_is_put_over_the_file),
		cmocka_unit_test(later_profiles_go_over_earlier_ones),
		cmocka_unit_test(a_profile_may_narrow_the_runs),
		cmocka_unit_test(a_profile_may_come_from_an_included_file),
		cmocka_unit_test(a_profile_may_mend_the_file),
		cmocka_unit_test(a_file_may_be_read_once_for_each_profile),
		cmocka_unit_test(every_broken_profile_gets_its_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
