/* The treatment work-dir: a directory on disk or in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "orchestrate/spec/treatment_def.h"
#include "tests/unit/treatment_site.h"

static bool on_disk(struct site *h)
{
	return shf(h, "case $(stat -f -c %%T %s) in tmpfs|ramfs) exit 1;; esac",
		   h->dir) == 0;
}

static void work_dir_makes_and_removes_a_directory_on_disk(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	save(h, d);
	assert_string_equal(getenv("saved"), "none:");
	apply(h, d, "disk");
	assert_left(h, "./work ./work.disk ./work.disk/.assay-work-dir");
	if (on_disk(h))
		assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->show), 0);
	assert_non_null(strstr(h->out.data, "/work.disk\n"));
	setenv("level", "memory", 1);
	assert_int_equal(sh(h, d->verify), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void work_dir_makes_and_removes_a_directory_in_memory(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	if (access("/dev/shm", W_OK))
		skip();
	save(h, d);
	apply(h, d, "memory");
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(shf(h, "echo data >$work/file; readlink $work"), 0);
	assert_true(!strncmp(h->out.data, "/dev/shm/assay-work-dir%2F", 26));
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void work_dir_may_be_applied_and_reverted_twice(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	save(h, d);
	apply(h, d, "disk");
	assert_int_equal(shf(h, "echo data >$work/file"), 0);
	apply(h, d, "disk");
	assert_left(h, "./work ./work.disk ./work.disk/.assay-work-dir "
		       "./work.disk/file");
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void work_dir_reverts_all_levels_at_once(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	if (access("/dev/shm", W_OK))
		skip();
	save(h, d);
	apply(h, d, "memory");
	apply(h, d, "disk");
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void work_dir_puts_a_foreign_link_back_and_spares_its_target(
	void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	assert_int_equal(shf(h, "cd %s && mkdir 'a: b' && ln -s 'a: b' work && "
				"echo x >'a: b/precious'", h->dir), 0);
	save(h, d);
	assert_string_equal(getenv("saved"), "link:a: b:");
	apply(h, d, "disk");
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(shf(h, "readlink $work"), 0);
	assert_string_equal(h->out.data, "a: b");
	assert_left(h, "./a: b ./a: b/precious ./work");
}

static void work_dir_puts_back_a_link_that_ends_in_a_newline(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	assert_int_equal(shf(h, "ln -s 'x\n\n' $work"), 0);
	save(h, d);
	apply(h, d, "disk");
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(shf(h, "readlink $work | od -c | head -n 1"), 0);
	assert_string_equal(h->out.data,
			    "0000000   x  \\n  \\n  \\n");
}

static void work_dir_reverted_without_apply_changes_nothing(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	assert_int_equal(shf(h, "cd %s && mkdir t && echo x >t/precious && "
				"ln -s t work", h->dir), 0);
	save(h, d);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./t ./t/precious ./work");
}

static void work_dir_refuses_and_spares_a_directory_it_did_not_make(
	void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	assert_int_equal(shf(h, "mkdir $work.disk && echo x >$work.disk/a"), 0);
	save(h, d);
	setenv("level", "disk", 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_non_null(strstr(h->out.data, "was not made here"));
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work.disk ./work.disk/a");
	/* nor an empty one, nor one that another host made */
	assert_int_equal(shf(h, "rm $work.disk/a"), 0);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(shf(h, "echo /other >$work.disk/.assay-work-dir"), 0);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work.disk ./work.disk/.assay-work-dir");
}

static void work_dir_follows_no_link_to_what_it_removes(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	save(h, d);
	assert_int_equal(shf(h, "mkdir %s/t && echo $work >%s/t/.assay-work-dir"
				" && ln -s t $work.disk", h->dir, h->dir), 0);
	setenv("level", "disk", 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./t ./t/.assay-work-dir ./work.disk");
}

static void work_dir_cleans_up_an_apply_that_was_killed(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	save(h, d);
	/* before the marker, before the rename, before the link */
	assert_int_equal(shf(h, "mkdir $work.disk.new.abcdef"), 0);
	assert_int_equal(shf(h, "mkdir $work.disk.new.123456 && echo $work "
				">$work.disk.new.123456/.assay-work-dir"), 0);
	apply(h, d, "disk");
	assert_int_equal(shf(h, "rm $work"), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void work_dir_leaves_what_someone_changed_meanwhile(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	save(h, d);
	apply(h, d, "disk");
	assert_int_equal(shf(h, "ln -sfn elsewhere $work"), 0);
	assert_int_equal(sh(h, d->revert), 1);
	assert_non_null(strstr(h->out.data, "changed by someone else, to "
					    "elsewhere"));
	assert_left(h, "./work");
	assert_int_equal(shf(h, "rm $work && mkdir $work"), 0);
	assert_int_equal(sh(h, d->revert), 1);
	assert_left(h, "./work");
}

static void work_dir_refuses_a_work_that_is_no_link(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	assert_int_equal(shf(h, "mkdir $work"), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_non_null(strstr(h->out.data, "is not a symbolic link"));
	setenv("level", "disk", 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_left(h, "./work");
}

static void work_dir_sees_that_another_host_uses_the_same(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	save(h, d);
	apply(h, d, "disk");
	assert_int_equal(sh(h, d->save), 1);
	assert_non_null(strstr(h->out.data, "is in use"));
}

static void work_dir_of_two_hosts_do_not_meet(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");
	char *other;

	if (access("/dev/shm", W_OK))
		skip();
	/* the same last name, and one that encodes as the other's path */
	assert_int_equal(shf(h, "mkdir %s/b", h->dir), 0);
	save(h, d);
	apply(h, d, "memory");
	other = mem_printf("%s/b/work", h->dir);
	setenv("work", other, 1);
	free(other);
	save(h, d);
	apply(h, d, "memory");
	assert_int_equal(sh(h, d->revert), 0);
	setenv("work", h->work, 1);
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./b");
}

static void work_dir_refuses_odd_paths(void **state)
{
	static const char *const bad[] = { "relative", "", "/", "/a/", "./a" };
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "work-dir");

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		setenv("work", bad[i], 1);
		assert_int_equal(sh(h, d->save), 1);
		assert_non_null(strstr(h->out.data, "must be an absolute"));
		assert_int_equal(sh(h, treatment(h, "loop-filesystem")->save),
				 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(work_dir_makes_and_removes_a_directory_on_disk),
		TEST(work_dir_makes_and_removes_a_directory_in_memory),
		TEST(work_dir_may_be_applied_and_reverted_twice),
		TEST(work_dir_reverts_all_levels_at_once),
		TEST(work_dir_puts_a_foreign_link_back_and_spares_its_target),
		TEST(work_dir_puts_back_a_link_that_ends_in_a_newline),
		TEST(work_dir_reverted_without_apply_changes_nothing),
		TEST(work_dir_refuses_and_spares_a_directory_it_did_not_make),
		TEST(work_dir_follows_no_link_to_what_it_removes),
		TEST(work_dir_cleans_up_an_apply_that_was_killed),
		TEST(work_dir_leaves_what_someone_changed_meanwhile),
		TEST(work_dir_refuses_a_work_that_is_no_link),
		TEST(work_dir_sees_that_another_host_uses_the_same),
		TEST(work_dir_of_two_hosts_do_not_meet),
		TEST(work_dir_refuses_odd_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
