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

test_expect 'init knows its kinds' '
	expect_exit 2 assay init --kind lokal x 2>err &&
	expect_line "did you mean local?" err && [ ! -e x ]
'

test_done
