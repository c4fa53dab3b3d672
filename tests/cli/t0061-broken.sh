#!/bin/sh
# Every wrong file of tests/data/broken: its exact messages, and exit 2.
. "$(dirname "$0")/test-lib.sh"

cp -R "$TEST_TOP/tests/data/broken" . && cd broken || exit 1

# what check says of each file, under its name
: >../messages.txt
: >../wrong
for file in *.yaml; do
	assay check "$file" >../out 2>../err
	status=$?
	[ $status -eq 2 ] && [ ! -s ../out ] || echo "$file: $status" >>../wrong
	{
		sed -n '1s/^# /== /p' "$file"
		cat ../err
	} >>../messages.txt
done

test_expect 'there are at least 60 of them' '
	[ $(ls *.yaml | wc -l) -ge 60 ]
'

test_expect 'each is refused with exit 2 and no word on standard output' '
	cat ../wrong && [ ! -s ../wrong ]
'

test_expect 'each gets exactly the messages that messages.txt holds' '
	diff "$TEST_TOP/tests/data/broken/messages.txt" ../messages.txt
'

test_expect 'each message but those on whole files names file, line and column' '
	! grep -Ev "^(== .*|[0-9]+ problems?|[^:]+:[0-9]+:[0-9]+: .*|[^: ]+: the file is empty.*)$" \
		../messages.txt
'

test_done
