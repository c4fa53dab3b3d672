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

static const struct treatment_def *treatment(const struct site *h,
					     const char *name)
{
	for (size_t i = 0; i < h->list.n_treatments; i++)
		if (!strcmp(h->list.treatments[i]->name, name))
			return h->list.treatments[i];
	fail_msg("no treatment %s", name);
	return NULL;
}

/* Exit status; what it printed is in h->out, trailing newlines cut. */
static int sh(struct site *h, const char *script)
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

static int shf(struct site *h, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int shf(struct site *h, const char *fmt, ...)
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

static int setup(void **state)
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

static int teardown(void **state)
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
static void assert_left(struct site *h, const char *wanted)
{
	shf(h, "cd %s && find . ! -name .script ! -name . | sort |"
	       "tr '\\n' ' ';"
	       "ls -d /dev/shm/assay-work-dir*%s* 2>/dev/null", h->dir,
	    path_base(h->dir));
	while (h->out.n && h->out.data[h->out.n - 1] == ' ')
		h->out.data[--h->out.n] = '\0';
	assert_string_equal(h->out.data, wanted);
}

static void save(struct site *h, const struct treatment_def *d)
{
	assert_int_equal(sh(h, d->save), 0);
	setenv("saved", h->out.data, 1);
}

static void apply(struct site *h, const struct treatment_def *d,
		  const char *level)
{
	setenv("level", level, 1);
	if (sh(h, d->apply))
		fail_msg("apply %s: %s", level, h->out.data);
}

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

/* The scripts of one treatment in files, for a shell that stays in one
 * network namespace. */
static void write_scripts(const struct site *h, const struct treatment_def *d)
{
	const char *const names[] = { "save", "apply", "verify", "revert" };
	const char *const texts[] = { d->save, d->apply, d->verify,
				      d->revert };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < 4; i++) {
		char *file = path_join(h->dir, names[i]);

		assert_int_equal(path_write(file, texts[i], strlen(texts[i]),
					    &err), 0);
		free(file);
	}
}

static void sysctl_sets_reads_back_and_restores(void **state)
{
	struct site *h = *state;

	if (sh(h, "unshare -rn true"))
		skip();
	write_scripts(h, treatment(h, "sysctl"));
	assert_int_equal(
		shf(h, "cd %s; cat >all <<'EOF'\n"
		       "export key=net.ipv4.ip_local_port_range\n"
		       "export level='20000 40000' saved\n"
		       "file=/proc/sys/net/ipv4/ip_local_port_range\n"
		       "before=$(cat $file)\n"
		       "saved=$(sh save) && ! sh verify 2>/dev/null &&\n"
		       "sh apply && sh apply && sh verify || exit 1\n"
		       "tr '\\t' ' ' <$file\n"
		       "sh revert && sh revert && [ \"$(cat $file)\" = "
		       "\"$before\" ]\n"
		       "EOF\n"
		       "unshare -rn sh all", h->dir), 0);
	assert_string_equal(h->out.data, "20000 40000");
}

static void sysctl_says_when_the_kernel_refuses(void **state)
{
	struct site *h = *state;

	if (sh(h, "unshare -rn true"))
		skip();
	write_scripts(h, treatment(h, "sysctl"));
	assert_int_equal(shf(h, "cd %s; key=net.ipv4.ip_forward level=much "
				"unshare -rn sh apply", h->dir), 1);
	assert_int_equal(shf(h, "cd %s; key=net.ipv4.ip_forward saved=much "
				"unshare -rn sh revert", h->dir), 1);
}

static void sysctl_refuses_what_is_no_key(void **state)
{
	static const char *const bad[] = { "", "/etc/passwd", "../../etc/hosts",
					   "a/../../b", "vm.swap piness",
					   ".vm", "vm.nothing_such" };
	struct site *h = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		setenv("key", bad[i], 1);
		assert_int_equal(sh(h, treatment(h, "sysctl")->save), 1);
		assert_true(h->out.n > 0);
	}
	unsetenv("key");
}

static void io_scheduler_refuses_what_is_no_disk(void **state)
{
	static const char *const bad[] = { "", "/dev/sda", "..", "nosuchdisk" };
	struct site *h = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		setenv("disk", bad[i], 1);
		assert_int_equal(sh(h, treatment(h, "io-scheduler")->save), 1);
		assert_true(h->out.n > 0);
	}
	unsetenv("disk");
}

static bool can_loop(struct site *h)
{
	return sh(h, "[ $(id -u) = 0 ] && command -v mkfs.ext4 && "
		     "f=$(mktemp) && truncate -s 1M $f && "
		     "l=$(losetup -f --show $f) && losetup -d $l; s=$?; "
		     "rm -f $f; exit $s") == 0 &&
	       sh(h, "unshare -m mount -t tmpfs none /mnt") == 0;
}

static void loop_filesystem_mounts_and_takes_away(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "loop-filesystem");

	if (!can_loop(h))
		skip();
	setenv("image_size", "16M", 1);
	setenv("mkfs_options", "-m 0", 1);
	setenv("mount_options", "noatime", 1);
	save(h, d);
	assert_string_equal(getenv("saved"), "none");
	setenv("level", "ext4", 1);
	assert_int_equal(sh(h, d->verify), 1);
	apply(h, d, "ext4");
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(shf(h, "findmnt -n -o FSTYPE,OPTIONS $work"), 0);
	assert_non_null(strstr(h->out.data, "noatime"));
	assert_int_equal(sh(h, d->save), 1);
	apply(h, d, "ext4");
	assert_int_equal(shf(h, "losetup -n -j $work.loop/image | wc -l"), 0);
	assert_string_equal(h->out.data, "1");
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
	assert_int_equal(shf(h, "losetup -a | grep -c %s", h->dir), 1);
}

static void loop_filesystem_keeps_a_mount_point_that_was_there(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "loop-filesystem");

	if (!can_loop(h))
		skip();
	setenv("image_size", "16M", 1);
	setenv("mkfs_options", "", 1);
	setenv("mount_options", "defaults", 1);
	assert_int_equal(shf(h, "mkdir $work"), 0);
	save(h, d);
	assert_string_equal(getenv("saved"), "dir");
	/* mkfs fails: apply stops half-way */
	setenv("mkfs_options", "--nonsense", 1);
	setenv("level", "ext4", 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work");
	setenv("mkfs_options", "", 1);
	apply(h, d, "ext4");
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work");
}

static void loop_filesystem_spares_what_it_did_not_make(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "loop-filesystem");

	setenv("image_size", "16M", 1);
	setenv("mkfs_options", "", 1);
	setenv("mount_options", "defaults", 1);
	setenv("level", "ext4", 1);
	setenv("saved", "dir", 1);
	assert_int_equal(shf(h, "mkdir $work.loop $work && echo x >$work/a && "
				"echo x >$work.loop/image"), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work ./work.loop ./work.loop/image ./work/a");
	assert_int_equal(shf(h, "rm -r $work.loop"), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_non_null(strstr(h->out.data, "is not empty"));
}

static void every_script_is_legal_shell(void **state)
{
	struct site *h = *state;

	for (size_t i = 0; i < h->list.n_treatments; i++) {
		const struct treatment_def *d = h->list.treatments[i];
		const char *const scripts[] = { d->save, d->apply, d->verify,
						d->show, d->revert };

		for (size_t k = 0; k < 5; k++) {
			char *text = mem_printf("f() {\n%s\n}\n", scripts[k]);

			if (sh(h, text))
				fail_msg("%s, script %zu: %s", d->name, k,
					 h->out.data);
			free(text);
		}
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

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
		TEST(sysctl_sets_reads_back_and_restores),
		TEST(sysctl_says_when_the_kernel_refuses),
		TEST(sysctl_refuses_what_is_no_key),
		TEST(io_scheduler_refuses_what_is_no_disk),
		TEST(loop_filesystem_mounts_and_takes_away),
		TEST(loop_filesystem_keeps_a_mount_point_that_was_there),
		TEST(loop_filesystem_spares_what_it_did_not_make),
		TEST(every_script_is_legal_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
