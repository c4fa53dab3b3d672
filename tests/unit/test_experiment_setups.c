#include "tests/unit/spec_fixture.h"

#include "orchestrate/spec/layers.h"
#include "tests/data/spec/broken_setups.inc"

static void every_broken_file_gets_its_messages(void **state)
{
	(void)state;
	assert_broken(broken, N_ITEMS(broken));
}

static const char text[] =
	HEAD BENCH
	"roles: {sut: here}\n"
	"factors:\n"
	"  cc: [gcc, clang]\n"
	"  disk: {use: any, levels: [x, y]}\n"
	"  opt: [O2, O3]\n"
	"setups:\n"
	"  data: {run: fetch}\n"
	"  build:\n"
	"    per: [opt, cc]\n"
	"    run: make\n"
	"    check: test -x bench\n"
	"    clean: make clean\n"
	"    role: sut\n"
	"    with: {source: /srv, threads: ''}\n"
	"    needs: [make, gcc]\n"
	"    timeout: 1h\n"
	"    cost: 5m\n"
	"  load: {per: disk, run: copy}\n";

static void a_setup_is_a_treatment_of_its_own(void **state)
{
	const struct treatment_use *u;
	const struct setup *s;
	struct loaded l;

	(void)state;
	load(&l, text);
	assert_int_equal(l.e.n_setups, 3);
	s = &l.e.setups[1];
	u = &s->treatment;
	assert_string_equal(s->name, "build");
	assert_int_equal(s->mark.line, 13);
	assert_string_equal(u->def->name, "build");
	assert_string_equal(u->def->file, "x.yaml");
	assert_null(u->def->save);
	assert_null(u->def->show);
	assert_string_equal(u->def->apply, "make");
	assert_string_equal(u->def->verify, "test -x bench");
	assert_string_equal(u->def->revert, "make clean");
	assert_string_equal(u->def->applies_to, "sut");
	assert_true(u->def->timeout == 3600);
	assert_true(u->def->cost == 300);
	assert_int_equal(u->def->needs.n, 2);
	assert_int_equal(u->n_params, 2);
	assert_int_equal(u->n_given, 2);
	assert_string_equal(u->params[0].name, "source");
	assert_string_equal(u->params[1].value, "");
	unload(&l);
}

static void what_a_setup_leaves_out_does_nothing(void **state)
{
	const struct treatment_def *d;
	struct loaded l;

	(void)state;
	load(&l, text);
	d = l.e.setups[0].treatment.def;
	assert_int_equal(l.e.setups[0].n_per, 0);
	assert_string_equal(d->verify, ":");
	assert_string_equal(d->revert, ":");
	assert_null(d->applies_to);
	assert_true(d->timeout == 600);
	assert_true(d->cost == 0);
	assert_int_equal(l.e.setups[0].treatment.n_params, 0);
	unload(&l);
}

static void its_factors_are_in_declared_order(void **state)
{
	const struct setup *s;
	struct loaded l;

	(void)state;
	load(&l, text);
	s = &l.e.setups[1];
	assert_int_equal(s->n_per, 2);
	assert_int_equal(s->per[0], 0);
	assert_int_equal(s->per[1], 2);
	unload(&l);
}

static void it_stands_right_above_the_last_factor_it_names(void **state)
{
	static const char *const wanted[] = { "data", "disk", "load",
					      "build" };
	struct loaded l;

	(void)state;
	load(&l, text);
	assert_int_equal(l.e.n_layers, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(layer_name(&l.e, i), wanted[i]);
	unload(&l);
}

static void there_may_be_none(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH "factors: {cc: [gcc, clang]}\n"
			    "setups: {}\n");
	assert_int_equal(l.e.n_setups, 0);
	unload(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_broken_file_gets_its_messages),
		cmocka_unit_test(a_setup_is_a_treatment_of_its_own),
		cmocka_unit_test(what_a_setup_leaves_out_does_nothing),
		cmocka_unit_test(its_factors_are_in_declared_order),
		cmocka_unit_test(
			it_stands_right_above_the_last_factor_it_names),
		cmocka_unit_test(there_may_be_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
