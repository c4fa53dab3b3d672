#!/bin/sh
# Every header compiles alone and without a warning, so that none leans on
# what its users happened to include before it.
set -u
cd "$(dirname "$0")/.." || exit 2
packages=$(pkg-config --cflags pangocairo libgit2 gsl libssh2 libuv) || exit 2
bad=0
for header in $(git ls-files -co --exclude-standard '*.h'); do
	# shellcheck disable=SC2086 # $packages are many words
	gcc -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -I. \
		-DASSAY_VERSION='"x"' -DASSAY_DATADIR='"x"' $packages \
		-fsyntax-only -x c "$header" || {
		echo "$header: does not compile alone"
		bad=1
	}
done
[ $bad -eq 0 ] && echo "headers: each compiles alone"
exit $bad
