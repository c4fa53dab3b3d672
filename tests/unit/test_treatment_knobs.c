/* Treatments that set one thing of a running kernel: thp, tcp-congestion,
 * read-ahead, cpu-governor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchestrate/spec/treatment_def.h"
#include "tests/unit/treatment_site.h"

/* Writes what is in effect already: the machine stays as it is. */
static void thp_reads_writes_and_refuses(void **state)
{
	struct site *h = *state;
	const struct treatment_def *d = treatment(h, "thp");
	const char *other;

	if (sh(h, "[ -w /sys/kernel/mm/transparent_hugepage/enabled ]"))
		skip();
	save(h, d);
	other = strcmp(getenv("saved"), "never") ? "never" : "always";
	apply(h, d, getenv("saved"));
	assert_int_equal(sh(h, d->verify), 0);
	assert_int_equal(sh(h, d->show), 0);
	assert_non_null(strstr(h->out.data, "enabled: "));
	setenv("level", other, 1);
	assert_int_equal(sh(h, d->verify), 1);
	assert_non_null(strstr(h->out.data, other));
	setenv("level", "sometimes", 1);
	assert_int_not_equal(sh(h, d->apply), 0);
	assert_int_equal(sh(h, d->revert), 0);
	save(h, d);
}

static void tcp_congestion_sets_reads_back_and_restores(void **state)
{
	struct site *h = *state;

	if (sh(h, "unshare -rn true"))
		skip();
	write_scripts(h, treatment(h, "tcp-congestion"));
	assert_int_equal(
		shf(h, "cd %s; cat >all <<'EOF'\n"
		       "file=/proc/sys/net/ipv4/tcp_congestion_control\n"
		       "before=$(cat $file)\n"
		       "export level=reno saved\n"
		       "[ $before != reno ] || level=cubic\n"
		       "saved=$(sh save) && ! sh verify 2>/dev/null &&\n"
		       "sh apply && sh apply && sh verify && sh show || exit 1\n"
		       "[ \"$(cat $file)\" = $level ] || exit 1\n"
		       "level=carrier-pigeon\n"
		       "! sh apply && sh revert && sh revert &&\n"
		       "[ \"$(cat $file)\" = \"$before\" ]\n"
		       "EOF\n"
		       "unshare -rn sh all", h->dir), 0);
	assert_non_null(strstr(h->out.data, "congestion control: "));
	assert_non_null(strstr(h->out.data,
			       "the kernel does not take \"carrier-pigeon\""));
}

static void read_ahead_refuses_what_is_no_disk_and_no_number(void **state)
{
	static const char *const bad[][2] = {
		{ "", "4" }, { "/dev/sda", "4" }, { "..", "4" },
		{ "nosuchdisk", "4" }, { "sda", "4k" }, { "sda", "" },
		{ "sda", "-1" },
	};
	struct site *h = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		setenv("disk", bad[i][0], 1);
		setenv("level", bad[i][1], 1);
		assert_int_equal(sh(h, treatment(h, "read-ahead")->save), 1);
		assert_true(h->out.n > 0);
	}
	unsetenv("disk");
}

static void read_ahead_sets_reads_back_and_restores(void **state)
{
	struct site *h = *state;

	if (sh(h, "[ $(id -u) = 0 ]"))
		skip();
	write_scripts(h, treatment(h, "read-ahead"));
	/* 77: there is no loop device to be had */
	switch (shf(h, "cd %s; truncate -s 1M image\n"
		       "loop=$(losetup -f --show image) || exit 77\n"
		       "trap 'losetup -d $loop' EXIT\n"
		       "export disk=${loop#/dev/} level=64 saved\n"
		       "file=/sys/block/$disk/queue/read_ahead_kb\n"
		       "[ -w $file ] || exit 77\n"
		       "before=$(cat $file); [ $before != 64 ] || level=128\n"
		       "saved=$(sh save) && ! sh verify 2>/dev/null &&\n"
		       "sh apply && sh apply && sh verify &&\n"
		       "[ $(cat $file) = $level ] && sh show &&\n"
		       "sh revert && sh revert && [ $(cat $file) = $before ]",
		    h->dir)) {
	case 77:
		skip();
	case 0:
		assert_non_null(strstr(h->out.data, ": 64 KiB"));
		break;
	default:
		fail_msg("%s", h->out.data);
	}
}

/* Copies of the files, where the scripts look for them. */
#define GOVERNORS                                                           \
	"cd %s; cat >all <<'EOF'\n"                                         \
	"mount -t tmpfs none /sys/devices/system/cpu || exit 77\n"          \
	"here=$PWD\n"                                                       \
	"mkdir /sys/devices/system/cpu/cpufreq\n"                           \
	"cd /sys/devices/system/cpu/cpufreq\n"                              \
	"for p in 0:powersave 4:schedutil; do\n"                            \
	"	mkdir policy${p%%:*}\n"                                     \
	"	echo ${p#*:} >policy${p%%:*}/scaling_governor\n"            \
	"	echo performance powersave schedutil "                      \
	">policy${p%%:*}/scaling_available_governors\n"                     \
	"done\n"                                                            \
	"now() { cat policy*/scaling_governor | tr '\\n' ' '; }\n"          \
	"export level=performance saved\n"

static void cpu_governor_sets_all_and_restores_each(void **state)
{
	struct site *h = *state;

	if (sh(h, "unshare -rm true"))
		skip();
	write_scripts(h, treatment(h, "cpu-governor"));
	switch (shf(h, GOVERNORS
		    "saved=$(sh $here/save) || exit 1\n"
		    "! sh $here/verify 2>/dev/null || exit 1\n"
		    "sh $here/apply && sh $here/apply && sh $here/verify &&\n"
		    "now && sh $here/show && sh $here/revert && now\n"
		    "echo $saved\n"
		    "level=turbo; sh $here/save\n"
		    "EOF\nunshare -rm sh all", h->dir)) {
	case 77:
		skip();
	default:
		assert_string_equal(
			h->out.data,
			"performance performance "
			"policy0: governor performance\n"
			"policy4: governor performance\n"
			"powersave schedutil "
			"policy0=powersave policy4=schedutil\n"
			"policy0 knows performance powersave schedutil, not "
			"turbo");
	}
}

static void cpu_governor_says_where_there_is_none(void **state)
{
	struct site *h = *state;

	if (sh(h, "unshare -rm true"))
		skip();
	write_scripts(h, treatment(h, "cpu-governor"));
	assert_int_equal(shf(h, "cd %s; echo 'mount -t tmpfs none "
				"/sys/devices/system/cpu && sh save' >all; "
				"unshare -rm sh all", h->dir), 1);
	assert_string_equal(h->out.data,
			    "this machine's processors have no frequency "
			    "governor (/sys/devices/system/cpu/cpufreq)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(thp_reads_writes_and_refuses),
		TEST(tcp_congestion_sets_reads_back_and_restores),
		TEST(read_ahead_refuses_what_is_no_disk_and_no_number),
		TEST(read_ahead_sets_reads_back_and_restores),
		TEST(cpu_governor_sets_all_and_restores_each),
		TEST(cpu_governor_says_where_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
