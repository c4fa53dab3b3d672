# Test stories: source this, write `test_expect 'what' 'script'` blocks, end
# with `test_done`. Each file runs in a throw-away directory, kept when it
# fails. Output is TAP.

TEST_NAME=$(basename "$0" .sh)
TEST_TOP=$(cd "$(dirname "$0")/../.." && pwd)
: "${BUILD:=build}"
: "${ASSAY:=$TEST_TOP/$BUILD/assay}"
export ASSAY_DATADIR="$TEST_TOP"
TEST_DIR=$(mktemp -d "${TMPDIR:-/tmp}/assay-$TEST_NAME.XXXXXX")
HOME=$TEST_DIR/home
XDG_CACHE_HOME=$HOME/.cache
LC_ALL=C.UTF-8
GIT_CONFIG_NOSYSTEM=1
export HOME XDG_CACHE_HOME LC_ALL GIT_CONFIG_NOSYSTEM
mkdir -p "$HOME"
git config --file "$HOME/.gitconfig" user.name 'Test Author'
git config --file "$HOME/.gitconfig" user.email test@example.invalid
git config --file "$HOME/.gitconfig" init.defaultBranch main
cd "$TEST_DIR" || exit 2

test_count=0
test_failures=0
test_cleanups=

# A function of its own, so that `return` in a script ends just the script.
test_script() {
	eval "$1"
}

# Runs the script in this shell (so that it can set variables); it passes
# when it returns 0.
test_expect() {
	test_count=$((test_count + 1))
	if test_script "$2" >"$TEST_DIR/.out" 2>&1; then
		echo "ok $test_count - $1"
	else
		test_failures=$((test_failures + 1))
		echo "not ok $test_count - $1"
		sed 's/^/# /' "$TEST_DIR/.out"
		echo "# script: $2"
	fi
}

# test_skip 'what' 'why'
test_skip() {
	test_count=$((test_count + 1))
	echo "ok $test_count - $1 # SKIP $2"
}

# Command to run (in reverse order) at the end, whatever happens.
test_cleanup() {
	test_cleanups="$1
$test_cleanups"
}

# by its name, as a user with assay installed types it
PATH=$(dirname "$ASSAY"):$PATH
export PATH
assay() {
	command "${ASSAY##*/}" "$@"
}

# expect_exit STATUS COMMAND...
expect_exit() {
	expected_status=$1
	shift
	"$@"
	actual_status=$?
	[ $actual_status -eq "$expected_status" ] && return 0
	echo "exit status $actual_status, expected $expected_status: $*"
	return 1
}

# file contains a line that matches the basic regular expression
expect_line() {
	grep -q -- "$1" "$2" && return 0
	echo "no line like '$1' in $2:"
	cat "$2"
	return 1
}

expect_no_line() {
	grep -q -- "$1" "$2" || return 0
	echo "a line like '$1' in $2:"
	cat "$2"
	return 1
}

expect_same() {
	diff -u "$1" "$2"
}

# wait_for SECONDS COMMAND...: polls until it succeeds
wait_for() {
	wait_until=$(($(date +%s) + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		if [ "$(date +%s)" -ge "$wait_until" ]; then
			echo "waited in vain for: $*"
			return 1
		fi
		sleep 0.05
	done
}

test_end() {
	status=$?
	trap - EXIT
	eval "$test_cleanups"
	cd /
	if [ "${test_finished:-0}" = 1 ] && [ $test_failures -eq 0 ]; then
		rm -rf "$TEST_DIR"
		exit 0
	fi
	echo "# kept: $TEST_DIR"
	[ $status -ne 0 ] || status=1
	exit $status
}
trap test_end EXIT
trap 'exit 130' INT TERM

test_done() {
	test_finished=1
	echo "1..$test_count"
	exit 0
}
