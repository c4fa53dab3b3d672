#!/bin/sh
# Help, usage faults and the option reader, through the program.
. "$(dirname "$0")/test-lib.sh"

test_expect 'without a command it says what it is, exit 2' '
	expect_exit 2 assay 2>err >out &&
	expect_line "^usage: assay COMMAND" err &&
	expect_line "^  check  *find every mistake" err &&
	[ ! -s out ]
'

test_expect 'help, --help and -h give the overview on standard output' '
	assay help >help && assay --help >long && assay -h >short &&
	expect_same help long && expect_same help short &&
	expect_line "^  run  *make the runs" help
'

test_expect '--version names the program and its version' '
	assay --version >out &&
	grep -qxE "assay [0-9]+\.[0-9]+\.[0-9]+" out
'

test_expect 'the commands are listed in order' '
	assay help --commands >names &&
	LC_ALL=C sort names >sorted && expect_same names sorted &&
	[ "$(wc -l <names)" -ge 13 ]
'

test_expect 'every command explains itself, with an example and see-also' '
	for name in $(cat names); do
		assay $name --help >out &&
		assay help $name >same && expect_same out same &&
		expect_line "^usage: assay $name \[OPTION...\]" out &&
		expect_line "^Example:$" out &&
		expect_line "^See also: assay .*man assay-$name$" out ||
		return 1
	done
'

test_expect 'no line of help is longer than a terminal' '
	for name in $(cat names); do assay $name --help; done >all &&
	assay help >>all &&
	! grep -E "^.{81}" all
'

test_expect 'an unknown command is met with a suggestion, exit 2' '
	expect_exit 2 assay chekc 2>err &&
	expect_line "^assay: there is no command .chekc.; did you mean .check.?$" err &&
	expect_exit 2 assay --jsn 2>err &&
	expect_line "unknown option .--jsn. before the command" err
'

test_expect 'an unknown option is met with a suggestion and the usage' '
	expect_exit 2 assay plan --jsno x.yaml 2>err &&
	expect_line "^assay plan: unknown option .--jsno.; did you mean --json?$" err &&
	expect_line "^usage: assay plan \[OPTION...\] FILE$" err &&
	expect_exit 2 assay plan -z x.yaml 2>err &&
	expect_line "unknown option .-z." err
'

test_expect 'operands are counted and named' '
	expect_exit 2 assay plan 2>err &&
	expect_line "FILE is missing" err &&
	expect_exit 2 assay show a.yaml 2>err &&
	expect_line "RUN is missing" err &&
	expect_exit 2 assay plan a.yaml b.yaml 2>err &&
	expect_line "one operand too many: .b.yaml." err
'

test_expect 'values are checked against their type and range' '
	expect_exit 2 assay plan --seed=-1 x 2>err &&
	expect_line "seed: .-1. is not a whole number from 0 to 18446744073709551615" err &&
	expect_exit 2 assay plan --seed 18446744073709551616 x 2>err &&
	expect_line "is not a whole number" err &&
	expect_exit 2 assay plan --seed= x 2>err &&
	expect_exit 2 assay plan --seed "7 " x 2>err &&
	expect_exit 2 assay plan --seed 0x7 x 2>err &&
	expect_exit 2 assay plan --limit 4294967296 x 2>err &&
	expect_line "from 0 to 4294967295" err &&
	expect_exit 2 assay analyze --level 95 x 2>err &&
	expect_line "level: .95. is not a number from 0.5 to 0.9999" err &&
	expect_exit 2 assay analyze --level nan x 2>err &&
	expect_exit 2 assay plot --format pdf,pgn x 2>err &&
	expect_line ".pgn. is not one of pdf, svg, png; did you mean png?" err &&
	expect_exit 2 assay plot --format pdf, x 2>err &&
	expect_exit 2 assay completion basj 2>err &&
	expect_line "did you mean bash?" err
'

test_expect 'flags take no value, others need one' '
	expect_exit 2 assay plan --json=yes x 2>err &&
	expect_line "json takes no value" err &&
	expect_exit 2 assay plan x --seed 2>err &&
	expect_line "seed needs a value (N)" err &&
	expect_exit 2 assay plan --store= x 2>err &&
	expect_line "store needs a value that is not empty" err
'

test_expect 'a number is read the same in every locale' '
	expect_exit 2 env LC_ALL=de_DE.UTF-8 "$ASSAY" analyze --level 0,9 x 2>err &&
	expect_line "is not a number" err
'

test_expect 'options may follow operands, and -- ends them' '
	assay init . >out &&
	assay plan experiment.yaml --limit=1 >a &&
	assay plan --limit 1 experiment.yaml >b && expect_same a b &&
	assay plan --limit 1 -- experiment.yaml >b && expect_same a b &&
	expect_exit 2 assay plan -- --json 2>err &&
	expect_line "^--json: " err
'

test_expect 'the last of two equal options counts' '
	assay plan experiment.yaml --limit 2 --limit 1 >b && expect_same a b
'

test_expect '--help wins over what is wrong elsewhere' '
	assay plan --limit=1 --help >out && expect_line "^usage: assay plan" out
'

test_expect 'a reader that goes away is no fault, a full disk is one' '
	assay plan experiment.yaml --all | head -n 1 >out &&
	expect_line "^first: " out &&
	if [ -w /dev/full ]; then
		expect_exit 3 assay help 2>err >/dev/full &&
		expect_line "^assay: cannot write to standard output: No space left" err
	fi
'

test_done
