#!/bin/sh
# File and function sizes: no .c or .h above 600 lines, no function above 80
# lines or a complexity of 15 (pmccabe; switch statements count as one).
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
sources=$(git ls-files -co --exclude-standard '*.c' '*.h')
for file in $sources; do
	lines=$(wc -l <"$file")
	if [ "$lines" -gt 600 ]; then
		echo "size: $file has $lines lines (600 at most): split it by noun"
		bad=1
	fi
done
if command -v pmccabe >/dev/null 2>&1; then
	echo "$sources" | grep '\.c$' | xargs pmccabe |
		awk -F'\t' '
		{ split($6, where, "("); lines = $5 }
		lines > 80 { print "size: " $6 ": " lines " lines (80 at most)"; bad = 1 }
		$1 > 15 { print "size: " $6 ": complexity " $1 " (15 at most)"; bad = 1 }
		END { exit bad }' || bad=1
fi
[ $bad -eq 0 ] && echo "size: files and functions within bounds"
exit $bad
