#include "tests/unit/plan_fixture.h"

#include "orchestrate/spec/treatment_def.h"

static void a_sound_design_is_silent(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "");
	assert_lints(&x, "");
	set_up(&x, "2");
	assert_lints(&x, "");
	set_up(&x, "232");
	x.e.n_baseline = 1;
	x.e.baseline = x.baseline;
	x.e.n_benchmarks = 2;
	assert_lints(&x, "");
}

static void too_few_replicates(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 1;
	assert_lints(&x, "32:3: 1 replicate: no interval can be given for any "
			 "result; 5 or more is usual\n");
	set_up(&x, "22");
	x.matrices[0].replicates = 2;
	x.matrices[0].replicates_mark.line = 0;
	assert_lints(&x, "30:3: 2 replicates: intervals will be very wide; 5 "
			 "or more is usual\n");
	set_up(&x, "22");
	x.matrices[0].replicates = 3;
	assert_lints(&x, "");
	/* on each of two hosts */
	set_up(&x, "22");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 2;
	x.matrices[0].blocks = BLOCK_HOST;
	assert_lints(&x, "");
	/* no place in the file */
	set_up(&x, "22");
	x.matrices[0].replicates = 1;
	x.matrices[0].replicates_mark.line = x.matrices[0].mark.line = 0;
	assert_lints(&x, "1:1: 1 replicate: no interval can be given for any "
			 "result; 5 or more is usual\n");
}

static void whole_plots_that_are_set_up_once(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.factors[1].hard = true;
	x.matrices[0].replicates = x.matrices[0].replicates_max = 1;
	assert_lints(&x,
		     "32:3: 1 replicate: no interval can be given for any "
		     "result; 5 or more is usual\n"
		     "12:3: factor \"b\" is hard to change and each of its "
		     "whole plots is set up once: what that one set-up did "
		     "cannot be told from the effect of the level; write 2 "
		     "replicates or more\n");
	set_up(&x, "22");
	x.factors[1].hard = true;
	assert_lints(&x, "");
}

static void factor_with_one_level(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "21");
	assert_lints(&x, "12:3: factor \"b\" has one level: nothing is "
			 "compared; give it another, or write it under "
			 "\"variables\"\n");
}

static void order_as_written(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].order = ORDER_AS_WRITTEN;
	assert_lints(&x, "30:3: the order is as written: what changes with "
			 "time (heat, caches, other load) is taken for an "
			 "effect of the factors; write \"order: "
			 "{kind: randomized}\"\n");
	/* one treatment has no order */
	set_up(&x, "");
	x.matrices[0].order = ORDER_AS_WRITTEN;
	assert_lints(&x, "");
}

static void only_one_block(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_HOST;
	x.benchmarks[0].role = (char *)"other";
	assert_lints(&x, "30:3: hosts are blocks, and the role \"other\" has "
			 "one host: nothing says whether the results hold on "
			 "another; give it more hosts, or leave out blocks: "
			 "host\n");
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_DAY;
	x.matrices[0].rounds_a_day = 4;
	assert_lints(&x, "30:3: days are blocks, and all 4 rounds are in one: "
			 "nothing says whether the results hold on another; "
			 "write fewer rounds a day\n");
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_DAY;
	x.matrices[0].rounds_a_day = 3;
	assert_lints(&x, "");
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_HOST;
	assert_lints(&x, "");
}

static void levels_on_different_hosts(void **state)
{
	struct variable cases[] = { { .name = (char *)"b1",
				      .value = (char *)"other" } };
	struct lookup by = { .by = (char *)"b", .cases = cases, .n_cases = 1,
			     .otherwise = (char *)"sut" };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	x.benchmarks[0].role_by = &by;
	assert_lints(&x, "21:3: benchmark \"write\" measures the levels of "
			 "\"b\" on different hosts (b0 on alpha, beta, b1 on "
			 "gamma): what differs between the hosts is taken for "
			 "an effect of the factor; give the roles the same "
			 "hosts\n");
	/* two roles, one host */
	set_up(&x, "23");
	x.roles[0].hosts = x.roles[1].hosts;
	x.roles[0].n_hosts = 1;
	x.benchmarks[0].role_by = &by;
	assert_lints(&x, "");
}

static void latin_square_of_hosts_is_silent(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].kind = DESIGN_LATIN_SQUARE;
	x.matrices[0].latin = (struct latin){ LATIN_HOST, LATIN_ROUND, 1 };
	assert_lints(&x, "");
}

static void matrix_is_named_when_there_are_more(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.matrices[1].replicates = x.matrices[1].replicates_max = 1;
	x.matrices[1].replicates_mark = line(52);
	assert_lints(&x, "52:3: matrix \"net\": 1 replicate: no interval can "
			 "be given for any result; 5 or more is usual\n");
}

static void what_matrices_share_is_said_once(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.matrices[0].order = x.matrices[1].order = ORDER_AS_WRITTEN;
	x.matrices[0].replicates = x.matrices[1].replicates = 2;
	assert_lints(&x, "32:3: 2 replicates: intervals will be very wide; 5 "
			 "or more is usual\n"
			 "30:3: the order is as written: what changes with "
			 "time (heat, caches, other load) is taken for an "
			 "effect of the factors; write \"order: "
			 "{kind: randomized}\"\n");
}

/* b's levels take long to set, or restart the host. */
static void slow_factor_that_is_not_grouped(void **state)
{
	struct treatment_def raid = { .cost = 90 }, quick = { .cost = 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "44");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 3;
	x.roles[0].n_hosts = 1;
	x.uses[1].treatment.def = &raid;
	assert_lints(&x,
		     "12:3: factor \"b\" is set 35 times in this order (about "
		     "54 min 00 s); \"change: hard\" on \"b\" makes that 10 "
		     "(about 16 min 30 s): runs at one level are kept together "
		     "in each round\n");
	raid.cost = 0;
	raid.reboot = true;
	set_up(&x, "44");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 3;
	x.roles[0].n_hosts = 1;
	x.uses[1].treatment.def = &raid;
	assert_lints(&x,
		     "12:3: factor \"b\" restarts hosts 70 times in this "
		     "order; \"change: hard\" on \"b\" makes that 20: runs at "
		     "one level are kept together in each round\n");
	/* grouping would change nothing */
	set_up(&x, "4");
	x.uses[0].treatment.def = &raid;
	assert_lints(&x, "");
	/* grouped, quick, or in the order of the file */
	set_up(&x, "44");
	x.uses[1].treatment.def = &raid;
	x.factors[1].hard = true;
	assert_lints(&x, "");
	set_up(&x, "44");
	x.uses[1].treatment.def = &quick;
	assert_lints(&x, "");
	set_up(&x, "44");
	x.uses[1].treatment.def = &raid;
	x.matrices[0].order = ORDER_AS_WRITTEN;
	assert_lints(&x, "30:3: the order is as written: what changes with "
			 "time (heat, caches, other load) is taken for an "
			 "effect of the factors; write \"order: "
			 "{kind: randomized}\"\n");
}

static void drawings_that_are_mostly_empty(void **state)
{
	static const uint16_t rows[] = { 0, 0, 0, 1, 1, 0, 2, 2, 0, 3, NA, 0 };
	static size_t ab[] = { 0, 1 };
	struct condition where = { .factor = 2, .level = 1 };
	struct chart chart = { .name = (char *)"c", .mark = line(50),
			       .x = 0, .series = 1 };
	struct table_spec table = { .name = (char *)"t", .mark = line(51),
				    .rows = ab, .n_rows = 2, .columns = -1 };
	struct strlist none = STRLIST_INIT;
	struct fixture x;

	(void)state;
	set_up(&x, "442");
	list(&x, rows, 4);
	plan(&x);
	x.e.charts = &chart;
	x.e.n_charts = x.e.n_tables = 1;
	x.e.tables = &table;
	lint_design(&x.e, &x.x, &x.s, &x.warnings);
	/* the table has a row for what there is */
	assert_string_equal(x.warnings.items[x.warnings.n - 1],
			    "x.yaml:50:3: chart \"c\": 12 of its 16 places "
			    "have no treatment of benchmark \"write\": little "
			    "can be compared in it; show other factors");
	chart.where = &where;
	chart.n_where = 1;
	lint_design(&x.e, &x.x, &x.s, &none);
	assert_string_equal(none.items[none.n - 1],
			    "x.yaml:50:3: chart \"c\": no treatment of "
			    "benchmark \"write\" has what it fixes: nothing "
			    "will be shown; fix other levels");
	strlist_release(&none);
	tear_down(&x);
	/* half is enough */
	set_up(&x, "23");
	chart = (struct chart){ .name = (char *)"c", .mark = line(50),
				.x = 0, .series = 1 };
	x.e.charts = &chart;
	x.e.n_charts = 1;
	assert_lints(&x, "");
}

static void slow_setup_that_is_not_grouped(void **state)
{
	struct treatment_def build = { .cost = 600 };
	struct setup setup = { .name = (char *)"build", .mark = line(40),
			       .per = (size_t[]){ 0, 1 }, .n_per = 2,
			       .treatment.def = &build };
	struct fixture x;

	(void)state;
	set_up(&x, "224");
	x.roles[0].n_hosts = 1;
	x.e.setups = &setup;
	x.e.n_setups = 1;
	assert_lints(&x,
		     "40:3: set-up \"build\" is made 53 times in this order "
		     "(about 9 h 00 min); \"change: hard\" on \"a\" and \"b\" "
		     "makes that 14 (about 2 h 30 min): runs at one level are "
		     "kept together in each round\n");
	set_up(&x, "224");
	x.roles[0].n_hosts = 1;
	x.e.setups = &setup;
	x.e.n_setups = 1;
	x.factors[0].hard = x.factors[1].hard = true;
	assert_lints(&x, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_design_is_silent),
		cmocka_unit_test(too_few_replicates),
		cmocka_unit_test(whole_plots_that_are_set_up_once),
		cmocka_unit_test(factor_with_one_level),
		cmocka_unit_test(order_as_written),
		cmocka_unit_test(only_one_block),
		cmocka_unit_test(levels_on_different_hosts),
		cmocka_unit_test(latin_square_of_hosts_is_silent),
		cmocka_unit_test(matrix_is_named_when_there_are_more),
		cmocka_unit_test(what_matrices_share_is_said_once),
		cmocka_unit_test(slow_factor_that_is_not_grouped),
		cmocka_unit_test(drawings_that_are_mostly_empty),
		cmocka_unit_test(slow_setup_that_is_not_grouped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
