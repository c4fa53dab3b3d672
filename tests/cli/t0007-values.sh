#!/bin/sh
# Values that are computed: what they may not be is told before anything runs.
. "$(dirname "$0")/test-lib.sh"

mkdir -p library/benchmarks
cat >library/benchmarks/deep.yaml <<\EOF
benchmark: deep
params:
  depth: {type: integer, min: 0, max: 10, default: 1}
run: echo "$depth"
responses: {x: {regex: "[0-9]+", uom: s, better: lower}}
EOF
base() {
	cat <<-\EOF
	assay: 1
	experiment: values
	hosts: {here: local}
	factors: {k: [1, 3]}
	design: {replicates: 3, order: {seed: 1}}
	EOF
}

test_expect 'a computed parameter has its type, too' '
	{ base; echo "benchmarks: {b: {use: deep, with: {depth: \"= k * 100\"}}}"; } >e.yaml &&
	expect_exit 2 assay explain e.yaml 1 2>err &&
	expect_line "^assay: e.yaml:6:43: benchmark deep: parameter \"depth\": expected a whole number from 0 to 10, got \"[13]00\"$" err &&
	expect_exit 2 assay run e.yaml >out 2>err &&
	{ base; echo "benchmarks: {b: {use: deep, with: {depth: \"= k * 3\"}}}"; } >e.yaml &&
	assay explain e.yaml 1 depth >out && expect_line "^depth  *[39] " out
'

test_expect 'a level that hides a parameter has its type, too' '
	{ base | sed "s/k: .1, 3./depth: [1, 11]/"; echo "benchmarks: {b: {use: deep}}"; } >e.yaml &&
	expect_exit 2 assay explain e.yaml b/depth=11#1 2>err &&
	expect_line "parameter \"depth\": expected a whole number from 0 to 10, got \"11\"$" err &&
	assay explain e.yaml b/depth=1#1 >out
'

test_expect 'what changes within a run is not computed once' '
	{ base; echo "variables: {r: \"= repeat * 2\"}"; echo "benchmarks: {b: {use: deep}}"; } >e.yaml &&
	expect_exit 2 assay check e.yaml 2>err &&
	expect_line "^e.yaml:6:19: \"repeat\" changes within a run" err
'

test_expect 'a value cannot grow without end' '
	{
		base; echo "variables:"; echo "  v0: xx"
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
			echo "  v$i: \"\${v$((i - 1))}\${v$((i - 1))}\""
		done
		echo "benchmarks: {b: {use: deep}}"
	} >bomb.yaml &&
	expect_exit 2 assay explain bomb.yaml 1 2>err &&
	expect_line "the value of \"v16\" has 131072 bytes; at most 65536 are possible" err
'

test_expect 'a filter may drop all treatments in which a factor exists' '
	{ base | sed "s/k: .1, 3./k: [1, 3], s: [x, y]/; s/replicates/only: {s: {when: {k: 3}}}, exclude: {k: 3}, replicates/"
		echo "benchmarks: {b: {use: deep}}"; } >e.yaml &&
	assay check e.yaml >out 2>err && expect_line "e.yaml: ok: 2 factors, 1 treatment" out
'

test_done
