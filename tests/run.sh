#!/bin/sh
# Runs unit tests (cmocka, TAP) and stories (tests/cli, tests/lab, TAP), and
# ends with the line "N passed, N failed". Arguments narrow the choice:
# tests/run.sh unit/test_buf cli/t0100-check
set -u
cd "$(dirname "$0")/.." || exit 2
: "${BUILD:=build}"
ASSAY=${ASSAY:-$PWD/$BUILD/assay}
export ASSAY BUILD
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=$PWD/tests/lsan.supp:print_suppressions=0}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
logs=$BUILD/test-logs
rm -rf "$logs"
mkdir -p "$logs"

passed=0
failed=0
skipped=0
wanted() {
	[ -z "$chosen" ] && return 0
	for pattern in $chosen; do
		case $1 in *"$pattern"*) return 0 ;; esac
	done
	return 1
}
chosen=$*

# run NAME COMMAND...: counts its TAP lines; a bad exit with none failed is
# one failure of its own
run() {
	name=$1
	shift
	wanted "$name" || return 0
	log=$logs/$(echo "$name" | tr / -).log
	"$@" >"$log" 2>&1 </dev/null
	status=$?
	# cmocka says "not ok 4 # SKIP name" of a test that was skipped
	skip=$(grep -ciE '^(not )?ok .*# SKIP' "$log")
	ok=$(grep -E '^ok ' "$log" | grep -civE '# SKIP')
	bad=$(grep -E '^not ok ' "$log" | grep -civE '# SKIP')
	if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then
		bad=1
	elif [ $((ok + skip + bad)) -eq 0 ]; then
		bad=1
	fi
	passed=$((passed + ok))
	skipped=$((skipped + skip))
	failed=$((failed + bad))
	if [ "$bad" -gt 0 ]; then
		echo "FAIL $name (exit $status); $log:"
		grep -v '^ok ' "$log" | tail -n 60
	else
		echo "ok   $name ($ok)"
	fi
}

# by their sources: a build folder may hold programs of tests that are gone
for t in tests/unit/test_*.c; do
	t=$(basename "$t" .c)
	run "unit/$t" env CMOCKA_MESSAGE_OUTPUT=TAP "$BUILD/tests/unit/$t"
done
for t in tests/cli/t[0-9]*.sh tests/lab/t[0-9]*.sh; do
	[ -f "$t" ] || continue
	dir=$(basename "$(dirname "$t")")
	run "$dir/$(basename "$t" .sh)" sh "$t"
done

if [ "$skipped" -gt 0 ]; then
	echo "skipped: $skipped (see $logs)"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
