#!/bin/sh
# Prints the manual page of the file format, with the keys put in.
# usage: ASSAY=build/assay docs/man.sh
set -eu

: "${ASSAY:=build/assay}"
while IFS= read -r line; do
	case $line in
	'.\" keys: '*) "$ASSAY" schema --format=mdoc "${line##* }" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$(dirname "$0")/assay-experiment.5"
