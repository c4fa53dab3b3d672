#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/path.h"

#define SCRATCH(test)                                                         \
	cmocka_unit_test_setup_teardown(test, make_scratch, remove_scratch)

struct scratch {
	char dir[64];
	char file[96];
};

static int make_scratch(void **state)
{
	struct scratch *s = malloc(sizeof(*s));

	strcpy(s->dir, "/tmp/assay-path.XXXXXX");
	if (!mkdtemp(s->dir))
		return -1;
	snprintf(s->file, sizeof(s->file), "%s/file", s->dir);
	*state = s;
	return 0;
}

static int remove_scratch(void **state)
{
	struct scratch *s = *state;
	char command[128];
	int rc;

	snprintf(command, sizeof(command), "rm -rf %s", s->dir);
	rc = system(command);
	free(s);
	return rc;
}

static size_t count_entries(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void joins(const char *dir, const char *name, const char *expected)
{
	char *path = path_join(dir, name);

	assert_string_equal(path, expected);
	free(path);
}

static void test_joining_uses_one_slash(void **state)
{
	(void)state;
	joins("a", "b", "a/b");
	joins("a/", "b", "a/b");
	joins("/", "b", "/b");
	joins("", "b", "b");
	joins("a", "/b", "/b");
}

static void splits(const char *path, const char *dir, const char *base)
{
	char *d = path_dir(path);

	assert_string_equal(d, dir);
	assert_string_equal(path_base(path), base);
	free(d);
}

static void test_splitting_at_the_last_slash(void **state)
{
	(void)state;
	splits("a/b/c", "a/b", "c");
	splits("a", ".", "a");
	splits("/a", "/", "a");
	splits("a/", "a", "");
	splits("", ".", "");
}

static void test_what_is_written_is_read_back(void **state)
{
	struct scratch *s = *state;
	struct error err = ERROR_INIT;
	struct buf b = BUF_INIT;
	struct stat st;

	buf_adds(&b, "old");
	assert_int_equal(path_write(s->file, "a\0b", 3, &err), 0);
	assert_int_equal(path_read(s->file, 3, &b, &err), 0);
	assert_int_equal(b.n, 3);
	assert_memory_equal(b.data, "a\0b", 4);
	assert_int_equal(path_write(s->file, "", 0, &err), 0);
	assert_int_equal(path_read(s->file, 0, &b, &err), 0);
	assert_int_equal(b.n, 0);
	assert_int_equal(stat(s->file, &st), 0);
	assert_int_equal(st.st_mode & 07133, 0);
	assert_int_equal(count_entries(s->dir), 1);
	buf_release(&b);
}

static void refuses_to_read(const char *path, size_t max, const char *why)
{
	struct error err = ERROR_INIT;
	struct buf b = BUF_INIT;
	char text[256];

	snprintf(text, sizeof(text), "%s: %s", path, why);
	assert_int_equal(path_read(path, max, &b, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, text);
	buf_release(&b);
}

static void test_a_file_above_the_limit_is_refused(void **state)
{
	struct scratch *s = *state;
	struct error err = ERROR_INIT;
	char *big = calloc(200001, 1);
	struct buf b = BUF_INIT;

	assert_int_equal(path_write(s->file, big, 200001, &err), 0);
	refuses_to_read(s->file, 200000, "larger than 200000 bytes");
	refuses_to_read(s->file, 0, "larger than 0 bytes");
	assert_int_equal(path_read(s->file, 200001, &b, &err), 0);
	assert_int_equal(b.n, 200001);
	buf_release(&b);
	free(big);
}

static void test_a_missing_file_is_named(void **state)
{
	struct scratch *s = *state;

	refuses_to_read(s->file, 9, "No such file or directory");
	assert_false(path_exists(s->file));
	assert_true(path_exists(s->dir));
}

static void test_only_regular_files_are_read(void **state)
{
	struct scratch *s = *state;

	refuses_to_read(s->dir, 9, "not a regular file");
	refuses_to_read("/dev/zero", 9, "not a regular file");
	assert_int_equal(mkfifo(s->file, 0600), 0);
	alarm(20); /* no writer will ever come: reading must not wait */
	refuses_to_read(s->file, 9, "not a regular file");
	alarm(0);
}

/* Writes more than the limit on file sizes allows; 0 when rightly refused. */
static int write_too_much(const char *path)
{
	struct rlimit small = { .rlim_cur = 4096, .rlim_max = 4096 };
	struct error err = ERROR_INIT;
	char *big = calloc(100000, 1);
	int rc;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	rc = path_write(path, big, 100000, &err);
	free(big);
	return rc == -1 && err.kind == ERROR_ENVIRONMENT &&
			       strstr(err.text, "File too large")
		       ? 0
		       : 1;
}

static void test_a_full_disk_leaves_no_file_behind(void **state)
{
	struct scratch *s = *state;
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(write_too_much(s->file));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(count_entries(s->dir), 0);
}

static void test_a_failed_write_keeps_what_was_there(void **state)
{
	struct scratch *s = *state;
	struct error err = ERROR_INIT;
	char inside[128];

	assert_int_equal(mkdir(s->file, 0700), 0);
	snprintf(inside, sizeof(inside), "%s/x", s->file);
	assert_int_equal(path_write(inside, "x", 1, &err), 0);
	assert_int_equal(path_write(s->file, "y", 1, &err), -1);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
	assert_true(path_exists(inside));
	assert_int_equal(count_entries(s->dir), 1);
}

static void test_writing_into_a_missing_directory_is_an_error(void **state)
{
	struct scratch *s = *state;
	struct error err = ERROR_INIT;
	char path[128], text[256];

	snprintf(path, sizeof(path), "%s/none/x", s->dir);
	snprintf(text, sizeof(text),
		 "cannot write %s: No such file or directory", path);
	assert_int_equal(path_write(path, "x", 1, &err), -1);
	assert_string_equal(err.text, text);
}

static void test_directories_are_made_with_their_parents(void **state)
{
	struct scratch *s = *state;
	struct error err = ERROR_INIT;
	char path[128];

	snprintf(path, sizeof(path), "%s/a//b/c/", s->dir);
	assert_int_equal(path_make_dirs(path, &err), 0);
	assert_int_equal(path_make_dirs(path, &err), 0);
	assert_true(path_exists(path));
	assert_int_equal(path_make_dirs("/", &err), 0);
	assert_int_equal(path_make_dirs(".", &err), 0);
}

static void test_a_file_in_the_way_of_a_directory_is_named(void **state)
{
	struct scratch *s = *state;
	struct error err = ERROR_INIT;
	char path[128], text[256];

	assert_int_equal(path_write(s->file, "x", 1, &err), 0);
	snprintf(text, sizeof(text), "%s exists and is not a directory",
		 s->file);
	assert_int_equal(path_make_dirs(s->file, &err), -1);
	assert_string_equal(err.text, text);
	snprintf(path, sizeof(path), "%s/sub", s->file);
	snprintf(text, sizeof(text),
		 "cannot make directory %s: Not a directory", path);
	assert_int_equal(path_make_dirs(path, &err), -1);
	assert_string_equal(err.text, text);
}

static void test_no_name_is_no_directory(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(path_make_dirs("", &err), -1);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH(test_joining_uses_one_slash),
		SCRATCH(test_splitting_at_the_last_slash),
		SCRATCH(test_what_is_written_is_read_back),
		SCRATCH(test_a_file_above_the_limit_is_refused),
		SCRATCH(test_a_missing_file_is_named),
		SCRATCH(test_only_regular_files_are_read),
		SCRATCH(test_a_full_disk_leaves_no_file_behind),
		SCRATCH(test_a_failed_write_keeps_what_was_there),
		SCRATCH(test_writing_into_a_missing_directory_is_an_error),
		SCRATCH(test_directories_are_made_with_their_parents),
		SCRATCH(test_a_file_in_the_way_of_a_directory_is_named),
		SCRATCH(test_no_name_is_no_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
