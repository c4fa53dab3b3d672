#include "tests/unit/spec_fixture.h"

#include "orchestrate/spec/role.h"
#include "tests/data/spec/broken_roles.inc"

static void every_broken_file_gets_its_messages(void **state)
{
	(void)state;
	assert_broken(broken, N_ITEMS(broken));
}

static void hosts_and_roles_are_read(void **state)
{
	const struct host *h;
	struct loaded l;

	(void)state;
	load(&l, full);
	h = l.e.hosts;
	assert_int_equal(l.e.n_hosts, 3);
	assert_string_equal(h[0].name, "one");
	assert_string_equal(h[0].ssh, "first");
	assert_string_equal(h[0].config, "cfg");
	assert_string_equal(h[0].shares, "box");
	assert_string_equal(h[0].user, "me");
	assert_int_equal(h[0].port, 2222);
	assert_int_equal(h[0].n_env, 2);
	assert_string_equal(h[0].env[0].name, "nic");
	assert_string_equal(h[0].env[0].value, "eth0");
	assert_string_equal(h[0].env[1].value, "");
	assert_string_equal(h[1].address, "10.0.0.2");
	assert_string_equal(h[1].key, "id");
	assert_string_equal(h[1].known_hosts, "kh");
	assert_null(h[1].ssh);
	assert_int_equal(h[1].port, 0);
	assert_true(h[2].local);
	assert_int_equal(h[2].mark.line, 9);
	assert_int_equal(l.e.n_roles, 1);
	assert_string_equal(l.e.roles[0].name, "sut");
	assert_int_equal(l.e.roles[0].n_hosts, 2);
	assert_int_equal(l.e.roles[0].hosts[0], 1);
	assert_int_equal(l.e.roles[0].hosts[1], 0);
	unload(&l);
}


static const struct role *role_of(const struct loaded *l, const char *name)
{
	int i = role_find(&l->e, name);

	assert_true(i >= 0);
	return &l->e.roles[i];
}

static void a_role_takes_one_host_unless_it_says_more(void **state)
{
	struct mark mark;
	struct loaded l;

	(void)state;
	load(&l, HOSTS BENCH "roles:\n"
			     "  server: a\n"
			     "  sut: {hosts: [b, c]}\n"
			     "  client: {hosts: [b, c], count: 2}\n");
	assert_int_equal(l.e.n_roles, 3);
	assert_string_equal(role_of(&l, "server")->count.value, "1");
	assert_int_equal(role_of(&l, "server")->count.mark.line, 0);
	assert_string_equal(role_of(&l, "sut")->count.value, "1");
	assert_int_equal(role_of(&l, "sut")->n_hosts, 2);
	assert_string_equal(role_count_text(&l.e, role_of(&l, "client"), NULL,
					    &mark), "2");
	assert_int_equal(mark.line, 9);
	assert_int_equal(mark.column, 34);
	assert_int_equal(role_find(&l.e, "nobody"), -1);
	unload(&l);
}

static void a_role_without_hosts_written_down_takes_one(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH);
	assert_string_equal(role_of(&l, "sut")->count.value, "1");
	unload(&l);
}

static const char counted[] =
	HOSTS "roles: {sut: {hosts: [a, b, c], count:\n"
	      "  {by: n, values: {one: 1, two: = 1 + 1}, else: 3}}}\n"
	      "factors: {f: [x], n: [one, two, three]}\n" BENCH;

static void the_number_of_hosts_may_depend_on_a_factor(void **state)
{
	static const char *const wanted[] = { "1", "= 1 + 1", "3" };
	struct mark mark;
	struct loaded l;

	(void)state;
	load(&l, counted);
	for (size_t i = 0; i < 3; i++) {
		size_t levels[] = { 0, i };

		assert_string_equal(role_count_text(&l.e, l.e.roles, levels,
						    &mark), wanted[i]);
		assert_int_equal(mark.line, 5);
	}
	assert_string_equal(role_count_text(&l.e, l.e.roles,
					    (size_t[]){ 0, DESIGN_ABSENT },
					    &mark), "3");
	unload(&l);
}

static void a_count_that_was_computed_must_fit_the_pool(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		const char *fault;
	} cases[] = {
		{ "1", 1, NULL },
		{ "3", 3, NULL },
		{ "4", 0, "role \"sut\" needs 4 hosts at once, but has 3" },
		{ "0", 0, "role \"sut\": \"count\" is the number of hosts in "
			  "one run, at least 1; got \"0\"" },
		{ "1.5", 0, "role \"sut\": \"count\" is the number of hosts "
			    "in one run, at least 1; got \"1.5\"" },
		{ "", 0, "role \"sut\": \"count\" is the number of hosts in "
			 "one run, at least 1; got \"\"" },
	};
	struct loaded l;

	(void)state;
	load(&l, counted);
	for (size_t i = 0; i < N_ITEMS(cases); i++) {
		char *fault = NULL;
		size_t n = 0;
		int rc = role_count(&n, l.e.roles, cases[i].text, &fault);

		assert_int_equal(rc, cases[i].fault ? -1 : 0);
		assert_int_equal(n, cases[i].n);
		if (cases[i].fault)
			assert_string_equal(fault, cases[i].fault);
		else
			assert_null(fault);
		free(fault);
	}
	unload(&l);
}

static void a_host_with_two_roles_gets_a_warning(void **state)
{
	(void)state;
	assert_warnings(
		HOSTS BENCH "design: {replicates: 5}\n"
			    "roles:\n"
			    "  client: [a, b]\n"
			    "  server: [c, b]\n",
		"x.yaml:9:3: host \"b\" is in the roles \"client\" and "
		"\"server\": both parts of a run share what it has\n");
}

static const char *role_of_benchmark(struct loaded *l, const char *roles)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, HOSTS BENCH "roles: %s\n", roles);
	load(l, text.data);
	buf_release(&text);
	return l->e.benchmarks[0].role;
}

static void a_benchmark_runs_in_the_usual_role(void **state)
{
	static const char *const cases[][2] = {
		{ "{server: a, client: b, sut: c}", "sut" },
		{ "{server: a, client: b}", "client" },
		{ "{server: a, load: b}", "server" },
		{ "{node: [a, b, c]}", "node" },
	};

	(void)state;
	for (size_t i = 0; i < N_ITEMS(cases); i++) {
		struct loaded l;

		assert_string_equal(role_of_benchmark(&l, cases[i][0]),
				    cases[i][1]);
		unload(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_broken_file_gets_its_messages),
		cmocka_unit_test(hosts_and_roles_are_read),
		cmocka_unit_test(a_role_takes_one_host_unless_it_says_more),
		cmocka_unit_test(a_role_without_hosts_written_down_takes_one),
		cmocka_unit_test(the_number_of_hosts_may_depend_on_a_factor),
		cmocka_unit_test(a_count_that_was_computed_must_fit_the_pool),
		cmocka_unit_test(a_host_with_two_roles_gets_a_warning),
		cmocka_unit_test(a_benchmark_runs_in_the_usual_role),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
