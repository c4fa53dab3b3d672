#!/bin/sh
# Builds every tests/fuzz/fuzz_NAME.c with libFuzzer and the sanitizers, and
# runs each for some seconds on its seeds, tests/fuzz/corpus/NAME/ (and, where
# there is one, with tests/fuzz/NAME.dict). What it finds on the way is kept
# in build/fuzz/corpus/NAME/, what crashes in build/fuzz/crash-NAME-*.
# usage: tests/fuzz/run.sh [SECONDS [NAME...]]
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=${1:-20}
[ $# -eq 0 ] || shift
: "${FUZZ_CC:=clang}"
if ! command -v "$FUZZ_CC" >/dev/null 2>&1; then
	echo "fuzz: $FUZZ_CC is not installed; run: make deps-analyze" >&2
	exit 3
fi

build=build/fuzz
sanitize=address,undefined
cflags="-O1 -g -Wno-format-nonliteral -fno-omit-frame-pointer -fno-sanitize-recover=undefined"
# The Makefile knows how to build each folder, and what to link.
ask() {
	make -s --no-print-directory BUILD=$build \
		--eval "ask: ; @echo \$($1)" ask
}
archives=$(ask ARCHIVES) && libs=$(ask LIBS) || exit 2
mkdir -p $build
make -s -j2 BUILD=$build CC="$FUZZ_CC" \
	CFLAGS="$cflags -fsanitize=fuzzer-no-link,$sanitize" \
	$archives || exit 2

export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
failed=0
fuzz() {
	source=$1
	name=$2
	seeds=tests/fuzz/corpus/$name
	found=$build/corpus/$name
	mkdir -p "$found"
	"$FUZZ_CC" -std=gnu17 -D_GNU_SOURCE -I. -Wall -Wextra $cflags \
		-fsanitize=fuzzer,$sanitize -o "$build/fuzz_$name" "$source" \
		-Wl,--start-group $archives -Wl,--end-group $libs || return 1
	set -- "$found"
	[ ! -d "$seeds" ] || set -- "$@" "$seeds"
	[ ! -f "tests/fuzz/$name.dict" ] ||
		set -- "-dict=tests/fuzz/$name.dict" "$@"
	"$build/fuzz_$name" -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix="$build/crash-$name-" "$@" \
		>"$build/$name.log" 2>&1
}

for source in tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	name=${name#fuzz_}
	if [ $# -gt 0 ]; then
		case " $* " in *" $name "*) ;; *) continue ;; esac
	fi
	if fuzz "$source" "$name"; then
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' \
			"$build/$name.log")
		echo "ok   fuzz $name (${runs:-?} inputs in $seconds s)"
	else
		failed=$((failed + 1))
		echo "FAIL fuzz $name; $build/$name.log:"
		[ ! -f "$build/$name.log" ] || tail -n 40 "$build/$name.log"
	fi
done
[ $failed -eq 0 ]
