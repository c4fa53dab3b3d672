#!/bin/sh
# What `assay plan` shows before anything is run.
. "$(dirname "$0")/test-lib.sh"

assay init . >/dev/null
# two hosts that take turns, two factors, two benchmarks
cat >order.yaml <<'END'
assay: 1
experiment: order
hosts: {alpha: {ssh: a}, beta: {ssh: b}}
roles: {sut: [alpha, beta]}
factors:
  place: [disk, memory]
  block_kib: [4, 64]
design: {replicates: 5, order: {kind: randomized, seed: 20261130}}
benchmarks:
  write: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
  copy: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
END

test_expect 'plan says what, in which order, and how much is recorded' '
	assay plan experiment.yaml >out &&
	expect_line "^first: 1 factor, 3 treatments, 1 benchmark, 15 runs on 1 host$" out &&
	expect_line "^  factor    block_kib: 1, 16, 256$" out &&
	expect_line "^  order     randomized, seed 1 (from the file)$" out &&
	expect_line "^  recorded  none in results/first.db$" out &&
	expect_line "^  time      unknown until runs are recorded$" out &&
	[ "$(grep -c "write/block_kib=[0-9]*#[1-5]" out)" -eq 15 ] && [ ! -e results ]
'

test_expect 'each round has every treatment once' '
	assay plan experiment.yaml --json >plan.json &&
	jq -r ".runs[].key" plan.json >keys && [ "$(wc -l <keys)" -eq 15 ] &&
	[ "$(sort -u keys | wc -l)" -eq 15 ] &&
	[ "$(head -3 keys | sed "s/.*#//" | sort -u)" = 1 ] &&
	[ "$(tail -3 keys | sed "s/.*#//" | sort -u)" = 5 ]
'

test_expect 'the same seed gives the same order, another one another' '
	assay plan experiment.yaml >a && assay plan experiment.yaml >b &&
	expect_same a b &&
	assay plan experiment.yaml --seed 1 --json | jq -r ".runs[].key" >b &&
	expect_same keys b &&
	assay plan experiment.yaml --seed 2 --json | jq -r ".runs[].key" >b &&
	! cmp -s keys b && sort keys >a && sort b >c && expect_same a c
'

test_expect 'an order from a seed does not change with versions' '
	assay plan order.yaml --json --store none.db |
		jq -r ".runs[:5][] | .host + \" \" + .key" >first &&
	cat >expected <<-END &&
	alpha copy/block_kib=64,place=memory#1
	alpha copy/block_kib=64,place=disk#1
	alpha write/block_kib=64,place=memory#1
	alpha copy/block_kib=4,place=memory#1
	alpha copy/block_kib=4,place=disk#1
	END
	expect_same expected first
'

test_expect 'a seed of 64 bits comes back whole' '
	assay plan experiment.yaml --seed 18446744073709551615 --json >out &&
	[ "$(jq -r .seed out)" = 18446744073709551615 ]
'

test_expect 'without a seed in the file one is drawn anew' '
	sed "s/, seed: 1//" experiment.yaml >unseeded.yaml &&
	assay plan unseeded.yaml >out && expect_line "seed [0-9]* (drawn now)" out &&
	assay plan unseeded.yaml --json | jq -r .seed >a &&
	assay plan unseeded.yaml --json | jq -r .seed >b && ! cmp -s a b
'

test_expect '--limit and --all choose how many runs are listed' '
	assay plan order.yaml --store none.db >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 20 ] && expect_line "^... and 20 more (--all)" out &&
	assay plan order.yaml --store none.db --limit 2 >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 2 ] &&
	assay plan order.yaml --store none.db --limit 0 >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 0 ] &&
	assay plan order.yaml --store none.db --all >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 40 ]
'

test_expect 'levels and counts are in the JSON' '
	assay plan order.yaml --store none.db --json >out &&
	[ "$(jq -c "[.experiment, .treatments, .missing, .seconds_left]" out)" = \
		"[\"order\",4,40,null]" ] &&
	[ "$(jq -c ".runs[0] | [.position, .host, .benchmark, .replicate, .levels, .recorded]" out)" = \
		"[1,\"alpha\",\"copy\",1,{\"place\":\"memory\",\"block_kib\":\"64\"},null]" ]
'

test_expect 'run --dry-run shows the same and makes nothing' '
	assay plan experiment.yaml >a && assay run --dry-run experiment.yaml >b &&
	expect_same a b && [ ! -e results ]
'

test_expect 'a store that is none is told, exit 3' '
	echo "not a store" >fake.db &&
	expect_exit 3 assay plan experiment.yaml --store fake.db 2>err &&
	expect_line "^assay: fake.db" err
'

test_expect 'what needs results says how to get them' '
	for command in status analyze plot table report; do
		expect_exit 2 assay $command experiment.yaml 2>err &&
		expect_line "^assay: nothing is recorded in results/first.db yet: .*assay run experiment.yaml" err ||
		return 1
	done
'

test_done
