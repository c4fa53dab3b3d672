#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/result.h"
#include "orchestrate/exec/script.h"

#define CAMPAIGN "0123456789abcdef0123456789abcdef"

/* A real shell at the other end of two pipes, as an executor has it. */
struct channel {
	pid_t pid;
	int in, out;
	struct buf said;
	char token[33];
	struct result result;
};

static const char *shell = "/bin/sh";
static char scratch[64];

static void channel_open(struct channel *c)
{
	int in[2], out[2];

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	c->pid = fork();
	if (c->pid == 0) {
		setsid();
		dup2(in[0], 0);
		dup2(out[1], 1);
		if (!getenv("SHOW_ERRORS") && !freopen("/dev/null", "w", stderr))
			_exit(99);
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		execl(shell, "sh", "-s", NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = out[0];
	buf_init(&c->said);
}

static void channel_write(struct channel *c, const char *text, size_t n)
{
	while (n) {
		ssize_t w = write(c->in, text, n);

		assert_true(w > 0);
		text += w;
		n -= (size_t)w;
	}
}

static void say(struct channel *c, const char *text)
{
	channel_write(c, text, strlen(text));
}

static void end_input(struct channel *c)
{
	if (c->in >= 0)
		close(c->in);
	c->in = -1;
}

/* Reads until the stage is reached or the shell has ended. */
static enum result_stage until(struct channel *c, enum result_stage stage)
{
	static char buffer[65536];
	enum result_stage now;

	for (;;) {
		ssize_t n;

		now = result_parse(&c->result, c->said.data, c->said.n,
				   c->token);
		if (now >= stage)
			return now;
		n = read(c->out, buffer, sizeof(buffer));
		if (n <= 0)
			return now;
		buf_add(&c->said, buffer, (size_t)n);
	}
}

static int channel_close(struct channel *c)
{
	char buffer[4096];
	int status;

	end_input(c);
	while (read(c->out, buffer, sizeof(buffer)) > 0)
		;
	close(c->out);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	buf_release(&c->said);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Sends a run's script. */
static void send_run(struct channel *c, const char *body, double timeout,
		     const struct environment *env)
{
	static const struct environment none = ENVIRONMENT_INIT;
	struct run_script run = {
		.place = CAMPAIGN,
		.token = c->token,
		.env = env ? env : &none,
		.body = body,
		.timeout = timeout,
	};
	struct buf text = BUF_INIT;

	channel_open(c);
	script_run(&text, &run);
	channel_write(c, text.data, text.n);
	buf_release(&text);
}

static void start(struct channel *c, const char *body, double timeout)
{
	struct environment env = ENVIRONMENT_INIT;
	char own[20];

	snprintf(own, sizeof(own), "%d", (int)getpid());
	environment_set(&env, "own", own);
	hash_random_hex(c->token, 16);
	send_run(c, body, timeout, &env);
	environment_release(&env);
	assert_int_equal(until(c, RESULT_READY), RESULT_READY);
	say(c, "go\n");
}

static void forget(struct channel *c)
{
	say(c, "forget\n");
	assert_int_equal(channel_close(c), 0);
}

/* Sends a script that is no run and waits for its end. */
static void send_plain(struct channel *c, const struct buf *text)
{
	channel_open(c);
	channel_write(c, text->data, text->n);
}

static char *run_dir(const struct channel *c, const char *file)
{
	return mem_printf("%s/cache/assay/" CAMPAIGN "/%s%s%s", scratch,
			  c->token, file ? "/" : "", file ? file : "");
}

static bool run_has(const struct channel *c, const char *file)
{
	char *path = run_dir(c, file);
	bool there = path_exists(path);

	free(path);
	return there;
}

static size_t left_over(void)
{
	char *path = mem_printf("%s/cache/assay/" CAMPAIGN, scratch);
	DIR *dir = opendir(path);
	size_t n = 0;

	free(path);
	if (!dir)
		return 0;
	for (struct dirent *e = readdir(dir); e; e = readdir(dir))
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void assert_slice(struct slice s, const char *text)
{
	if (s.n != strlen(text) || memcmp(s.data, text, s.n))
		fail_msg("'%.*s' is not '%s'", (int)s.n, s.data, text);
}

/* The process `sleep SECONDS.OURPID`, or 0. */
static pid_t sleeper(const char *seconds)
{
	char *wanted = mem_printf("sleep %s.%d", seconds, (int)getpid());
	DIR *proc = opendir("/proc");
	struct dirent *e;
	pid_t found = 0;

	while (!found && (e = readdir(proc))) {
		char path[300], line[100] = "";
		FILE *f;
		size_t n;

		snprintf(path, sizeof(path), "/proc/%s/cmdline", e->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		n = fread(line, 1, sizeof(line) - 1, f);
		fclose(f);
		if (n > 6 && line[5] == '\0') {
			line[5] = ' ';
			if (strcmp(line, wanted) == 0)
				found = (pid_t)atoi(e->d_name);
		}
	}
	closedir(proc);
	free(wanted);
	return found;
}

static bool is_alive(const char *seconds)
{
	return sleeper(seconds) != 0;
}

static void end_sleeper(const char *seconds)
{
	pid_t pid = sleeper(seconds);

	assert_true(pid > 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
}

/* Until the background job that has just been started is `sleep`. */
#define ASLEEP "until grep -qs sleep /proc/$!/comm; do :; done; "

static void a_run_is_started_and_forgotten(void **state)
{
	struct channel c;
	int64_t before = clock_wall_ns();

	(void)state;
	start(&c, "echo out; echo err >&2; exit 3", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_int_equal(c.result.exit_status, 3);
	assert_slice(c.result.out_head, "out\n");
	assert_slice(c.result.err_head, "err\n");
	assert_int_equal(c.result.out_tail.n, 0);
	assert_false(c.result.out_truncated);
	assert_false(c.result.timed_out);
	assert_false(c.result.stopped);
	assert_slice(c.result.trouble, "");
	/* file times are coarse: a tick before */
	assert_true(c.result.started > before - 20000000);
	assert_true(c.result.started < clock_wall_ns());
	assert_true(c.result.duration >= 0 && c.result.duration < 5);
	forget(&c);
	assert_int_equal(left_over(), 0);
}

static void nothing_starts_without_go(void **state)
{
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	send_run(&c, "echo never >\"$OLDPWD/never\"", 10, NULL);
	assert_int_equal(until(&c, RESULT_READY), RESULT_READY);
	assert_int_equal(channel_close(&c), 0);
	assert_int_equal(left_over(), 0);
}

static void a_script_cut_short_does_nothing(void **state)
{
	static const struct environment none = ENVIRONMENT_INIT;
	struct run_script run = { .place = CAMPAIGN, .env = &none,
				  .body = "echo 'a b'", .timeout = 5 };
	struct buf text = BUF_INIT;
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	run.token = c.token;
	script_run(&text, &run);
	for (size_t n = 0; n < text.n - 1; n += n < text.n - 20 ? 331 : 1) {
		channel_open(&c);
		channel_write(&c, text.data, n);
		end_input(&c);
		/* "main" without its "; exit" is whole */
		if (n < text.n - sizeof("; exit"))
			assert_int_equal(until(&c, RESULT_READY),
					 RESULT_NOTHING);
		channel_close(&c);
		assert_int_equal(left_over(), 0);
	}
	buf_release(&text);
}

static void a_second_controller_collects_the_same_run(void **state)
{
	char *fifo = mem_printf("%s/gate", scratch);
	char *body = mem_printf("echo once >>%s/count; read x <%s; echo $x",
				scratch, fifo);
	char *count = mem_printf("%s/count", scratch);
	struct channel a, b, again;
	struct buf text = BUF_INIT;
	struct error err;
	FILE *gate;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	start(&a, body, 10);
	/* the command waits; its controller dies */
	gate = fopen(fifo, "w");
	assert_int_equal(kill(-a.pid, SIGKILL), 0);
	channel_close(&a);
	/* the very same script attaches */
	memcpy(b.token, a.token, sizeof(b.token));
	send_run(&b, body, 10, NULL);
	fputs("open\n", gate);
	fclose(gate);
	assert_int_equal(until(&b, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_slice(b.result.out_head, "open\n");
	/* it dies too, and the directory stays */
	assert_int_equal(channel_close(&b), 0);
	assert_int_equal(left_over(), 1);
	memcpy(again.token, a.token, sizeof(again.token));
	script_collect(&text, CAMPAIGN, a.token);
	send_plain(&again, &text);
	assert_int_equal(until(&again, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(again.result.ended);
	assert_slice(again.result.out_head, "open\n");
	forget(&again);
	assert_int_equal(left_over(), 0);
	buf_clear(&text);
	assert_int_equal(path_read(count, 100, &text, &err), 0);
	assert_string_equal(text.data, "once\n");
	buf_release(&text);
	unlink(count);
	unlink(fifo);
	free(count);
	free(body);
	free(fifo);
}

static void a_run_that_never_was_is_none(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	script_collect(&text, CAMPAIGN, c.token);
	send_plain(&c, &text);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_NONE);
	assert_int_equal(channel_close(&c), 0);
	buf_release(&text);
}

static void a_killed_runner_is_noticed_and_its_command_ended(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c, b;
	char command[300];

	(void)state;
	start(&c, "setsid sleep 43215.$own & sleep 432125.$own", 60);
	while (!is_alive("432125") || !is_alive("43215"))
		;
	/* the runner is the parent of the process in `pid` */
	snprintf(command, sizeof(command),
		 "read -r p <%s/cache/assay/" CAMPAIGN "/%s/pid; "
		 "read -r x x x runner x </proc/$p/stat; kill -KILL $runner",
		 scratch, c.token);
	assert_int_equal(system(command), 0);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(c.result.ended);
	assert_false(is_alive("432125"));
	assert_false(is_alive("43215"));
	assert_int_equal(channel_close(&c), 0);
	memcpy(b.token, c.token, sizeof(b.token));
	script_collect(&text, CAMPAIGN, c.token);
	send_plain(&b, &text);
	assert_int_equal(until(&b, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(b.result.ended);
	forget(&b);
	assert_int_equal(left_over(), 0);
	buf_release(&text);
}

static void a_timeout_kills_the_whole_tree(void **state)
{
	struct channel c;
	int64_t begun = clock_monotonic_ns();

	(void)state;
	start(&c, "echo before; (sleep 43221.$own; :) & "
		  "setsid sleep 43222.$own & " ASLEEP
		  "setsid env -i sleep 43223.$own >/dev/null 2>&1 & " ASLEEP
		  "trap '' TERM; sleep 43224.$own; sleep 43225.$own", 3);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_true(c.result.timed_out);
	assert_slice(c.result.out_head, "before\n");
	assert_false(is_alive("43221"));
	assert_false(is_alive("43222"));
	assert_false(is_alive("43224"));
	assert_false(is_alive("43225"));
	assert_true(clock_monotonic_ns() - begun < 10000000000);
	/* it left the group, and has neither our pipes nor our marker: the
	 * only kind that cannot be found */
	end_sleeper("43223");
	forget(&c);
	assert_int_equal(left_over(), 0);
}

static void a_timeout_asks_before_it_kills(void **state)
{
	struct channel c;
	int64_t begun = clock_monotonic_ns();

	(void)state;
	start(&c, "trap 'echo bye; exit' TERM; sleep 43226.$own & wait", 0.3);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.timed_out);
	assert_slice(c.result.out_head, "bye\n");
	/* sooner than KILL would have come */
	assert_true(clock_monotonic_ns() - begun < 2000000000);
	assert_false(is_alive("43226"));
	forget(&c);
}

static void a_flood_is_cut_and_said_so(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "echo first; head -c 30000000 /dev/zero; echo last; "
		  "head -c 1000000 /dev/zero | tr '\\0' e >&2", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_int_equal(c.result.exit_status, 0);
	assert_true(c.result.out_truncated);
	assert_int_equal(c.result.out_head.n, SCRIPT_OUT_HEAD);
	assert_int_equal(c.result.out_tail.n, SCRIPT_TAIL);
	assert_memory_equal(c.result.out_head.data, "first\n\0\0", 8);
	assert_memory_equal(c.result.out_tail.data + SCRIPT_TAIL - 6, "\0last\n",
			    6);
	assert_true(c.result.err_truncated);
	assert_int_equal(c.result.err_head.n, SCRIPT_ERR_HEAD);
	forget(&c);
}

static void output_of_just_the_limit_is_whole(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "head -c 1048576 /dev/zero", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(c.result.out_truncated);
	assert_int_equal(c.result.out_head.n, SCRIPT_OUT_HEAD);
	forget(&c);
}

static void any_bytes_come_back(void **state)
{
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	/* bytes that look like our own lines, too */
	send_run(&c, "printf '\\n\\0\\377assay %s end\\n' "
		     "\"$ASSAY_TOKEN\"", 10, NULL);
	assert_int_equal(until(&c, RESULT_READY), RESULT_READY);
	say(&c, "go\n");
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.out_head.n, 3 + 6 + 32 + 5);
	assert_memory_equal(c.result.out_head.data, "\n\0\377assay ", 9);
	forget(&c);
}

static void values_are_never_code(void **state)
{
	static const char odd[] = "a'b\"c`id`$(id)\\\n\n\xc3\xa4 \xff;*";
	struct environment env = ENVIRONMENT_INIT;
	struct channel c;

	(void)state;
	environment_set(&env, "odd", "replaced");
	environment_set(&env, "odd", odd);
	hash_random_hex(c.token, 16);
	send_run(&c, "printf %s \"$odd\"", 10, &env);
	assert_int_equal(until(&c, RESULT_READY), RESULT_READY);
	say(&c, "go\n");
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_slice(c.result.out_head, odd);
	forget(&c);
	environment_release(&env);
}

static void a_big_script_arrives_whole(void **state)
{
	struct buf body = BUF_INIT;
	struct channel c;

	(void)state;
	for (int i = 0; i < 40000; i++)
		buf_adds(&body, "# it's a long comment: 'quoted'\n");
	buf_adds(&body, "grep -c '' ../script; exit 7");
	start(&c, body.data, 20);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 7);
	assert_slice(c.result.out_head, "40001\n");
	forget(&c);
	buf_release(&body);
}

static void leftovers_do_not_outlive_the_run(void **state)
{
	struct channel c;
	int64_t begun = clock_monotonic_ns();

	(void)state;
	start(&c, "sleep 43231.$own & " ASLEEP
		  "setsid sleep 43232.$own & " ASLEEP "echo done", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 0);
	assert_false(c.result.timed_out);
	assert_slice(c.result.out_head, "done\n");
	assert_false(is_alive("43231"));
	assert_false(is_alive("43232"));
	assert_true(clock_monotonic_ns() - begun < 10000000000);
	forget(&c);
}

static void who_hides_with_our_output_is_let_go(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "setsid env -i sleep 43241.$own & " ASLEEP "echo done", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 0);
	assert_slice(c.result.out_head, "done\n");
	end_sleeper("43241");
	forget(&c);
}

static void the_command_has_an_empty_standard_input(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "cat; echo \"end $?\"; pwd", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_memory_equal(c.result.out_head.data, "end 0\n", 6);
	assert_memory_equal(c.result.out_head.data + c.result.out_head.n - 6,
			    "/work\n", 6);
	forget(&c);
}

static void a_signal_shows_in_the_status(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "kill -SEGV $$", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 128 + SIGSEGV);
	forget(&c);
}

static void stop_ends_a_running_command(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c, stop;

	(void)state;
	start(&c, "sleep 43251.$own & sleep 43252.$own", 60);
	while (!is_alive("43251") || !is_alive("43252"))
		;
	script_stop(&text, CAMPAIGN, c.token);
	send_plain(&stop, &text);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(channel_close(&stop), 0);
	assert_true(c.result.stopped);
	assert_false(c.result.timed_out);
	assert_false(is_alive("43251"));
	assert_false(is_alive("43252"));
	forget(&c);
	assert_int_equal(left_over(), 0);
	buf_release(&text);
}

static void the_sweep_spares_what_runs(void **state)
{
	struct buf text = BUF_INIT;
	struct channel old, running, sweep;

	(void)state;
	start(&old, "echo 1", 10);
	assert_int_equal(until(&old, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(channel_close(&old), 0);
	start(&running, "sleep 43261.$own", 60);
	while (!is_alive("43261"))
		;
	assert_int_equal(left_over(), 2);
	script_sweep(&text, CAMPAIGN);
	send_plain(&sweep, &text);
	assert_int_equal(channel_close(&sweep), 0);
	assert_false(run_has(&old, NULL));
	assert_true(run_has(&running, "started"));
	buf_clear(&text);
	script_stop(&text, CAMPAIGN, running.token);
	send_plain(&sweep, &text);
	assert_int_equal(channel_close(&sweep), 0);
	assert_int_equal(until(&running, RESULT_COMPLETE), RESULT_COMPLETE);
	forget(&running);
	buf_release(&text);
}

static void treatment_scripts_have_a_limit_and_no_input(void **state)
{
	struct environment env = ENVIRONMENT_INIT;
	struct buf text = BUF_INIT, revert = BUF_INIT;
	struct channel c;
	char own[20];

	(void)state;
	snprintf(own, sizeof(own), "%d", (int)getpid());
	environment_set(&env, "own", own);
	environment_set(&env, "level", "it's");
	script_treatment(&text, &env, "cat; echo \"$level $saved\"; exit 4", 5);
	script_with_saved(&revert, text.data, "a\n'b'");
	send_plain(&c, &revert);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_NOTHING);
	assert_string_equal(c.said.data, "it's a\n'b'\n");
	assert_int_equal(channel_close(&c), 4);
	buf_clear(&text);
	script_treatment(&text, &env, "sleep 43271.$own", 1);
	send_plain(&c, &text);
	assert_int_equal(channel_close(&c), 124);
	assert_false(is_alive("43271"));
	buf_clear(&text);
	script_check(&text, &env, "echo v; true", "echo s; exit 9", 5);
	send_plain(&c, &text);
	until(&c, RESULT_COMPLETE);
	assert_string_equal(c.said.data, "s\n");
	assert_int_equal(channel_close(&c), 0);
	buf_clear(&text);
	script_check(&text, &env, "exit 6", "echo s", 5);
	send_plain(&c, &text);
	until(&c, RESULT_COMPLETE);
	assert_string_equal(c.said.data, "");
	assert_int_equal(channel_close(&c), 6);
	buf_release(&text);
	buf_release(&revert);
	environment_release(&env);
}

/* Every shell on the host's side is the one under test. */
static void set_path(void)
{
	char *bin = mem_printf("%s/bin", scratch);
	char *sh = mem_printf("%s/sh", bin);
	char *path = mem_printf("%s:/usr/local/bin:/usr/bin:/bin", bin);

	assert_int_equal(mkdir(bin, 0755), 0);
	assert_int_equal(symlink(shell, sh), 0);
	setenv("PATH", path, 1);
	free(path);
	free(sh);
	free(bin);
}

static int make_scratch(void **state)
{
	char *cache;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	snprintf(scratch, sizeof(scratch), "/tmp/assay-script.XXXXXX");
	if (!mkdtemp(scratch))
		return -1;
	cache = mem_printf("%s/cache", scratch);
	setenv("XDG_CACHE_HOME", cache, 1);
	free(cache);
	set_path();
	return 0;
}

static int remove_scratch(void **state)
{
	char *command = mem_printf("rm -rf '%s'", scratch);
	int status = system(command);

	(void)state;
	free(command);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_is_started_and_forgotten),
		cmocka_unit_test(nothing_starts_without_go),
		cmocka_unit_test(a_script_cut_short_does_nothing),
		cmocka_unit_test(a_second_controller_collects_the_same_run),
		cmocka_unit_test(a_run_that_never_was_is_none),
		cmocka_unit_test(
			a_killed_runner_is_noticed_and_its_command_ended),
		cmocka_unit_test(a_timeout_kills_the_whole_tree),
		cmocka_unit_test(a_timeout_asks_before_it_kills),
		cmocka_unit_test(a_flood_is_cut_and_said_so),
		cmocka_unit_test(output_of_just_the_limit_is_whole),
		cmocka_unit_test(any_bytes_come_back),
		cmocka_unit_test(values_are_never_code),
		cmocka_unit_test(a_big_script_arrives_whole),
		cmocka_unit_test(leftovers_do_not_outlive_the_run),
		cmocka_unit_test(who_hides_with_our_output_is_let_go),
		cmocka_unit_test(the_command_has_an_empty_standard_input),
		cmocka_unit_test(a_signal_shows_in_the_status),
		cmocka_unit_test(stop_ends_a_running_command),
		cmocka_unit_test(the_sweep_spares_what_runs),
		cmocka_unit_test(treatment_scripts_have_a_limit_and_no_input),
	};
	cmocka_set_test_filter(getenv("TEST"));
	int failed = cmocka_run_group_tests_name("sh", tests, make_scratch,
						 remove_scratch);

	if (!getenv("ONLY_SH") && access("/bin/bash", X_OK) == 0) {
		shell = "/bin/bash";
		failed += cmocka_run_group_tests_name(
			"bash", tests, make_scratch, remove_scratch);
	}
	return failed;
}
