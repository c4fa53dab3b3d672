#!/bin/sh
# Static analysis: gcc -fanalyzer, cppcheck, clang-tidy, shellcheck, mandoc
# -Tlint, and the gates. Silent tools mean clean.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
sources=$(git ls-files -co --exclude-standard '*.c' | grep -v '^tests/')
pkg="$(pkg-config --cflags pangocairo libgit2 gsl libssh2 libuv)"

step() {
	echo "analyze: $1"
	shift
	"$@" || bad=1
}

gcc_analyzer() {
	gcc_bad=0
	for file in $sources; do
		# shellcheck disable=SC2086
		gcc -std=gnu17 -D_GNU_SOURCE -I. -DASSAY_VERSION='"0"' \
			-DASSAY_DATADIR='"/usr"' $pkg -O1 -Wall -Wextra \
			-Wshadow -fanalyzer -Werror -c -o /dev/null "$file" ||
			gcc_bad=1
	done
	return $gcc_bad
}

cpp_check() {
	# shellcheck disable=SC2086
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 -j2 \
		--enable=warning,performance,portability \
		--suppressions-list=tests/cppcheck.supp -D_GNU_SOURCE -I. \
		-DASSAY_VERSION='"0"' -DASSAY_DATADIR='"/usr"' $sources
}

clang_tidy() {
	# shellcheck disable=SC2086
	echo $sources | tr ' ' '\n' | xargs -P2 -n8 sh -c '
		pkg=$1; shift
		clang-tidy --quiet "$@" -- -std=gnu17 -D_GNU_SOURCE -I. \
			-DASSAY_VERSION="\"0\"" -DASSAY_DATADIR="\"/usr\"" $pkg \
			2>/dev/null' sh "$pkg" >"$log" || { cat "$log"; return 1; }
	! grep -E 'warning:|error:' "$log"
}

shell_check() {
	# shellcheck disable=SC2046
	shellcheck -x -s sh -e SC2016,SC1091,SC2317,SC2034,SC2086 $(git ls-files -co --exclude-standard '*.sh')
}

log=$(mktemp)
step 'gcc -fanalyzer' gcc_analyzer
step cppcheck cpp_check
step clang-tidy clang_tidy
step shellcheck shell_check
for gate in check-headers check-size check-banned; do
	step $gate tests/$gate.sh
done
if [ -n "$(git ls-files -co --exclude-standard 'docs/*.5' 'docs/*.7')" ]; then
	# shellcheck disable=SC2046
	step 'mandoc -Tlint' mandoc -Tlint -Wwarning $(git ls-files -co --exclude-standard 'docs/*.[57]')
fi
rm -f "$log"
[ $bad -eq 0 ] && echo "analyze: clean"
exit $bad
