#ifndef TESTS_REPO_FIXTURE_H
#define TESTS_REPO_FIXTURE_H

/* A scratch git repository for the tests of vcs. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/vcs/snapshot.h"

#define NOBODY 65534

/* dir/home with an author, dir/repo with a first commit of exp/x.yaml. */
struct scratch {
	char *dir;
	struct strlist files;
	struct snapshot s;
	struct error err;
};

/* Runs a shell script in dir/repo; its output without the last newline. */
__attribute__((format(printf, 2, 3), unused)) static char *
sh(struct scratch *t, const char *fmt, ...)
{
	struct buf command = BUF_INIT, out = BUF_INIT;
	char chunk[4096];
	va_list ap;
	FILE *f;
	size_t n;

	buf_addf(&command, "exec 2>&1; set -e; cd %s/repo; ", t->dir);
	va_start(ap, fmt);
	buf_vaddf(&command, fmt, ap);
	va_end(ap);
	f = popen(command.data, "r");
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&out, chunk, n);
	buf_addc(&out, '\0');
	if (pclose(f) != 0)
		fail_msg("%s\n%s", command.data, out.data);
	buf_release(&command);
	n = strlen(out.data);
	if (n && out.data[n - 1] == '\n')
		out.data[n - 1] = '\0';
	return buf_detach(&out);
}

#define run(...) free(sh(__VA_ARGS__))

#define expect(wanted, ...)                             \
	do {                                            \
		char *got_ = sh(__VA_ARGS__);           \
		assert_string_equal(got_, wanted);      \
		free(got_);                             \
	} while (0)

__attribute__((unused)) static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct scratch *t = mem_zalloc(1, sizeof(*t));
	char *made = mem_printf("%s/assay-vcs.XXXXXX", tmp ? tmp : "/tmp");
	char *home;

	if (!mkdtemp(made))
		return -1;
	t->dir = realpath(made, NULL);
	free(made);
	home = mem_printf("%s/home", t->dir);
	setenv("HOME", home, 1);
	setenv("XDG_CONFIG_HOME", home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("LC_ALL", "C", 1);
	free(home);
	made = mem_printf("mkdir -p %s/home %s/repo", t->dir, t->dir);
	if (system(made) != 0)
		return -1;
	free(made);
	run(t, "git config --global user.name 'A. Uthor';"
	    "git config --global user.email a@example.org;"
	    "git config --global init.defaultBranch main;"
	    "git init -q; mkdir exp; echo one >exp/x.yaml; echo lib >lib.yaml;"
	    "echo other >other; git add .; git commit -qm first");
	strlist_push_nodup(&t->files, mem_printf("%s/repo/exp/x.yaml", t->dir));
	*state = t;
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int flag,
			struct FTW *ftw)
{
	(void)flag;
	(void)ftw;
	if (S_ISDIR(st->st_mode))
		chmod(path, 0755);
	return remove(path);
}

__attribute__((unused)) static int teardown(void **state)
{
	struct scratch *t = *state;
	char *open_up = mem_printf("chmod -R u+rwX %s", t->dir);

	(void)!system(open_up);
	nftw(t->dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	strlist_release(&t->files);
	free(open_up);
	free(t->dir);
	free(t);
	return 0;
}

__attribute__((unused)) static void snapshot(struct scratch *t)
{
	if (vcs_snapshot(&t->files, "x", NULL, &t->s, &t->err) < 0)
		fail_msg("%s", t->err.text);
}

__attribute__((unused)) static void refused(struct scratch *t, enum error_kind kind, const char *part)
{
	t->err = (struct error)ERROR_INIT;
	assert_int_equal(vcs_snapshot(&t->files, "x", NULL, &t->s, &t->err),
			 -1);
	if (t->err.kind != kind || !strstr(t->err.text, part) ||
	    strchr(t->err.text, '\n'))
		fail_msg("%d: %s", (int)t->err.kind, t->err.text);
}

#endif
