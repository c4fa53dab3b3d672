#ifndef TESTS_UNIT_SCRIPT_HOST_H
#define TESTS_UNIT_SCRIPT_HOST_H

/*
 * The host's side of a run for tests: a real shell that is sent the scripts,
 * with its cache in a scratch directory. A test program runs all its tests
 * with /bin/sh and, where there is one, with bash.
 */
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

static inline void channel_open(struct channel *c)
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

static inline void channel_write(struct channel *c, const char *text, size_t n)
{
	while (n) {
		ssize_t w = write(c->in, text, n);

		assert_true(w > 0);
		text += w;
		n -= (size_t)w;
	}
}

static inline void say(struct channel *c, const char *text)
{
	channel_write(c, text, strlen(text));
}

static inline void end_input(struct channel *c)
{
	if (c->in >= 0)
		close(c->in);
	c->in = -1;
}

/* Reads until the stage is reached or the shell has ended. */
static inline enum result_stage until(struct channel *c, enum result_stage stage)
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

static inline int channel_close(struct channel *c)
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

static inline void send_script(struct channel *c, const struct run_script *run)
{
	struct buf text = BUF_INIT;

	channel_open(c);
	script_run(&text, run);
	channel_write(c, text.data, text.n);
	buf_release(&text);
}

/* Sends a run's script. */
static inline void send_run(struct channel *c, const char *body, double timeout,
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

	send_script(c, &run);
}

static inline void start(struct channel *c, const char *body, double timeout)
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

static inline void forget(struct channel *c)
{
	say(c, "forget\n");
	assert_int_equal(channel_close(c), 0);
}

/* Sends a script that is no run and waits for its end. */
static inline void send_plain(struct channel *c, const struct buf *text)
{
	channel_open(c);
	channel_write(c, text->data, text->n);
}

static inline char *run_dir(const struct channel *c, const char *file)
{
	return mem_printf("%s/cache/assay/" CAMPAIGN "/%s%s%s", scratch,
			  c->token, file ? "/" : "", file ? file : "");
}

static inline bool run_has(const struct channel *c, const char *file)
{
	char *path = run_dir(c, file);
	bool there = path_exists(path);

	free(path);
	return there;
}

static inline size_t left_over(void)
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

static inline void assert_slice(struct slice s, const char *text)
{
	if (s.n != strlen(text) || memcmp(s.data, text, s.n))
		fail_msg("'%.*s' is not '%s'", (int)s.n, s.data, text);
}

/* The process `sleep SECONDS.OURPID`, or 0. */
static inline pid_t sleeper(const char *seconds)
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

static inline bool is_alive(const char *seconds)
{
	return sleeper(seconds) != 0;
}

static inline void end_sleeper(const char *seconds)
{
	pid_t pid = sleeper(seconds);

	assert_true(pid > 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
}

/* Until the background job that has just been started is `sleep`. */
#define ASLEEP "until grep -qs sleep /proc/$!/comm; do :; done; "

/* Every shell on the host's side is the one under test. */
static inline void set_path(void)
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

static inline int make_scratch(void **state)
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

static inline int remove_scratch(void **state)
{
	char *command = mem_printf("rm -rf '%s'", scratch);
	int status = system(command);

	(void)state;
	free(command);
	return status;
}

/* The group twice, once for each shell. */
#define RUN_WITH_EACH_SHELL(tests)                                          \
	(cmocka_set_test_filter(getenv("TEST")),                            \
	 cmocka_run_group_tests_name("sh", tests, make_scratch,             \
				     remove_scratch) +                      \
	 (access("/bin/bash", X_OK) != 0 || getenv("ONLY_SH") ?             \
	  0 : (shell = "/bin/bash",                                         \
	       cmocka_run_group_tests_name("bash", tests, make_scratch,     \
					   remove_scratch))))

#endif
