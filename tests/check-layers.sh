#!/bin/sh
# usage: tests/check-layers.sh BUILD
# Includes and link-time symbols follow tests/layers.txt.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build}
rules=tests/layers.txt
bad=0

complain() {
	echo "layers: $*"
	bad=1
}

allowed_for() {
	sed -n "s|^$1: *||p" "$rules"
}

folders=$(sed -n 's/^\([a-z][a-z/]*\):.*/\1/p' "$rules")

# Includes of our own headers.
for folder in $folders; do
	allowed=" $folder plot $(allowed_for "$folder") "
	case $allowed in *'*'*) continue ;; esac
	case $folder in plot/*) ;; *) allowed=" $folder $(allowed_for "$folder") " ;; esac
	for file in "$folder"/*.c "$folder"/*.h; do
		[ -f "$file" ] || continue
		# shellcheck disable=SC2013 # folders have no spaces in their names
		for used in $(sed -n 's/^#include "\(.*\)\/[^/]*"$/\1/p' "$file" | sort -u); do
			case $allowed in
			*" $used "*) ;;
			*) complain "$file includes $used/, which $folder may not use" ;;
			esac
		done
	done
done

# Third-party headers.
sed -n 's/^@ //p' "$rules" >"$build/.layers.tmp"
while read -r header patterns; do
	for file in $(git ls-files -co --exclude-standard '*.c' '*.h' |
			grep -v '^tests/' | xargs grep -l "^#include <$header" 2>/dev/null); do
		found=no
		for pattern in $patterns; do
			# shellcheck disable=SC2254
			case $file in $pattern) found=yes ;; esac
		done
		[ $found = yes ] || complain "$file includes <$header...>"
	done
done <"$build/.layers.tmp"
rm -f "$build/.layers.tmp"

# Symbols: what a folder's archive leaves undefined and we define must be
# defined by a folder it may use.
archive_of() {
	echo "$build/lib$(echo "$1" | tr / -).a"
}
defined=$(mktemp)
for folder in $folders; do
	archive=$(archive_of "$folder")
	[ -f "$archive" ] || continue
	nm -g --defined-only "$archive" 2>/dev/null |
		awk -v f="$folder" 'NF == 3 {print $3, f}'
done | sort -u >"$defined"
for folder in $folders; do
	archive=$(archive_of "$folder")
	[ -f "$archive" ] || continue
	allowed=" $folder $(allowed_for "$folder") "
	nm -g --undefined-only "$archive" | awk 'NF == 2 {print $2}' | sort -u |
		join - "$defined" | while read -r symbol owner; do
		case $allowed in
		*" $owner "*) ;;
		*) echo "layers: $folder calls $symbol() of $owner" ;;
		esac
	done
done >"$defined.bad"
if [ -s "$defined.bad" ]; then
	cat "$defined.bad"
	bad=1
fi
rm -f "$defined" "$defined.bad"
[ $bad -eq 0 ] && echo "layers: as tests/layers.txt says"
exit $bad
