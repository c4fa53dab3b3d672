/* The families storage-driver and platform. */
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

static void use_dir(struct site *h)
{
	setenv("storage_dir", h->work, 1);
	setenv("storage_size", "8M", 1);
}

static void dir_is_made_and_taken_away(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "storage-driver/dir");

	use_dir(h);
	save(h, d);
	setenv("level", "dir", 1);
	assert_int_equal(sh(h, d->verify), 1);
	apply(h, d, "dir");
	apply(h, d, "dir");
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->show), 0);
	assert_left(h, "./work ./work/.assay-storage");
	/* in place: what is saved would be our own */
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, "touch \"$storage_dir/result\""), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void dir_spares_what_it_did_not_make(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "storage-driver/dir");

	use_dir(h);
	setenv("level", "dir", 1);
	setenv("saved", "none", 1);
	assert_int_equal(sh(h, "mkdir \"$storage_dir\""), 0);
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->verify), 1);
	assert_int_equal(sh(h, d->revert), 1);
	assert_left(h, "./work");
	assert_int_equal(sh(h, "rmdir \"$storage_dir\" && "
			       "ln -s /etc \"$storage_dir\""), 0);
	assert_int_equal(sh(h, d->apply), 1);
	assert_int_equal(sh(h, d->revert), 1);
	assert_left(h, "./work");
	assert_int_equal(sh(h, "[ -f /etc/passwd ]"), 0);
}

static void dir_cleans_up_an_apply_that_was_killed(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "storage-driver/dir");

	use_dir(h);
	setenv("saved", "none", 1);
	assert_int_equal(sh(h, "mkdir \"$storage_dir.new.abcdef\" "
			       "\"$storage_dir.new.ghijkl\" && echo "
			       "\"$storage_dir\" "
			       ">\"$storage_dir.new.ghijkl/.assay-storage\""),
			 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

static void odd_paths_are_refused(void **state)
{
	static const char *const bad[] = { "", "/", "tmp", "/var/tmp/",
					   "/var/tmp/a b" };
	static const char *const names[] = { "storage-driver/dir",
					     "storage-driver/tmpfs",
					     "storage-driver/overlay" };
	struct site *h = *state;

	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 3; k++) {
			setenv("storage_dir", bad[i], 1);
			assert_int_equal(sh(h, treatment(h, names[k])->save),
					 1);
			assert_true(h->out.n > 0);
		}
}

static void tmpfs_is_mounted_and_taken_away(void **state)
{
	struct site *h = *state;

	if (sh(h, "unshare -rm mount -t tmpfs none /mnt"))
		skip();
	use_dir(h);
	write_scripts(h, treatment(h, "storage-driver/tmpfs"));
	assert_int_equal(
		shf(h, "cd %s; cat >all <<'EOF'\n"
		       "export level=tmpfs saved\n"
		       "saved=$(sh save) && ! sh verify 2>/dev/null &&\n"
		       "sh apply && sh apply && sh verify && sh show &&\n"
		       "! sh save 2>/dev/null &&\n"
		       "touch $storage_dir/result &&\n"
		       "[ $(findmnt -n $storage_dir | wc -l) = 1 ] &&\n"
		       "sh revert && sh revert && [ ! -e $storage_dir ] &&\n"
		       /* somebody else's stays */
		       "mkdir $storage_dir &&\n"
		       "mount -t tmpfs other $storage_dir &&\n"
		       "! sh apply 2>/dev/null && ! sh verify 2>/dev/null &&\n"
		       "! sh revert && findmnt -n -o SOURCE $storage_dir\n"
		       "EOF\n"
		       "unshare -rm sh all", h->dir), 0);
	assert_non_null(strstr(h->out.data, "assay-storage tmpfs"));
	assert_non_null(strstr(h->out.data, "size=8192k"));
	assert_non_null(strstr(h->out.data, "left as it is\nother"));
	assert_int_equal(sh(h, "rmdir \"$storage_dir\""), 0);
}

static void overlay_is_mounted_and_taken_away(void **state)
{
	struct site *h = *state;

	if (shf(h, "cd %s && mkdir l u w m && unshare -rm mount -t overlay "
		   "-o lowerdir=l,upperdir=u,workdir=w none m", h->dir)) {
		shf(h, "cd %s && rm -rf l u w m", h->dir);
		skip();
	}
	assert_int_equal(shf(h, "cd %s && rm -rf u w m && echo old >l/a",
			     h->dir), 0);
	use_dir(h);
	write_scripts(h, treatment(h, "storage-driver/overlay"));
	assert_int_equal(
		shf(h, "cd %s; cat >all <<'EOF'\n"
		       "export level=overlay saved lower_dir=$PWD/l\n"
		       "saved=$(sh save) && ! sh verify 2>/dev/null &&\n"
		       "sh apply && sh apply && sh verify && sh show &&\n"
		       "! sh save 2>/dev/null &&\n"
		       "[ $(findmnt -n $storage_dir | wc -l) = 1 ] &&\n"
		       "! lower_dir=/etc sh verify 2>/dev/null &&\n"
		       "echo new >$storage_dir/a && cat l/a &&\n"
		       "cat $storage_dir.layers/upper/a &&\n"
		       "sh revert && sh revert &&\n"
		       "[ ! -e $storage_dir ] && [ ! -e $storage_dir.layers ] &&\n"
		       /* stopped half-way: directories and no mount */
		       "sh apply && umount $storage_dir &&\n"
		       "! sh verify 2>/dev/null && mkdir work.layers.new.abcdef &&\n"
		       "sh revert && ls -d work* 2>/dev/null;\n"
		       "sh apply && umount $storage_dir && sh apply &&\n"
		       "sh verify && sh revert || exit 1\n"
		       /* somebody else's stays */
		       "mkdir $storage_dir.layers && touch work.layers/mine\n"
		       "! sh save 2>/dev/null && ! sh apply 2>/dev/null &&\n"
		       "! sh revert && ls work.layers\n"
		       "EOF\n"
		       "unshare -rm sh all", h->dir), 0);
	assert_non_null(strstr(h->out.data, "assay-storage overlay"));
	assert_non_null(strstr(h->out.data, "\nold\nnew\n"));
	assert_non_null(strstr(h->out.data, "left as it is\nmine"));
}

/* Runs the script `inside` through the treatment's `enter`. */
static int enter(struct site *h, const struct treatment_def *d,
		 const char *inside)
{
	write_scripts(h, d);
	return shf(h, "cd %s; cat >inside <<'EOF'\n%s\nEOF\nsh enter <inside",
		   h->dir, inside);
}

static void bwrap_is_entered_with_what_storage_gives(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/bwrap");

	if (sh(h, "bwrap --bind / / --unshare-all true"))
		skip();
	use_dir(h);
	setenv("rootfs", "/", 1);
	setenv("bwrap_args", "--tmpfs /mnt --setenv boxed yes", 1);
	assert_int_equal(sh(h, d->save), 0);
	apply(h, d, "bwrap");
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->show), 0);
	assert_int_equal(enter(h, d, "echo $boxed; touch /mnt/x && "
				     "stat -f -c %T /mnt; exit 3"), 3);
	assert_string_equal(h->out.data, "yes\ntmpfs");
	setenv("rootfs", "/nowhere", 1);
	assert_int_equal(sh(h, d->save), 1);
	assert_int_equal(sh(h, d->revert), 0);
	unsetenv("rootfs");
	unsetenv("bwrap_args");
}

static void native_is_nothing(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "platform/native");

	assert_null(d->enter);
	assert_null(d->save);
	apply(h, d, "native");
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->show), 0);
	assert_true(h->out.n > 0);
	assert_int_equal(sh(h, d->revert), 0);
	assert_left(h, "");
}

/* Every platform finds an argument in what the storage beneath it sets. */
static void storage_gives_what_platforms_take(void **state)
{
	static const char *const pairs[][2] = {
		{ "platform/docker", "docker_run_args" },
		{ "platform/nspawn", "nspawn_args" },
		{ "platform/bwrap", "bwrap_args" },
		{ "platform/lxc", "lxc_backing" },
	};
	static const char *const storages[] = { "storage-driver/dir",
						"storage-driver/tmpfs",
						"storage-driver/overlay" };
	struct site *h = *state;

	for (size_t i = 0; i < 4; i++) {
		const struct treatment_def *d = treatment(h, pairs[i][0]);
		const struct parameter *p = parameters_find(
			d->params, d->n_params, pairs[i][1]);

		assert_non_null(p);
		assert_string_equal(p->var.value, "");
		for (size_t k = 0; k < 3; k++) {
			const struct treatment_def *s =
				treatment(h, storages[k]);
			const struct variable *v = variables_find(
				s->set, s->n_set, pairs[i][1]);

			assert_non_null(v);
			assert_non_null(strstr(v->value, "${storage_dir}"));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(dir_is_made_and_taken_away),
		TEST(dir_spares_what_it_did_not_make),
		TEST(dir_cleans_up_an_apply_that_was_killed),
		TEST(odd_paths_are_refused),
		TEST(tmpfs_is_mounted_and_taken_away),
		TEST(overlay_is_mounted_and_taken_away),
		TEST(bwrap_is_entered_with_what_storage_gives),
		TEST(native_is_nothing),
		TEST(storage_gives_what_platforms_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
