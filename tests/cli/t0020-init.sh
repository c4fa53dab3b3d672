#!/bin/sh
# The experiment that `assay init` writes.
. "$(dirname "$0")/test-lib.sh"

test_expect 'init writes a file that is right' '
	assay init >out &&
	expect_line "^experiment.yaml: written$" out &&
	expect_line "^next: assay run experiment.yaml$" out &&
	assay check experiment.yaml >out 2>err &&
	expect_line "^experiment.yaml: ok: 1 factor, 3 treatments, 1 benchmark, 15 runs on 1 host$" out &&
	[ ! -s err ]
'

test_expect 'init never overwrites' '
	echo mine >experiment.yaml &&
	expect_exit 2 assay init 2>err &&
	expect_line "^assay: experiment.yaml exists and is left as it is" err &&
	[ "$(cat experiment.yaml)" = mine ]
'

test_expect 'init makes the directory' '
	assay init a/b >out && expect_line "^a/b/experiment.yaml: written" out &&
	assay check a/b/experiment.yaml
'

test_expect 'a directory that cannot be made is an error of the environment' '
	touch plain &&
	expect_exit 3 assay init plain/dir 2>err &&
	expect_line "^assay: .*plain" err
'

test_expect 'the local starter runs to a chart' '
	mkdir run && cd run && assay init >out &&
	assay run experiment.yaml >out 2>err && expect_line "^first: 15 runs: 15 ok$" out &&
	assay plot experiment.yaml --format svg >out && [ -s results/*/write-time.svg ]
	found=$?
	cd .. && return $found
'

test_expect 'the pair is right, but for services that cannot run yet' '
	assay init --kind pair pair >out && expect_line "^next: name your hosts in it" out &&
	assay check pair/experiment.yaml >out 2>err &&
	expect_line "experiment.yaml: ok: 2 factors, 6 treatments, 1 benchmark, 30 runs on 2 hosts$" out &&
	! grep -v "service \"iperf\" is planned, but .assay run. cannot do it yet$" err &&
	[ "$(wc -l <err)" -le 1 ] &&
	assay explain pair/experiment.yaml 1 >out &&
	expect_line "^  host       left (role client)" out &&
	expect_line "^  service    iperf on role server" out
'

test_expect 'the storage matrix is right, and what it leaves out is told' '
	assay init --kind=storage storage >out &&
	assay check storage/experiment.yaml >out 2>err &&
	expect_line "experiment.yaml: ok: 3 factors, 21 treatments, 2 benchmarks, 210 runs on 1 host$" out &&
	expect_line "profile quick: ok: .* 28 of 42 runs" out &&
	expect_line "levels occur unequally often" err && [ "$(wc -l <err)" -eq 1 ] &&
	assay plan storage/experiment.yaml >out &&
	expect_line "^  excluded  6 combinations$" out &&
	expect_line "; whole plots by filesystem$" out &&
	expect_line "^  cost      210 runs, 15 changes of filesystem, " out
'

test_expect 'init knows its kinds' '
	expect_exit 2 assay init --kind lokal x 2>err &&
	expect_line "did you mean local?" err && [ ! -e x ]
'

test_expect 'outside of git init says so, inside it does not' '
	assay init one >out &&
	expect_line "^not in a git repository, so that no result will name a commit; to change that: git init .one.$" out &&
	git init -q two && assay init two >out && expect_no_line "git" out
'

test_expect 'of a pair it is said what run cannot do' '
	assay init --kind pair three >out && expect_line "run. cannot start services yet)$" out &&
	expect_line "run. cannot start them yet\.$" three/experiment.yaml
'

test_done
