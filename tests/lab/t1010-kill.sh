#!/bin/sh
# Nothing lost, nothing twice, nothing left behind, however often the
# controller is killed.
. "$(dirname "$0")/../cli/test-lib.sh"
. "$TEST_TOP/tests/lab/lab-lib.sh"

lab_start alpha beta
lab_experiment x.yaml 5 0.15
lab_host_state >before

kill_during() {
	"$ASSAY" run x.yaml >"run-$1.log" 2>&1 &
	controller=$!
	# a different instant each time: between 0.2 and 1.1 s
	sleep "$(awk -v i="$1" 'BEGIN { printf "%.2f", 0.2 + (i * 37 % 10) / 11 }')"
	kill -KILL "$controller" 2>/dev/null
	wait "$controller" 2>/dev/null
	return 0
}

test_expect 'assay run is killed ten times' '
	for i in 1 2 3 4 5 6 7 8 9 10; do kill_during $i; done
'
test_expect 'the next run makes what is missing' '
	expect_exit 0 assay run x.yaml
'
test_expect 'the store holds exactly the planned runs, each ok' '
	assay status x.yaml --json >status.json &&
	[ "$(jq -r ".runs | length" status.json)" = 20 ] &&
	[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 20 ] &&
	[ "$(jq -r "[.runs[].key] | unique | length" status.json)" = 20 ]
'
test_expect 'no measured command ran twice' '
	[ "$(wc -l <measured)" -eq 20 ] &&
	[ "$(sort measured | uniq -c | awk "{print \$1}" | sort -u)" = 5 ]
'
test_expect 'both hosts are as they were found' '
	lab_host_state >after &&
	expect_same before after
'
test_expect 'a further run has nothing to do' '
	expect_exit 0 assay run x.yaml >again.log 2>&1 &&
	[ "$(wc -l <measured)" -eq 20 ]
'
test_expect 'restoring after a kill costs no run for good' '
	sed "s/experiment: lab/experiment: restored/" x.yaml >r.yaml &&
	sed -i "s/replicates: 5/replicates: 2/" r.yaml &&
	rm -f measured && { "$ASSAY" run r.yaml >r.log 2>&1 & controller=$!; } &&
	wait_for 10 test -s measured &&
	kill -KILL $controller && { wait $controller; true; } &&
	expect_exit 0 assay restore r.yaml &&
	expect_exit 0 assay run r.yaml &&
	assay status r.yaml --json >status.json &&
	[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 8 ] &&
	lab_host_state >after && expect_same before after
'
test_expect 'Ctrl-C finishes the running command and reverts' '
	rm -f measured && lab_experiment y.yaml 3 0.5 &&
	sed -i "s/experiment: lab/experiment: interrupted/" y.yaml &&
	{ setsid "$ASSAY" run y.yaml >int.log 2>&1 & controller=$!; } &&
	wait_for 10 test -s measured &&
	kill -INT $controller &&
	{ wait $controller; [ $? -eq 130 ]; } &&
	lab_host_state >after && expect_same before after &&
	[ "$(wc -l <measured)" -lt 12 ]
'
test_expect 'the interrupted campaign resumes' '
	expect_exit 0 assay run y.yaml &&
	[ "$(wc -l <measured)" -eq 12 ] &&
	lab_host_state >after && expect_same before after
'

test_done
