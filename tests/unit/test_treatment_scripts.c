/* The treatments sysctl, io-scheduler and loop-filesystem; and all as shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/treatment_def.h"
#include "tests/unit/treatment_site.h"

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

static void assert_legal(struct site *h, const char *name, const char *script)
{
	char *text;

	if (!script)
		return;
	text = mem_printf("f() {\n%s\n}\n", script);
	if (sh(h, text))
		fail_msg("%s: %s", name, h->out.data);
	free(text);
}

static void every_script_is_legal_shell(void **state)
{
	struct site *h = *state;

	for (size_t i = 0; i < h->list.n_treatments; i++) {
		const struct treatment_def *d = h->list.treatments[i];

		assert_legal(h, d->name, d->save);
		assert_legal(h, d->name, d->apply);
		assert_legal(h, d->name, d->verify);
		assert_legal(h, d->name, d->show);
		assert_legal(h, d->name, d->revert);
		assert_legal(h, d->name, d->enter);
	}
	for (size_t i = 0; i < h->list.n_benchmarks; i++)
		assert_legal(h, h->list.benchmarks[i]->name,
			     h->list.benchmarks[i]->script);
	for (size_t i = 0; i < h->list.n_monitors; i++)
		assert_legal(h, h->list.monitors[i]->name,
			     h->list.monitors[i]->script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
