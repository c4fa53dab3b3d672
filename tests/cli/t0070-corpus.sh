#!/bin/sh
# What fuzzing has found and learnt is tried again by every check.
. "$(dirname "$0")/test-lib.sh"

for target in "$TEST_TOP"/tests/fuzz/fuzz_*.c; do
	name=$(basename "$target" .c)
	name=${name#fuzz_}
	seeds=$TEST_TOP/tests/fuzz/corpus/$name
	[ -d "$seeds" ] || continue
	test_expect "$name: all that is kept runs through" '
		find "$seeds" -type f -exec \
			"$TEST_TOP/$BUILD/tests/fuzz/replay_$name" {} + >out ||
			{ tail -n 1 out; false; }
	'
done

test_expect "experiment: all wrong files, and all that are shipped" '
	find "$TEST_TOP/tests/data" "$TEST_TOP/experiments" -name "*.yaml" \
		-exec "$TEST_TOP/$BUILD/tests/fuzz/replay_experiment" {} + >out ||
		{ tail -n 1 out; false; }
'

test_done
