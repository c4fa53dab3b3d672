#!/bin/sh
# Profiles and tags: the same options on every command.
. "$(dirname "$0")/test-lib.sh"

cat >exp.yaml <<'END'
assay: 1
experiment: exp
hosts: {here: local}
factors:
  size: [1, 2, 3]
design: {replicates: 3, order: {kind: randomized, seed: 7}}
benchmarks:
  write:
    run: 'echo "v=$size"'
    timeout: 5s
    tags: [disk]
    responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}
  copy:
    run: 'echo "v=$size"'
    timeout: 5s
    tags: [memory, slow]
    responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}
charts:
  rate: {kind: bars, benchmark: write, x: size, y: v, interval: ci95}
profiles:
  quick:
    design: {replicates: 2}
    only: {size: [1, 2]}
    tags: disk
  slow: {design: {replicates: 4}}
END
runs() {
	assay plan exp.yaml --json "$@" | jq '.runs | length'
}

test_expect 'a profile changes the plan' '
	[ "$(runs)" -eq 18 ] && [ "$(runs --profile slow)" -eq 24 ] &&
	[ "$(runs --profile quick)" -eq 4 ] &&
	assay plan exp.yaml --profile quick >out &&
	expect_line "^  part      profile quick; " out
'

test_expect 'several go over one another, the last is nearest' '
	[ "$(runs --profile quick --profile slow)" -eq 8 ] &&
	assay plan exp.yaml --profile quick --profile=slow --json | jq -r .subset.profiles >out &&
	[ "$(cat out)" = quick,slow ]
'

test_expect 'tags choose benchmarks' '
	[ "$(runs --tags disk)" -eq 9 ] && [ "$(runs --tags "not slow")" -eq 9 ] &&
	[ "$(runs --tags "disk or memory")" -eq 18 ] &&
	assay plan exp.yaml --tags "not slow" >out && expect_line "^  part      tags not slow$" out
'

test_expect 'what does not exist is told, with what was meant' '
	expect_exit 2 assay plan exp.yaml --profile quikc 2>err &&
	expect_line "quikc.*quick" err &&
	expect_exit 2 assay plan exp.yaml --tags "disk and" 2>err && [ -s err ] &&
	expect_exit 2 assay plan exp.yaml --profile "" 2>err && expect_line "not empty" err
'

test_expect 'check looks at every profile' '
	assay check exp.yaml >out 2>err &&
	expect_line "^exp.yaml: ok: 1 factor, 3 treatments, 2 benchmarks, 18 runs on 1 host$" out &&
	expect_line "^exp.yaml: profile quick: ok: .* 4 of 6 runs " out &&
	expect_line "^exp.yaml: profile slow: ok: .* 24 runs " out &&
	assay check exp.yaml --profile slow >out 2>err && [ "$(wc -l <out)" -eq 1 ] &&
	expect_line " 24 runs " out
'

test_expect 'a profile that is wrong is told with its place and its name' '
	sed "s/design: {replicates: 4}/design: {replicates: none}/" exp.yaml >wrong.yaml &&
	expect_exit 2 assay check wrong.yaml >out 2>err &&
	expect_line "^wrong.yaml:25:31: " err &&
	expect_line "^wrong.yaml: that is with profile slow$" err &&
	expect_line "^wrong.yaml: ok: " out && expect_line "^wrong.yaml: profile quick: ok" out
'

test_expect 'a profile that leaves nothing is told with its name' '
	sed "s/only: {size: \[1, 2\]}/only: {size: [1]}\n    skip: {size: [1]}/" exp.yaml >wrong.yaml &&
	expect_exit 2 assay check wrong.yaml >out 2>err &&
	expect_line "wrong.yaml: profile quick: nothing is left" err
'

test_expect 'run, status and the commands that read take it, and say so' '
	assay run exp.yaml --profile quick >out 2>err &&
	expect_line "^exp: 4 runs: 4 ok$" out &&
	expect_line "status\|analyze exp.yaml --profile=quick" out &&
	[ "$(sqlite3 results/exp.db "SELECT profiles FROM session")" = quick ] &&
	assay status exp.yaml --profile quick >out &&
	expect_line "^4 runs tried in 1 session of profile quick; " out &&
	assay analyze exp.yaml --profile quick >out 2>err &&
	assay plot exp.yaml --profile quick --out figs --format svg >out 2>err &&
	[ -s figs/rate.svg ]
'

cat >part.yaml <<'EOF'
assay: 1
experiment: part
hosts: {here: local}
factors:
  size: [1, 2, 3]
  kind: [a, b]
design: {replicates: 1, order: {kind: as-written}}
benchmarks:
  write: {run: 'echo "v=$size"', responses: {v: {regex: 'v=([0-9]+)'}}}
profiles:
  quick: {factors: {size: [3]}}
  quicker: {factors: {size: [2]}}
EOF

test_expect 'show takes numbers as the plan of its command line has them' '
	assay run part.yaml --profile quick && assay run part.yaml &&
	for part in "" "--profile quick"; do
		for n in 1 2; do
			key=$(assay explain part.yaml $n $part --json | jq -r .key) &&
			assay show part.yaml $n $part >out &&
			expect_line "^$key" out || return 1
		done
	done &&
	expect_exit 2 assay show part.yaml 7 2>err && expect_line "no run .7" err
'

test_expect 'what the campaign has not planned yet is told with its key' '
	assay run part.yaml --store x.db --profile quick &&
	expect_exit 2 assay show part.yaml 2 --store x.db 2>err &&
	expect_line "run 2 of the plan is write/kind=b,size=1#1, which campaign [0-9a-f]* has not planned yet: .assay run part.yaml --store=x.db. makes it$" err &&
	assay show part.yaml write/size=3,kind=a --store x.db >out &&
	expect_line "^write/kind=a,size=3#1" out
'

test_expect 'what a part does not ask for is not said to be gone from the file' '
	assay analyze part.yaml --profile quick >out 2>err &&
	expect_line "^4 recorded runs of treatments that this part of the file (--profile quick) does not ask for are left out\.$" out &&
	assay status part.yaml --profile quick >out && expect_line "^4 .*(--profile quick) does not ask for" out &&
	assay analyze part.yaml >out 2>err && expect_no_line "recorded runs of" out &&
	sed "s/replicates: 1/replicates: 2/; s/quick: {/quick: {design: {replicates: 1}, /" part.yaml >more.yaml &&
	assay run more.yaml -q --store z.db && assay status more.yaml --store z.db --profile quick >out &&
	expect_line "^[0-9]* recorded runs beyond the replicates that this part of the file (--profile quick) asks for are used all the same$" out
'

test_expect 'a number that two parts used is told with both keys' '
	assay run part.yaml --store y.db --profile quick && assay run part.yaml --store y.db --profile quicker &&
	sed "s/echo/echo 1;&/" part.yaml >changed.yaml &&
	campaign=$(assay status part.yaml --store y.db --json | jq -r .campaign) &&
	expect_exit 2 assay show changed.yaml 1 --campaign $campaign --store y.db 2>err &&
	expect_line "2 runs were planned at position 1: name one by its key: write/kind=a,size=3#1, write/kind=a,size=2#1$" err
'

test_expect 'all commands with an experiment have the same options' '
	for command in analyze check explain plan plot report restore run show status table; do
		assay $command --help >out && expect_line "^      --profile=P" out &&
		expect_line "^      --tags=EXPR" out || return 1
	done &&
	for command in explain plan run status; do
		assay $command --help >out && expect_line "^      --only=F=A,B" out &&
		expect_line "^      --skip=F=A,B" out || return 1
	done
'

test_done
