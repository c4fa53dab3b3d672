#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "orchestrate/exec/hostfacts.h"
#include "orchestrate/spec/experiment.h"

static void this_machine_says_what_it_is(void **state)
{
	char name[] = "here", dir[] = ".", key[] = "pool", value[] = "a 'b'";
	char computed[] = "computed", expr[] = "= 1 + pool", by_host[] = "by";
	struct variable env[] = {
		{ .name = key, .value = value },
		{ .name = computed, .value = expr },
		{ .name = by_host },
	};
	struct host host = { .name = name, .local = true, .env = env,
			     .n_env = 3 };
	struct experiment e = { .dir = dir, .hosts = &host, .n_hosts = 1 };
	struct hostfacts f;
	struct utsname u;
	struct error err;

	(void)state;
	if (hostfacts_ask(&e, 0, &f, &err))
		fail_msg("%s", err.text);
	uname(&u);
	assert_string_equal(hostfacts_get(&f, "machine"), u.machine);
	assert_string_equal(hostfacts_get(&f, "hostname"), u.nodename);
	assert_true(atoi(hostfacts_get(&f, "cores")) > 0);
	assert_non_null(strstr(hostfacts_get(&f, "memory"), " kB"));
	assert_int_equal(atoi(hostfacts_get(&f, "user_id")), getuid());
	assert_null(hostfacts_get(&f, "no such"));
	assert_int_equal(f.missing.n, 0);
	hostfacts_release(&f);
}

static void a_host_that_does_not_answer_is_an_environment_error(void **state)
{
	/* nobody listens on port 1 of loopback */
	char name[] = "gone", dir[] = ".", address[] = "127.0.0.1",
	     user[] = "nobody", known[] = "/dev/null";
	struct host host = { .name = name, .address = address, .port = 1,
			     .user = user, .known_hosts = known };
	struct experiment e = { .dir = dir, .hosts = &host, .n_hosts = 1 };
	struct error err = ERROR_INIT;
	struct hostfacts f;

	(void)state;
	assert_int_equal(hostfacts_ask(&e, 0, &f, &err), -1);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.text, "gone"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_says_what_it_is),
		cmocka_unit_test(
			a_host_that_does_not_answer_is_an_environment_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
