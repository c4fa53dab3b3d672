#!/bin/sh
# A part of the plan, chosen on the command line and kept with the campaign.
. "$(dirname "$0")/test-lib.sh"

cat >exp.yaml <<'END'
assay: 1
experiment: exp
hosts: {here: local}
factors:
  place: [disk, memory]
  size: [1, 2]
design: {replicates: 2, order: {kind: randomized, seed: 7}}
benchmarks:
  write: {run: 'echo "v=$size"', timeout: 5s, responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}}
  copy: {run: 'echo "v=$size"', timeout: 5s, responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}}
END

keys() {
	assay plan exp.yaml --json "$@" | jq -r '.runs[] | "\(.position) \(.key)"'
}
keys --all >all

test_expect '--only keeps what has the level, with its number and order' '
	keys --only place=disk >some && grep "place=disk" all >wanted &&
	expect_same wanted some && [ "$(wc -l <some)" -eq 8 ]
'

test_expect 'several levels of one factor add up, several factors must all fit' '
	keys --only place=disk,memory >some && expect_same all some &&
	keys --only place=disk --only place=memory >some && expect_same all some &&
	keys --only place=disk --only size=2 >some &&
	grep "place=disk,size=2" all >wanted && expect_same wanted some
'

test_expect '--skip takes away, --only and --skip of a benchmark too' '
	keys --skip size=1 >some && grep -v "size=1" all >wanted &&
	expect_same wanted some &&
	keys --only benchmark=copy --skip place=memory >some &&
	grep "copy/" all | grep -v memory >wanted && expect_same wanted some
'

test_expect '--replicates takes the first of them, or asks for more' '
	keys --replicates 1 >some && grep "#1$" all >wanted && expect_same wanted some &&
	keys --replicates 3 >some && head -n 16 some >first && expect_same all first &&
	[ "$(wc -l <some)" -eq 24 ]
'

test_expect 'the text says what part it is' '
	assay plan exp.yaml --skip size=2 --only place=memory --replicates 1 >out &&
	expect_line "^exp: 2 factors, 1 treatment, 2 benchmarks, 2 of 16 runs on 1 host$" out &&
	expect_line "^  part      only place=memory; skip size=2; replicates=1$" out &&
	[ "$(assay plan exp.yaml --only size=1 --json | jq -r .subset.narrowing)" = "only size=1" ]
'

test_expect 'what does not exist is told, with what was meant' '
	expect_exit 2 assay plan exp.yaml --only plase=disk 2>err &&
	expect_line "plase.*place" err &&
	expect_exit 2 assay plan exp.yaml --only place=disc 2>err &&
	expect_line "place=disc.*disk" err &&
	expect_exit 2 assay run exp.yaml --skip place 2>err &&
	expect_line "place" err &&
	expect_exit 2 assay plan exp.yaml --replicates 0 2>err
'

test_expect 'a part with nothing in it is told, and begins no campaign' '
	expect_exit 2 assay plan exp.yaml --only place=disk --skip place=disk 2>err &&
	expect_line "^assay: nothing is left of the 16 planned runs" err &&
	expect_exit 2 assay run exp.yaml --only place=disk --skip place=disk 2>err &&
	expect_exit 2 assay run exp.yaml --only place=disc 2>err &&
	expect_exit 2 assay status exp.yaml 2>err && expect_line "nothing is recorded" err
'

test_expect 'run makes that part only, and goes on with the rest later' '
	assay run exp.yaml --only place=disk --only benchmark=write >out 2>err &&
	expect_line "^exp: 4 runs: 4 ok$" out &&
	assay run exp.yaml --replicates 1 >out 2>err && expect_line "^exp: 8 runs: 8 ok$" out &&
	assay run exp.yaml >out 2>err && expect_line "^exp: 16 runs: 16 ok$" out
'

test_expect 'the campaign keeps what was asked for each time' '
	sqlite3 results/exp.db "SELECT coalesce(narrowing, 0) FROM session ORDER BY id" >kept &&
	cat >wanted <<-END &&
	only benchmark=write; only place=disk
	replicates=1
	0
	END
	expect_same wanted kept && [ "$(sqlite3 results/exp.db "SELECT count(*) FROM campaign")" -eq 1 ]
'

test_expect 'positions are those of the whole plan' '
	sqlite3 results/exp.db "SELECT position || \" \" || key FROM run ORDER BY position" >kept &&
	expect_same all kept
'

test_expect 'status and show say with which part runs were made' '
	assay status exp.yaml >out &&
	expect_line "^4 runs tried in 1 session of only benchmark=write; only place=disk$" out &&
	expect_line "^6 runs tried in 1 session of replicates=1$" out &&
	expect_line "^6 runs tried in 1 session of the whole plan$" out &&
	assay show exp.yaml "write/place=disk,size=1#2" >out &&
	expect_line "^attempt 1 on here, .*, asked for with only benchmark=write; only place=disk$" out &&
	[ "$(assay show exp.yaml "write/place=disk,size=1#2" --json | jq -r ".attempts[0].subset.narrowing")" = \
		"only benchmark=write; only place=disk" ] &&
	assay show exp.yaml "copy/place=memory,size=1#2" >out && expect_no_line "asked for with" out
'

test_expect 'status looks at a part' '
	assay status exp.yaml --only size=1 >out &&
	expect_line "^below: 8 of 16 runs, only size=1$" out &&
	expect_line "^all *8 *8 " out && expect_no_line "no longer" out
'

test_expect 'the report says so too, and reading commands take no part' '
	assay report exp.yaml --out page >out 2>err &&
	expect_line "Not all runs were asked for at once: 4 runs tried in 1 session of only benchmark=write" page/*.html &&
	for command in analyze plot table report; do
		expect_exit 2 assay $command exp.yaml --only place=disk 2>err &&
		expect_line "unknown option .--only." err || return 1
	done
'

test_expect 'runs that are left out are not called surplus' '
	assay plan exp.yaml --only size=1 --diff >out && expect_no_line "^- " out &&
	expect_line "^exp: 8 runs of the plan recorded" out
'

test_done
