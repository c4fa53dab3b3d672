#!/bin/sh
# The manual pages are made from the command table.
. "$(dirname "$0")/test-lib.sh"

pages="assay $(assay help --commands | sed 's/^/assay-/')"

test_expect 'every page is there, and names itself' '
	mkdir -p man/man1 man/man5 &&
	ASSAY=assay "$TEST_TOP/docs/man.sh" >man/man5/assay-experiment.5 &&
	for page in $pages; do
		assay help --man $page >man/man1/$page.1 &&
		expect_line "^\.Nm $page$" man/man1/$page.1 || return 1
	done
'

if command -v mandoc >/dev/null 2>&1; then
	test_expect 'mandoc has nothing to say about any' '
		mandoc -Tlint -Wwarning man/man5/assay-experiment.5 &&
		for page in $pages; do
			mandoc -Tlint -Wwarning man/man1/$page.1 || return 1
		done
	'
	test_expect 'every option of --help is in the page' '
		for name in $(assay help --commands); do
			mandoc -Tascii man/man1/assay-$name.1 | col -b >page
			assay $name --help | grep -o -- "--[a-z][a-z-]*" | sort -u |
			while read -r option; do
				grep -q -- "$option" page || { echo "$name $option"; return 1; }
			done || return 1
		done
	'
else
	test_skip 'mandoc has nothing to say about any' 'no mandoc'
fi

test_expect 'a full stop is behind what an option does' '
	expect_line "^confidence level of the intervals\.$" man/man1/assay-analyze.1 &&
	expect_line "^show a summary of this page\.$" man/man1/assay-run.1 &&
	expect_line "^the experiment\.$" man/man1/assay-run.1
'

test_expect 'the same source gives the same page' '
	assay help --man assay-run >again && expect_same man/man1/assay-run.1 again
'

test_expect 'a page that does not exist is a fault' '
	expect_exit 2 assay help --man assay-rnu 2>err &&
	expect_line "did you mean .run.?" err &&
	expect_exit 2 assay help --man intro 2>err &&
	expect_line "the pages are assay and assay-COMMAND" err
'

test_done
