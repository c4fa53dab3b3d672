#!/bin/sh
# The schema says what the parser says: of all files that are shipped, and of
# those that are wrong.
. "$(dirname "$0")/test-lib.sh"

validate() {
	python3 "$TEST_TOP/tests/schema.py" "$@"
}

test_expect 'there is a schema for each kind of file' '
	assay schema >experiment.json &&
	for kind in treatment benchmark monitor; do
		assay schema $kind >$kind.json || return 1
	done
'

test_expect 'every key of it is described, has an example, and says what it takes' '
	jq -r ".. | .properties? // empty | to_entries[] |
		select((.value | length) < 2 or (.value.description | not)) |
		.key" *.json >bare && cat bare && [ ! -s bare ]
'

test_expect 'every key has an example, with a value that its schema takes' '
	for kind in experiment treatment benchmark monitor; do
		assay schema --format=markdown $kind >$kind.md &&
		validate --examples $kind.json $kind.md >out || return 1
		cat out
		! grep "^bad " out && n=$(sed -n "s/ of .*//p" out) &&
		[ "$n" -ge 8 ] && grep -q "^$n of $n keys" out || return 1
	done
'

test_expect 'all experiments that are shipped pass' '
	validate experiment.json $(find "$TEST_TOP/experiments" -name "*.yaml" \
		-not -path "*/library/*") >out && cat out &&
	! grep -v "^ok " out
'

test_expect 'all definitions that are shipped pass' '
	for kind in treatment benchmark monitor; do
		validate $kind.json $(find "$TEST_TOP/experiments/library/${kind}s" \
			-name "*.yaml") >out || return 1
		cat out
		! grep -v "^ok " out || return 1
	done
'

test_expect 'what assay init writes passes' '
	for kind in local pair storage; do
		assay init --kind=$kind $kind >out || return 1
		validate experiment.json $kind/*.yaml >out && cat out
		! grep -v "^ok " out || return 1
	done
'

# The wrong files that a grammar of keys and shapes can know of; the parser
# refuses them all (t0061).
test_expect 'at least 40 wrong files fail, and just those of the list' '
	cd "$TEST_TOP/tests/data/broken" &&
	validate "$TEST_DIR/experiment.json" *.yaml >"$TEST_DIR/out" &&
	cd "$TEST_DIR" &&
	sed -n "s/^bad \([^:]*\).yaml: .*/\1/p" out >rejected &&
	diff "$TEST_TOP/tests/data/broken/schema.txt" rejected &&
	[ "$(wc -l <rejected)" -ge 40 ]
'

test_done
