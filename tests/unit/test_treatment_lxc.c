/* The platform lxc, on a root of a shell and tail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchestrate/spec/treatment_def.h"
#include "tests/unit/treatment_site.h"

static void use_container(struct site *h)
{
	char *rootfs = path_join(h->dir, "rootfs");
	char *path = path_join(h->dir, "lxc");
	char *backing = mem_printf("dir:%s/data", h->dir);

	setenv("rootfs", rootfs, 1);
	setenv("lxc_path", path, 1);
	setenv("lxc_backing", backing, 1);
	/* a name of its own: LXC keeps them apart by it alone */
	setenv("instance", path_base(h->dir), 1);
	setenv("lxc_config", "", 1);
	setenv("disposable", "true", 1);
	setenv("level", "lxc", 1);
	free(backing);
	free(path);
	free(rootfs);
	assert_int_equal(
		sh(h, "mkdir $lxc_path ${lxc_backing#dir:} &&\n"
		      "echo seen >${lxc_backing#dir:}/file &&\n"
		      "mkdir -p $rootfs/bin $rootfs/proc $rootfs/sys $rootfs/dev\n"
		      "cd $rootfs\n"
		      "for p in sh tail cat sleep; do\n"
		      "file=$(command -v $p) && cp -L $file bin/ || exit 1\n"
		      "ldd $file | grep -o '/[^ ]*' | while read lib; do\n"
		      "mkdir -p .${lib%/*} && cp -L $lib .$lib || exit 1\n"
		      "done\ndone"), 0);
}

static int end_container(void **state)
{
	struct site *h = *state;

	sh(h, "lxc-stop -k -P \"$lxc_path\" -n \"$instance\"");
	unsetenv("rootfs");
	unsetenv("lxc_path");
	unsetenv("lxc_backing");
	unsetenv("instance");
	unsetenv("lxc_config");
	unsetenv("disposable");
	return teardown(state);
}

/* Where it cannot be, as an ordinary user or in a container, there is none. */
static int can_start(struct site *h)
{
	return sh(h, "[ $(id -u) = 0 ] && command -v lxc-start && "
		     "lxc-start -P $lxc_path -n $instance "
		     "-s lxc.rootfs.path=dir:$rootfs -s lxc.net.0.type=none "
		     "-- tail -f /dev/null && "
		     "lxc-stop -k -P $lxc_path -n $instance") == 0;
}

static void lxc_is_made_entered_and_taken_away(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/lxc");

	use_container(h);
	if (!can_start(h))
		skip();
	write_scripts(h, d);
	save(h, d);
	assert_string_equal(getenv("saved"), "none");
	assert_int_equal(sh(h, d->verify), 1);
	apply(h, d, "lxc");
	assert_int_equal(sh(h, d->save), 1);
	apply(h, d, "lxc");
	if (sh(h, d->verify))
		fail_msg("%s", h->out.data);
	assert_int_equal(sh(h, d->show), 0);
	assert_non_null(strstr(h->out.data, "/layer"));
	assert_int_equal(
		shf(h, "cd %s; cat >inside <<'EOF'\n"
		       "cat ${0%%sh}%s/data/file /proc/sys/kernel/hostname\n"
		       "echo x >/left; echo $HOME $host_only; exit 3\n"
		       "EOF\nexport host_only=no; sh enter <inside",
		    h->dir, h->dir), 3);
	assert_non_null(strstr(h->out.data, "seen\nassay-treatment"));
	assert_non_null(strstr(h->out.data, "\n/root"));
	assert_null(strstr(h->out.data, "/root no"));
	assert_int_equal(sh(h, "[ -e $rootfs/left ]"), 1);
	setenv("lxc_backing", "dir:/etc", 1);
	assert_int_equal(sh(h, d->verify), 1);
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, "ls $lxc_path"), 0);
	assert_string_equal(h->out.data, "");
}

static void lxc_ends_what_a_stopped_run_left_inside(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/lxc");

	use_container(h);
	if (!can_start(h))
		skip();
	write_scripts(h, d);
	apply(h, d, "lxc");
	assert_int_equal(
		shf(h, "cd %s; mkfifo there\n"
		       "echo '(sleep 60 &); echo up; sleep 60' |\n"
		       "sh enter >there & p=$!\n"
		       "exec 4<there; read line <&4; kill -TERM $p; wait $p\n"
		       "echo $line $?\n"
		       "main=$(lxc-info -P $lxc_path -n $instance -p -H)\n"
		       "for x in /proc/[0-9]*; do\n"
		       "[ \"$(readlink $x/ns/pid)\" = "
		       "\"$(readlink /proc/$main/ns/pid)\" ] &&\n"
		       "[ -s $x/cmdline ] && cat $x/comm\n"
		       "done; sh verify", h->dir), 0);
	assert_string_equal(h->out.data, "up 143\ntail");
	assert_int_equal(sh(h, d->revert), 0);
}

static void lxc_can_write_to_the_root_itself(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/lxc");

	use_container(h);
	if (!can_start(h))
		skip();
	write_scripts(h, d);
	setenv("disposable", "false", 1);
	/* nowhere to mount what storage gives */
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, "mkdir -p $rootfs${lxc_backing#dir:}"), 0);
	save(h, d);
	apply(h, d, "lxc");
	if (sh(h, d->verify))
		fail_msg("%s", h->out.data);
	assert_int_equal(shf(h, "cd %s; echo 'echo x >/left' | sh enter",
			     h->dir), 0);
	assert_int_equal(sh(h, "cat $rootfs/left"), 0);
	setenv("disposable", "true", 1);
	assert_int_equal(sh(h, d->verify), 1);
	assert_int_equal(sh(h, d->revert), 0);
}

static void lxc_spares_what_it_did_not_make(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/lxc");

	use_container(h);
	setenv("saved", "none", 1);
	assert_int_equal(sh(h, "mkdir $lxc_path/$instance && "
			       "echo mine >$lxc_path/$instance/config"), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 1);
	assert_int_equal(sh(h, "cat $lxc_path/$instance/config"), 0);
	assert_string_equal(h->out.data, "mine");
	/* what apply left before it could say whose it is, and after */
	assert_int_equal(sh(h, "cd $lxc_path && rm -r $instance && "
			       "mkdir $instance.new.abcdef $instance.new.a/b "
			       "$instance.new.ghijkl 2>/dev/null; "
			       "echo $lxc_path/$instance "
			       ">$instance.new.ghijkl/.assay-platform"), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, "ls $lxc_path"), 0);
	assert_string_equal(h->out.data, "");
}

static void lxc_refuses_what_it_cannot_take(void **state)
{
	static const char *const bad[][2] = {
		{ "instance", "" },
		{ "instance", "../etc" },
		{ "instance", "-k" },
		{ "rootfs", "/" },
		{ "rootfs", "/nowhere" },
		{ "rootfs", "/proc" },
		{ "rootfs", "/var/tmp/a b" },
		{ "lxc_path", "/nowhere" },
		{ "lxc_config", "/nowhere" },
		{ "lxc_backing", "/data" },
		{ "lxc_backing", "dir:data" },
		{ "lxc_backing", "dir:/a:/b" },
		{ "lxc_backing", "overlayfs:/a" },
	};
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/lxc");

	use_container(h);
	assert_int_equal(sh(h, d->save), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *good = mem_strdup(getenv(bad[i][0]));

		setenv(bad[i][0], bad[i][1], 1);
		assert_int_equal(sh(h, d->save), 1);
		assert_true(h->out.n > 0);
		setenv(bad[i][0], good, 1);
		free(good);
	}
}

#define LXC_TEST(f) cmocka_unit_test_setup_teardown(f, setup, end_container)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LXC_TEST(lxc_is_made_entered_and_taken_away),
		LXC_TEST(lxc_ends_what_a_stopped_run_left_inside),
		LXC_TEST(lxc_can_write_to_the_root_itself),
		LXC_TEST(lxc_spares_what_it_did_not_make),
		LXC_TEST(lxc_refuses_what_it_cannot_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
