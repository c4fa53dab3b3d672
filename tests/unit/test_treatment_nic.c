/* The treatments of a network interface, on veth of a namespace. */
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

static const char link_add[] =
	"ip link add v0 numtxqueues 4 numrxqueues 4 type veth peer name v1";

static bool can_veth(struct site *h)
{
	return shf(h, "command -v ethtool && command -v awk && "
		      "unshare -rn sh -c '%s && ethtool -k v0'",
		   link_add) == 0;
}

/* Runs the script `all` where v0 is; /sys is that of the namespace. */
static int with_link(struct site *h, const struct treatment_def *d,
		     const char *all)
{
	write_scripts(h, d);
	return shf(h, "cd %s; cat >all <<'EOF'\n"
		      "mount -t sysfs none /sys && %s || exit 99\n"
		      "export nic=v0 level saved\n%s\nEOF\n"
		      "unshare -rnm sh all", h->dir, link_add, all);
}

static void offloads_go_off_and_on_and_back(void **state)
{
	struct site *h = *state;

	if (!can_veth(h))
		skip();
	assert_int_equal(
		with_link(h, treatment(h, "nic-offload"),
			  "export features='tso gso tx-udp-segmentation'\n"
			  /* one of those that tso stands for is off */
			  "ethtool -K v0 tx-tcp6-segmentation off || exit 1\n"
			  "ethtool -k v0 >before\n"
			  "level=off saved=$(sh save)\n"
			  "! sh verify 2>/dev/null && sh apply && sh apply &&\n"
			  "sh verify && sh show >/dev/null || exit 2\n"
			  "ethtool -k v0 | grep -c "
			  "'^tcp-segmentation-offload: off\\|"
			  "^generic-segmentation-offload: off\\|"
			  "^tx-udp-segmentation: off'\n"
			  "level=on; ! sh verify 2>/dev/null && sh apply &&\n"
			  "sh verify || exit 3\n"
			  "sh revert && ethtool -k v0 | diff before - || exit 4\n"
			  /* others that fall with it come back with it */
			  "features=sg; level=off; sh apply && sh verify || "
			  "exit 5\n"
			  "sh revert && sh revert && ethtool -k v0 | "
			  "diff before -"), 0);
	assert_string_equal(h->out.data, "3");
}

static void offloads_that_cannot_be_are_told(void **state)
{
	struct site *h = *state;

	if (!can_veth(h))
		skip();
	assert_int_equal(
		with_link(h, treatment(h, "nic-offload"),
			  "level=on; export features=lro\n"
			  "sh apply 2>/dev/null && exit 1\n"
			  "sh verify; features=nonsense\n"
			  "sh apply 2>/dev/null && exit 1; sh verify\n"
			  "for nic in '' v9 -h ../x; do sh save && exit 1\n"
			  "done; exit 0"), 0);
	assert_non_null(strstr(h->out.data,
			       "lro of v0 is off [fixed], not on\n"
			       "nonsense of v0 is not there, not on\n"));
	assert_non_null(strstr(h->out.data,
			       "there is no network interface v9\n"));
}

static void queues_are_counted_and_put_back(void **state)
{
	struct site *h = *state;

	if (!can_veth(h) ||
	    shf(h, "unshare -rn sh -c '%s && ethtool -L v0 rx 2'", link_add))
		skip();
	assert_int_equal(
		with_link(h, treatment(h, "nic-queues"),
			  "export queues=rx; ethtool -L v0 rx 3 || exit 1\n"
			  "level=2 saved=$(sh save); echo $saved\n"
			  "! sh verify 2>/dev/null && sh apply && sh apply &&\n"
			  "sh verify && sh show >/dev/null || exit 2\n"
			  "level=9; sh apply 2>/dev/null && exit 3\n"
			  "sh verify\n"
			  "sh revert && sh revert || exit 4\n"
			  "level=3; sh verify || exit 5\n"
			  "queues=combined; sh save && exit 6\n"
			  "queues=rx; level=many; sh save && exit 7\n"
			  "exit 0"), 0);
	assert_string_equal(h->out.data,
			    "3\n"
			    "v0 has 2 rx queues, not 9\n"
			    "v0 has no queues of the kind \"combined\"; "
			    "ethtool -l v0 lists what it has\n"
			    "level \"many\" is no number of queues");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(offloads_go_off_and_on_and_back),
		TEST(offloads_that_cannot_be_are_told),
		TEST(queues_are_counted_and_put_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
