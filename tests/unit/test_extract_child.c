#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/extract_child.h"
#include "orchestrate/exec/loop.h"

static const struct extract_limits limits = {
	.cpu = 1, .wall = 20, .memory = (size_t)1 << 30,
};
static const struct extract_limits hasty = {
	.cpu = 20, .wall = 1, .memory = (size_t)1 << 30,
};

typedef int run_fn(void *compiled, const char *text, size_t n,
		   struct extracted *out, struct error *err);

/* `text` is the number; `compiled` a place that is not the parent's. */
static int give(void *compiled, const char *text, size_t n,
		struct extracted *out, struct error *err)
{
	*(int *)compiled = 1;
	return extracted_add(out, 0.1, err) ||
	       extracted_add_text(out, text, n, err);
}

static int spin(void *compiled, const char *text, size_t n,
		struct extracted *out, struct error *err)
{
	(void)n, (void)out, (void)err;
	while (*text)
		++*(volatile unsigned *)compiled;
	return 0;
}

static int hang(void *compiled, const char *text, size_t n,
		struct extracted *out, struct error *err)
{
	(void)compiled, (void)text, (void)n, (void)out, (void)err;
	while (pause() < 0)
		continue;
	return 0;
}

static int crash(void *compiled, const char *text, size_t n,
		 struct extracted *out, struct error *err)
{
	(void)compiled, (void)text, (void)n, (void)out, (void)err;
	abort();
}

static int call_exit(void *compiled, const char *text, size_t n,
		     struct extracted *out, struct error *err)
{
	(void)compiled, (void)text, (void)n, (void)out, (void)err;
	exit(0);
}

/* Whether anything but what it needs is open, or a core may be left. */
static int look_around(void *compiled, const char *text, size_t n,
		       struct extracted *out, struct error *err)
{
	struct rlimit l;
	int open = 0;

	(void)compiled, (void)text, (void)n;
	for (int fd = 3; fd < 256; fd++)
		open += lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
	getrlimit(RLIMIT_CORE, &l);
	return extracted_add(out, open, err) ||
	       extracted_add(out, (double)l.rlim_cur, err);
}

static int interrupt_itself(void *compiled, const char *text, size_t n,
			    struct extracted *out, struct error *err)
{
	struct sigaction now;

	(void)compiled, (void)text, (void)n;
	sigaction(SIGINT, NULL, &now);
	if (now.sa_handler != SIG_IGN)
		return error_set(err, ERROR_USAGE, "a handler of the parent");
	kill(getpid(), SIGINT);
	kill(getpid(), SIGTERM);
	kill(getpid(), SIGHUP);
	return extracted_add(out, 1, err);
}

/* No child is left, whatever happened. */
static int call(const struct extract_limits *l, run_fn *run,
		struct extracted *x, struct error *err)
{
	int place = 0;
	int result = extract_in_child(l, "thing", run, &place, "2", 1, x, err);

	assert_int_equal(place, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	return result;
}

static void refuses(const struct extract_limits *l, run_fn *run,
		    const char *message)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(call(l, run, &x, &err), -1);
	assert_int_equal(err.kind, ERROR_NEGATIVE);
	assert_string_equal(err.text, message);
	assert_int_equal(x.n, 0);
	extracted_release(&x);
}

static void numbers_come_back_and_nothing_else_changes(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(call(&limits, give, &x, &err), 0);
	assert_int_equal(call(&limits, give, &x, &err), 0);
	assert_int_equal(x.n, 4);
	assert_true(x.values[2] == 0.1 && x.values[3] == 2);
	extracted_release(&x);
}

static void what_does_not_end_is_ended(void **state)
{
	(void)state;
	refuses(&limits, spin,
		"the thing did not end within 1 s of CPU time");
	refuses(&hasty, hang, "the thing did not end within 1 s");
}

static void a_crash_is_told(void **state)
{
	(void)state;
	refuses(&limits, crash, "the thing ran out of memory or crashed");
}

static void no_process_is_told(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;
	struct rlimit old, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = old;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(call(&limits, give, &x, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
	assert_string_equal(err.text, "assay cannot start a process for the "
			    "thing: Too many open files");
}

static int *tidied; /* shared with children */

static void tidy(void)
{
	++*tidied;
}

/* In a child of its own, where cmocka's handlers are not at risk. */
static void exit_within(void)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;

	atexit(tidy);
	extract_in_child(&limits, "thing", call_exit, NULL, "", 0, &x, &err);
	_exit(strcmp(err.text, "the thing ran out of memory or crashed") != 0);
}

static void an_exit_runs_none_of_our_handlers(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	tidied = mmap(NULL, sizeof(*tidied), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(tidied != MAP_FAILED);
	pid = fork();
	if (pid == 0)
		exit_within();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(*tidied, 0);
	munmap(tidied, sizeof(*tidied));
}

static void it_holds_nothing_open_and_leaves_no_core(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;
	struct rlimit l;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_CORE, &l), 0);
	l.rlim_cur = l.rlim_max; /* as far as we may */
	assert_int_equal(setrlimit(RLIMIT_CORE, &l), 0);
	assert_int_equal(call(&limits, look_around, &x, &err), 0);
	assert_true(x.values[0] == 1); /* its end of the pipe */
	assert_true(x.values[1] == 0);
	extracted_release(&x);
}

static void count(void *ctx, int n)
{
	*(int *)ctx = n;
}

static void stop(void *ctx)
{
	loop_stop(ctx);
}

static void an_interrupt_there_is_none_here(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;
	struct loop *l = loop_new();
	int interrupts = 0;

	(void)state;
	loop_on_interrupt(l, count, &interrupts);
	assert_int_equal(call(&limits, interrupt_itself, &x, &err), 0);
	timer_start(l, 0.01, stop, l);
	loop_run(l);
	assert_int_equal(x.n, 1);
	assert_int_equal(interrupts, 0);
	loop_on_interrupt(l, NULL, NULL);
	loop_free(l);
	extracted_release(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back_and_nothing_else_changes),
		cmocka_unit_test(what_does_not_end_is_ended),
		cmocka_unit_test(a_crash_is_told),
		cmocka_unit_test(no_process_is_told),
		cmocka_unit_test(an_exit_runs_none_of_our_handlers),
		cmocka_unit_test(it_holds_nothing_open_and_leaves_no_core),
		cmocka_unit_test(an_interrupt_there_is_none_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
