#!/bin/sh
. "$(dirname "$0")/../cli/test-lib.sh"
. "$TEST_TOP/tests/lab/lab-lib.sh"
lab_start alpha beta
lab_experiment x.yaml 2 1.5
lab_host_state >before
n=0
# until the last run is being measured
"$ASSAY" run x.yaml >log1 2>&1 & c=$!
wait_for 60 sh -c '[ $(wc -l <measured) -eq 8 ]'
kill -KILL $c 2>/dev/null; wait $c 2>/dev/null
"$ASSAY" run x.yaml >log2 2>&1 & c=$!
wait_for 10 sh -c '[ $(grep -c -i "put back\|restored" log2) -ge 1 ]'; sleep ${GAP:-0.2}
kill -KILL $c 2>/dev/null; wait $c 2>/dev/null
grep -q "beta: put back" log2 && ! grep -q "alpha: put back" log2 && echo "# WINDOW HIT"
test_expect 'final' 'expect_exit 0 assay run x.yaml >log3 2>&1'
test_expect 'clean' 'lab_host_state >after; expect_same before after'
cat log1 log2 log3 | sed 's/^/# /'
test_done
