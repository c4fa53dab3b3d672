#!/bin/sh
. "$(dirname "$0")/test-lib.sh"

if ! git -C "$TEST_TOP" rev-parse --git-dir >/dev/null 2>&1; then
	test_skip 'gates' 'not a git work tree'
	test_done
fi

test_expect 'every header compiles alone' '"$TEST_TOP/tests/check-headers.sh"'
test_expect 'folders use only what their layer allows' \
	'cd "$TEST_TOP" && tests/check-layers.sh "$BUILD"'
test_expect 'files and functions stay small' '"$TEST_TOP/tests/check-size.sh"'
test_expect 'no banned call is used' '"$TEST_TOP/tests/check-banned.sh"'

test_done
