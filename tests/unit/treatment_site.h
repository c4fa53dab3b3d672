#ifndef TESTS_UNIT_TREATMENT_SITE_H
#define TESTS_UNIT_TREATMENT_SITE_H

/* The shipped treatments, run by sh as on a host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/treatment_def.h"

/* A directory on a disk for what a treatment does, and a place for scripts. */
struct site {
	char dir[40];
	char *work;
	struct library_list list;
	struct buf out; /* of the last script, stderr in it */
};

static inline const struct treatment_def *treatment(const struct site *h,
						    const char *name)
{
	for (size_t i = 0; i < h->list.n_treatments; i++)
		if (!strcmp(h->list.treatments[i]->name, name))
			return h->list.treatments[i];
	fail_msg("no treatment %s", name);
	return NULL;
}

/* Exit status; what it printed is in h->out, trailing newlines cut. */
static inline int sh(struct site *h, const char *script)
{
	struct error err = ERROR_INIT;
	char *file = path_join(h->dir, ".script");
	char *command = mem_printf("sh '%s' 2>&1", file);
	char bytes[4096];
	FILE *pipe;
	size_t n;
	int status;

	assert_int_equal(path_write(file, script, strlen(script), &err), 0);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	buf_clear(&h->out);
	while ((n = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
		buf_add(&h->out, bytes, n);
	status = pclose(pipe);
	while (h->out.n && h->out.data[h->out.n - 1] == '\n')
		h->out.data[--h->out.n] = '\0';
	unlink(file);
	free(command);
	free(file);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline int shf(struct site *h, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static inline int shf(struct site *h, const char *fmt, ...)
{
	struct buf script = BUF_INIT;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	buf_vaddf(&script, fmt, ap);
	va_end(ap);
	rc = sh(h, script.data);
	buf_release(&script);
	return rc;
}

static inline int setup(void **state)
{
	struct problems p = PROBLEMS_INIT;
	struct site *h = mem_zalloc(1, sizeof(*h));
	struct library l;

	strcpy(h->dir, "/var/tmp/assay-treatment.XXXXXX");
	assert_non_null(mkdtemp(h->dir));
	h->work = path_join(h->dir, "work");
	h->out = (struct buf)BUF_INIT;
	library_init(&l, "experiments", NULL);
	assert_int_equal(library_list(&h->list, &l, &p), 0);
	library_release(&l);
	setenv("work", h->work, 1);
	*state = h;
	return 0;
}

static inline int teardown(void **state)
{
	struct site *h = *state;

	shf(h, "rm -rf -- %s /dev/shm/assay-work-dir*%s*", h->dir,
	    path_base(h->dir));
	unsetenv("work");
	unsetenv("level");
	unsetenv("saved");
	library_list_release(&h->list);
	buf_release(&h->out);
	free(h->work);
	free(h);
	return 0;
}

/* What is in the directory and of it on /dev/shm, sorted, on one line. */
static inline void assert_left(struct site *h, const char *wanted)
{
	shf(h, "cd %s && find . ! -name .script ! -name . | sort |"
	       "tr '\\n' ' ';"
	       "ls -d /dev/shm/assay-work-dir*%s* 2>/dev/null", h->dir,
	    path_base(h->dir));
	while (h->out.n && h->out.data[h->out.n - 1] == ' ')
		h->out.data[--h->out.n] = '\0';
	assert_string_equal(h->out.data, wanted);
}

static inline void save(struct site *h, const struct treatment_def *d)
{
	assert_int_equal(sh(h, d->save), 0);
	setenv("saved", h->out.data, 1);
}

static inline void apply(struct site *h, const struct treatment_def *d,
			 const char *level)
{
	setenv("level", level, 1);
	if (sh(h, d->apply))
		fail_msg("apply %s: %s", level, h->out.data);
}

/* The scripts of one treatment in files, for a shell that stays in one
 * namespace. */
static inline void write_scripts(const struct site *h,
				 const struct treatment_def *d)
{
	const char *const names[] = { "save", "apply", "verify", "show",
				      "revert", "enter" };
	const char *const texts[] = { d->save, d->apply, d->verify, d->show,
				      d->revert, d->enter };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < 6; i++) {
		const char *text = texts[i] ? texts[i] : "";
		char *file = path_join(h->dir, names[i]);

		assert_int_equal(path_write(file, text, strlen(text), &err),
				 0);
		free(file);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
