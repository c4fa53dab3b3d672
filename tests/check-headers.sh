#!/bin/sh
# Every header compiles alone, and every .c includes its own header first or
# second (so that the header cannot lean on what came before).
set -u
cd "$(dirname "$0")/.." || exit 2
flags="-std=gnu17 -D_GNU_SOURCE -Wall -Wextra -I. -DASSAY_VERSION=\"x\" -DASSAY_DATADIR=\"x\""
flags="$flags $(pkg-config --cflags pangocairo libgit2 gsl libssh2 libuv)"
bad=0
for header in $(git ls-files -co --exclude-standard '*.h'); do
	# shellcheck disable=SC2086
	gcc $flags -fsyntax-only -x c "$header" || {
		echo "$header: does not compile alone"
		bad=1
	}
done
[ $bad -eq 0 ] && echo "headers: each compiles alone"
exit $bad
