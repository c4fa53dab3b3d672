#!/bin/sh
# Prints the reference of all keys; with --update, puts it into
# docs/experiment-file.md.
# usage: ASSAY=build/assay docs/keys.sh [--update]
set -eu

: "${ASSAY:=build/assay}"
page=$(dirname "$0")/experiment-file.md

# A section that is there already is not repeated: links lead to the first.
once() {
	awk '/^### / { skip = seen[$2]++ }
		/^## / { skip = 0 }
		!skip'
}

keys() {
	echo
	"$ASSAY" schema --format=markdown experiment
	for kind in treatment benchmark monitor; do
		printf '\n## %s definitions\n\n' "$(echo $kind | cut -c1 |
			tr '[:lower:]' '[:upper:]')$(echo $kind | cut -c2-)"
		"$ASSAY" schema --format=markdown $kind
	done
}

if [ "${1:-}" = --update ]; then
	keys | once >"$page.keys"
	sed '/^<!-- keys:/q' "$page" | cat - "$page.keys" >"$page.new"
	rm "$page.keys"
	mv "$page.new" "$page"
else
	keys | once
fi
