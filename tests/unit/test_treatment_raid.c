/* The treatment btrfs-raid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchestrate/spec/treatment_def.h"
#include "tests/unit/treatment_site.h"

static const char *const params[][2] = {
	{ "devices", "4" },
	{ "image_size", "128M" },
	{ "mkfs_options", "" },
	{ "mount_options", "noatime" },
};

static int raid_setup(void **state)
{
	for (size_t i = 0; i < 4; i++)
		setenv(params[i][0], params[i][1], 1);
	return setup(state);
}

/* What a failed test left mounted would outlive its directory. */
static int raid_teardown(void **state)
{
	struct site *h = *state;

	sh(h, treatment(h, "btrfs-raid")->revert);
	for (size_t i = 0; i < 4; i++)
		unsetenv(params[i][0]);
	return teardown(state);
}

/* Four loop devices, btrfs and a place to mount. */
static bool can_raid(struct site *h)
{
	return sh(h, "[ $(id -u) = 0 ] && command -v mkfs.btrfs && "
		     "grep -qw btrfs /proc/filesystems && "
		     "d=$(mktemp -d) && cd $d && s=0 && "
		     "for i in 1 2 3 4; do truncate -s 1M $i && "
		     "losetup -f --show $PWD/$i >>loops || s=1; done; "
		     "for l in $(cat loops); do losetup -d $l; done; "
		     "rm -rf $d; exit $s") == 0 &&
	       sh(h, "unshare -m mount -t tmpfs none /mnt") == 0;
}

static void assert_no_loops(struct site *h)
{
	assert_int_equal(shf(h, "losetup -n -O BACK-FILE | grep -c %s",
			     h->dir), 1);
}

static void every_level_is_what_btrfs_says(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "btrfs-raid");

	if (!can_raid(h))
		skip();
	assert_int_equal(d->levels.n, 5);
	for (size_t i = 0; i < d->levels.n; i++) {
		const char *level = d->levels.items[i];

		save(h, d);
		assert_string_equal(getenv("saved"), "none");
		setenv("level", level, 1);
		assert_int_equal(sh(h, d->verify), 1);
		apply(h, d, level);
		if (sh(h, d->verify))
			fail_msg("%s: %s", level, h->out.data);
		setenv("level", i ? "single" : "raid1", 1);
		assert_int_equal(sh(h, d->verify), 1);
		assert_int_equal(sh(h, d->show), 0);
		assert_int_equal(sh(h, "findmnt -n -o OPTIONS $work"), 0);
		assert_non_null(strstr(h->out.data, "noatime"));
		assert_int_equal(sh(h, "echo x >$work/result"), 0);
		assert_int_equal(sh(h, d->revert), 0);
		assert_int_equal(sh(h, d->revert), 0);
		assert_left(h, "");
	}
	assert_no_loops(h);
}

static void applied_again_it_starts_anew(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "btrfs-raid");

	if (!can_raid(h))
		skip();
	assert_int_equal(sh(h, "mkdir $work"), 0);
	save(h, d);
	assert_string_equal(getenv("saved"), "dir");
	apply(h, d, "raid1");
	assert_int_equal(sh(h, "echo x >$work/result"), 0);
	assert_int_equal(sh(h, d->save), 1);
	setenv("devices", "2", 1);
	assert_int_equal(sh(h, d->verify), 1);
	apply(h, d, "raid0");
	if (sh(h, d->verify))
		fail_msg("%s", h->out.data);
	assert_int_equal(sh(h, "[ -e $work/result ]"), 1);
	assert_int_equal(sh(h, "losetup -n -O BACK-FILE | "
			       "grep -c \"^$work.raid/\""), 0);
	assert_string_equal(h->out.data, "2");
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work");
	assert_no_loops(h);
}

static void half_made_it_is_taken_away(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "btrfs-raid");

	if (!can_raid(h))
		skip();
	save(h, d);
	/* two mirrors on one device: mkfs fails, with a loop device there */
	setenv("devices", "1", 1);
	setenv("level", "raid1", 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, "mkdir $work.raid.new.abcdef "
			       "$work.raid.new.ghijkl && echo $work "
			       ">$work.raid.new.ghijkl/.assay-btrfs-raid"),
			 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
	assert_no_loops(h);
}

static void what_it_did_not_make_is_spared(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "btrfs-raid");

	setenv("level", "raid1", 1);
	setenv("saved", "dir", 1);
	assert_int_equal(sh(h, "mkdir $work.raid $work && echo x >$work/a && "
			       "echo x >$work.raid/image.1"), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "./work ./work.raid ./work.raid/image.1 ./work/a");
	assert_int_equal(sh(h, "rm -r $work.raid"), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_non_null(strstr(h->out.data, "is not empty"));
}

#define RAID_TEST(f) \
	cmocka_unit_test_setup_teardown(f, raid_setup, raid_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RAID_TEST(every_level_is_what_btrfs_says),
		RAID_TEST(applied_again_it_starts_anew),
		RAID_TEST(half_made_it_is_taken_away),
		RAID_TEST(what_it_did_not_make_is_spared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
