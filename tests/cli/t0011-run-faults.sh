#!/bin/sh
# What commands do wrong while they are measured, on this machine.
. "$(dirname "$0")/test-lib.sh"

# experiment NAME SCRIPT RESPONSE [TIMEOUT]: one treatment, two runs
experiment() {
	cat >"$1.yaml" <<-END
	assay: 1
	experiment: $1
	hosts: {here: local}
	design: {replicates: 2, order: {kind: as-written}}
	benchmarks:
	  b:
	    run: |
	$(printf '%s\n' "$2" | sed 's/^/      /')
	    timeout: ${4:-20s}
	    responses:
	      v: {$3}
	END
}

test_expect 'a command that fails: its status is the reason, exit 1' '
	experiment fails "echo 1; echo boom >&2; exit 7" "regex: \"[0-9]+\"" &&
	expect_exit 1 assay run fails.yaml >out 2>err &&
	expect_line "^fails: 2 runs: 2 failed$" out &&
	expect_line "b/-#1: failed: .*7" err &&
	assay status fails.yaml --failed >out && [ "$(grep -c "failed: .*7" out)" -eq 2 ] &&
	assay show fails.yaml 1 >out && expect_line "^    boom$" out
'

test_expect 'a failed run is not tried again, and the answer stays negative' '
	expect_exit 1 assay run fails.yaml >out 2>err &&
	expect_line "every run is recorded already" err
'

test_expect '--retry makes them again, a new attempt, and says so ever after' '
	experiment again1 "test -e $TEST_DIR/mended || test \$replicate = 1 || exit 7; echo 4" "regex: \"[0-9]+\"" &&
	sed -i "s/replicates: 2/replicates: 3/; s/test .replicate = 1/test ! -e $(echo "$TEST_DIR" | sed "s,/,\\\\/,g")\/first/; s/echo 4/touch $(echo "$TEST_DIR" | sed "s,/,\\\\/,g")\/first; &/" again1.yaml &&
	expect_exit 1 assay run again1.yaml >out 2>err && expect_line "1 ok, 2 failed" out &&
	expect_line "^  assay run again1.yaml --retry  *make those 2 again$" out &&
	assay run again1.yaml --retry --dry-run >out && expect_line "^--retry would make 2 runs again" out &&
	expect_exit 1 assay run again1.yaml --retry >out 2>err && expect_line "1 ok, 2 failed" out &&
	touch mended && assay run again1.yaml --retry >out 2>err &&
	expect_line "^2 runs that gave no result are made again$" err &&
	expect_line "^again1: 3 runs: 3 ok$" out && expect_no_line retry out &&
	assay run again1.yaml --retry >out 2>err && expect_line "every run is recorded already" err &&
	[ "$(assay status again1.yaml --json | jq -c "[.runs[].attempts]")" = "[1,3,3]" ] &&
	assay status again1.yaml >out && expect_line "^2 runs were made again after" out &&
	assay show again1.yaml 2 >out && expect_line "^3 attempts; the newest" out &&
	expect_line "^  outcome: failed" out && expect_line "^  outcome: ok" out &&
	assay analyze again1.yaml >out && expect_line "^2 runs were made again after .*; only the newest result of each counts\.$" out &&
	assay report again1.yaml --out r >out && expect_line "2 runs were made again after" r/again1.html
'

test_expect 'a retry that was stopped leaves the earlier result in force' '
	experiment again2 "test ! -e $TEST_DIR/slow || sleep 60; exit 7" "regex: \"[0-9]+\"" &&
	expect_exit 1 assay run again2.yaml >out 2>err && touch slow &&
	rm -f err && { "$ASSAY" run again2.yaml --retry >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err && kill -INT $pid &&
	wait_for 10 grep -q "are finished" err && kill -INT $pid && { wait $pid; true; } &&
	assay status again2.yaml >out && expect_line "^all  *2  *0  *2  *0  *0  *0$" out &&
	expect_line "#1: failed: .* (2 attempts)$" out &&
	expect_exit 1 assay run again2.yaml >out 2>err && expect_line "every run is recorded already" err &&
	expect_exit 2 assay run again2.yaml --retry --fresh 2>err && expect_line "choose one" err
'

test_expect 'there is nothing to analyse then, and it says so' '
	expect_exit 0 assay analyze fails.yaml >out &&
	expect_line "left out: 2 failed" out
'

test_expect 'a command that hangs is ended with all its children' '
	experiment hangs "sleep 987 & sleep 987; echo 1" "regex: \"[0-9]+\"" 1s &&
	expect_exit 1 assay run hangs.yaml >out 2>err &&
	expect_line "^hangs: 2 runs: 2 timed out$" out &&
	! pgrep -f "^sleep 987" >/dev/null
'

test_expect 'a flood is cut, head and tail kept, and the run is failed' '
	experiment floods "echo 5 first; yes 0123456789012345678901234567890123456789 | head -c 60000000; echo; echo last" \
		"regex: \"^([0-9]) first\"" &&
	expect_exit 1 assay run floods.yaml >out 2>err &&
	expect_line "^floods: 2 runs: 2 failed$" out &&
	expect_line "failed: its output was cut: the first 1 MiB and the last 64 KiB are kept, so numbers may be missing; print less" err &&
	assay show floods.yaml 1 >show && expect_line "too long: only the first" show &&
	expect_line "^    5 first$" show && expect_line "^    last$" show &&
	assay show floods.yaml 1 --raw stdout >raw 2>err &&
	expect_line "^assay: warning: the output was too long" err &&
	[ "$(wc -c <raw)" -lt 60000000 ] && [ "$(tail -n 1 raw)" = last ]
'

test_expect 'a number cut in half is no number; one byte less is all of it' '
	experiment half "printf \"%1048568s\\\\nv 123456\" x" "regex: \"v ([0-9]+)\"" &&
	expect_exit 1 assay run half.yaml >out 2>err &&
	expect_line "^half: 2 runs: 2 failed$" out && expect_line "failed: its output was cut" err &&
	experiment whole "printf \"%1048568s\\\\nv 12345\" x" "regex: \"v ([0-9]+)\"" &&
	assay run whole.yaml >out 2>err && expect_line "^whole: 2 runs: 2 ok$" out &&
	[ "$(assay show whole.yaml 1 --json | jq -c "[.attempts[0].observations[].value]")" = "[12345]" ]
'

test_expect 'NUL and bytes that are not UTF-8 are kept, and shown harmlessly' '
	experiment bytes "printf \"a\\\\000b\\\\377\\\\033[31m 7\\\\n\"" "regex: \" ([0-9])\"" &&
	assay run bytes.yaml >out 2>err && expect_line "2 runs: 2 ok" out &&
	assay show bytes.yaml 1 --raw stdout >raw &&
	printf "a\000b\377\033[31m 7\n" >expected && cmp raw expected &&
	assay show bytes.yaml 1 >show && expect_line "a␀b�␛\[31m 7" show &&
	assay show bytes.yaml 1 --json | jq -e ".attempts[0].stdout.head" >json
'

test_expect 'a number that is none: what was found is quoted' '
	experiment nan "echo value: twelve" "regex: \"value: (.*)\"" &&
	expect_exit 1 assay run nan.yaml >out 2>err &&
	expect_line "failed: .*twelve" err && expect_line "2 failed" out
'

test_expect 'no number at all, and output that is no JSON' '
	experiment none "echo nothing" "regex: \"[0-9]+\"" &&
	expect_exit 1 assay run none.yaml >out 2>err && expect_line "b/-#1: failed: " err &&
	experiment nojson "echo { oops" "json: .v" &&
	expect_exit 1 assay run nojson.yaml >out 2>err && expect_line "b/-#1: failed: .*JSON" err
'

test_expect 'a program that is not there is told before anything is measured' '
	experiment needs "echo 1" "regex: \"[0-9]\"" &&
	sed -i "s/^    timeout:/    needs: [no-such-program-here]\n&/" needs.yaml &&
	expect_exit 3 assay run needs.yaml >out 2>err &&
	expect_line "^assay: .*here.*no-such-program-here" err &&
	expect_line "2 not made yet" out
'

test_expect 'Ctrl-C: what runs is finished, the rest is left, exit 130, resume' '
	experiment long "sleep 0.5; echo 1" "regex: \"[0-9]\"" &&
	sed -i "s/replicates: 2/replicates: 6/" long.yaml &&
	rm -f err && { "$ASSAY" run long.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#2: started" err &&
	kill -INT $pid && expect_exit 130 wait $pid &&
	expect_line "^assay: interrupted; .*assay run long.yaml. goes on" err &&
	left=$(assay status long.yaml --json | jq ".benchmarks[0].missing") &&
	[ "$left" -ge 1 ] && [ "$left" -le 5 ] &&
	assay run long.yaml >out 2>err && expect_line "^long: 6 runs: 6 ok$" out &&
	[ "$(assay status long.yaml --json | jq "[.runs[] | select(.outcome == \"ok\")] | length")" -eq 6 ] &&
	[ "$(assay status long.yaml --json | jq "[.runs[].attempts] | max")" -le 2 ]
'

test_expect 'Ctrl-C twice stops the command; its run is made again' '
	experiment stop "sleep 60; echo 1" "regex: \"[0-9]\"" &&
	rm -f err && { "$ASSAY" run stop.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err &&
	kill -INT $pid && wait_for 10 grep -q "are finished" err && kill -INT $pid &&
	expect_exit 130 wait $pid && expect_line "b/-#1: stopped" err &&
	[ "$(assay status stop.yaml --json | jq ".benchmarks[0].missing")" -eq 2 ]
'

test_expect 'two runs at once on one store: the second is turned away' '
	experiment busy "sleep 2; echo 1" "regex: \"[0-9]\"" &&
	rm -f err && { "$ASSAY" run busy.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err &&
	expect_exit 3 assay run busy.yaml >out2 2>err2 &&
	expect_line "^assay: .*busy.db" err2 &&
	{ kill -INT $pid; wait $pid; true; }
'

# a treatment on this machine: a file that must be put back
mkdir -p library/treatments
cat >library/treatments/flag.yaml <<'END'
treatment: flag
doc: Writes the level into a file.
params:
  flag: {doc: the file}
levels: [red, blue]
save: cat "$flag"
apply: echo "$level" >"$flag"
verify: '[ "$(cat "$flag")" = "$level" ]'
show: cat "$flag"
revert: printf "%s\n" "$saved" >"$flag"
END
cat >flag.yaml <<END
assay: 1
experiment: flag
hosts: {here: local}
factors:
  colour: {use: flag, flag: $TEST_DIR/flag, levels: [red, blue]}
design: {replicates: 2, order: {kind: randomized, seed: 3}}
benchmarks:
  b:
    run: 'cat "$TEST_DIR/flag" >&2; echo 1; eval "\$EXTRA"'
    timeout: 20s
    responses: {v: {regex: "[0-9]"}}
END

test_expect 'a setting is applied, verified, kept as evidence, and put back' '
	echo green >flag && assay run flag.yaml >out 2>err &&
	expect_line "^flag: 4 runs: 4 ok$" out && [ "$(cat flag)" = green ] &&
	assay show flag.yaml 1 >show && expect_line "^  apply colour=[a-z]*:$" show &&
	expect_line "^    \(red\|blue\)$" show
'

test_expect 'a jq program that eats the memory fails its run, with settings put back' '
	sed "s/regex: .*/json: \"def f: 1 + f; f\"}}/; s/^experiment: flag/experiment: greedy/" flag.yaml >greedy.yaml &&
	echo green >flag && expect_exit 1 assay run greedy.yaml >out 2>err &&
	expect_line "failed: response .v.: the jq program ran out of memory or crashed" err &&
	expect_line "^greedy: 4 runs: 4 failed$" out && [ "$(cat flag)" = green ]
'

test_expect 'a setting that drifts makes the run invalid' '
	sed "s/^experiment: flag/experiment: drift/; s/eval .*/echo mauve >$(echo "$TEST_DIR" | sed "s,/,\\\\/,g")\/flag'\''/" flag.yaml >drift.yaml &&
	echo green >flag && expect_exit 1 assay run drift.yaml >out 2>err &&
	expect_line "^drift: 4 runs: 4 invalid$" out && [ "$(cat flag)" = green ]
'

test_expect 'the terminal was closed: what runs is finished, the host put back' '
	sed "s/^experiment: flag/experiment: hangup/; s/eval .*/sleep 3'\''/" flag.yaml >hangup.yaml &&
	echo green >flag && rm -f err && { "$ASSAY" run hangup.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err && wait_for 10 grep -vqx green flag &&
	kill -HUP $pid && expect_exit 130 wait $pid &&
	expect_line "^assay: interrupted; .*assay run hangup.yaml. goes on" err &&
	[ "$(cat flag)" = green ] &&
	assay restore hangup.yaml >out && expect_line "^nothing to put back$" out
'

test_expect 'killed without mercy, restore puts the host back' '
	sed "s/^experiment: flag/experiment: killed/; s/eval .*/sleep 3'\''/" flag.yaml >killed.yaml &&
	echo green >flag && rm -f err && { "$ASSAY" run killed.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err && wait_for 10 grep -vqx green flag &&
	kill -KILL $pid && { wait $pid; true; } &&
	assay status killed.yaml >out && expect_line "^not put back yet" out &&
	expect_line "^here: colour=" out &&
	assay restore killed.yaml >out && expect_line "^1 setting put back$" out &&
	[ "$(cat flag)" = green ] &&
	assay restore killed.yaml >out && expect_line "^nothing to put back$" out &&
	expect_exit 2 assay restore killed.yaml hree 2>err &&
	expect_line "^assay: there is no host .hree.; did you mean .here.?" err
'

test_expect 'what no script can put back is forgotten, once it was put back by hand' '
	sed "s/^experiment: flag/experiment: hand/; s/eval .*/sleep 3'\''/" flag.yaml >hand.yaml &&
	echo green >flag && rm -f err && { "$ASSAY" run hand.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err && wait_for 10 grep -vqx green flag &&
	kill -KILL $pid && { wait $pid; true; } && left=$(cat flag) &&
	expect_exit 2 assay restore hand.yaml hree --forget 2>err &&
	assay restore hand.yaml here --forget >out &&
	expect_line "^here: colour=$left was found as \"green\"$" out &&
	expect_line "^1 setting taken for put back by hand$" out &&
	[ "$(cat flag)" = "$left" ] &&
	assay status hand.yaml >out && ! grep -q "not put back" out &&
	assay restore hand.yaml >out && expect_line "^nothing to put back$" out &&
	assay restore hand.yaml --forget >out && expect_line "^nothing to put back$" out
'

test_expect 'killed without mercy, the next run puts back, collects and goes on' '
	sed "s/^experiment: flag/experiment: again/; s/eval .*/sleep 1; echo x >>$(echo "$TEST_DIR" | sed "s,/,\\\\/,g")\/made'\''/" flag.yaml >again.yaml &&
	rm -f made && echo green >flag &&
	rm -f err && { "$ASSAY" run again.yaml >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: ok" err && wait_for 10 grep -q "1/4 .*: started" err &&
	kill -KILL $pid && { wait $pid; true; } &&
	assay run again.yaml >out 2>err && expect_line "^again: 4 runs: 4 ok$" out &&
	[ "$(cat flag)" = green ] && [ "$(wc -l <made)" -eq 4 ] &&
	assay restore again.yaml >out && expect_line "^nothing to put back$" out
'

test_expect 'hosts that cannot be reached: each is told once, then a short end' '
	sed "s/^experiment: flag/experiment: away/; s/^hosts:.*/hosts: {here: local, near: {address: 127.0.0.1, port: 9, known_hosts: .\\/kh}, far: {address: 127.0.0.1, port: 9, known_hosts: .\\/kh}}\nroles: {sut: [here, near, far]}/; s/replicates: 2/replicates: 3/" \
		flag.yaml >away.yaml && : >kh && echo green >flag &&
	expect_exit 3 assay run away.yaml >out 2>err &&
	expect_line "^warning: host near (127.0.0.1:9): " err &&
	expect_line "^assay: 2 hosts could not be reached (\(near, far\|far, near\)): see above$" err &&
	expect_no_line "near: warning" err
'

test_expect 'an attempt that went on without its controller is collected' '
	experiment kept "touch $TEST_DIR/begun1; until test -e $TEST_DIR/go1; do sleep 0.1; done; echo 1" "regex: \"[0-9]\"" &&
	rm -f err && { "$ASSAY" run kept.yaml >out 2>err & } && pid=$! &&
	wait_for 10 test -e begun1 && kill -KILL $pid && { wait $pid; true; } && touch go1 &&
	assay run kept.yaml >out 2>err &&
	expect_line "^here: b/-#1: collected from an earlier session: ok$" err &&
	expect_no_line "made again" err && expect_line "2 ok" out
'

test_expect 'an attempt whose result is gone is made again, and that is said' '
	experiment gone "echo \$PPID >$TEST_DIR/begun; test -e $TEST_DIR/go || sleep 60; echo 1" "regex: \"[0-9]\"" &&
	rm -f err && { XDG_CACHE_HOME=$TEST_DIR/h2 "$ASSAY" run gone.yaml >out 2>err & } && pid=$! &&
	wait_for 10 test -s begun && kill -KILL $pid $(cat begun) && { wait $pid; true; } &&
	rm -rf h2 && touch go &&
	XDG_CACHE_HOME=$TEST_DIR/h2 assay run gone.yaml >out 2>err &&
	expect_line "^here: b/-#1: begun by an earlier session, but its result is gone.*; made again$" err &&
	expect_no_line "collected" err && expect_line "2 ok" out
'

test_expect 'runs that were lost are missing, and it is said why and how often' '
	experiment lost "test -e $TEST_DIR/cured || kill -KILL \$PPID; echo 1" "regex: \"[0-9]\"" &&
	expect_exit 3 assay run lost.yaml >out 2>err &&
	assay status lost.yaml >out &&
	expect_line "^2 missing (2 of them lost: the runner on the host was killed, or the host.s disk is full); .assay run lost.yaml. makes them again$" out &&
	expect_line "^here: b/-#1: lost: the runner on the host was killed, or the host.s disk is full$" out &&
	expect_exit 3 assay run lost.yaml >out 2>err && expect_exit 3 assay run lost.yaml >out 2>err &&
	expect_line "^  assay status lost.yaml --failed$" out &&
	assay status lost.yaml --failed >out && [ "$(wc -l <out)" -eq 2 ] &&
	expect_line "^here: b/-#2: lost 3 times: the runner on the host was killed, or the host.s disk is full$" out &&
	[ "$(assay status lost.yaml --json | jq -c "[.benchmarks[0].missing, .benchmarks[0].lost]")" = "[2,2]" ] &&
	touch cured && assay run lost.yaml >out 2>err &&
	assay status lost.yaml >out && expect_no_line "them lost" out
'

test_expect 'results where none can be written: which, why, exit 3' '
	experiment nowhere "echo 1" "regex: \"[0-9]\"" && echo file >plain &&
	expect_exit 3 assay run nowhere.yaml --store plain/x.db 2>err &&
	expect_line "^assay: .*plain" err
'

test_expect 'a disk that is full is told, and nothing is lost' '
	experiment full "echo 1; head -c 400000 /dev/urandom" "regex: \"^[0-9]\"" &&
	assay run full.yaml --quiet >out 2>err &&
	sed -i "s/replicates: 2/replicates: 12/" full.yaml &&
	(ulimit -f $(($(du -k results/full.db | cut -f1) * 2 + 1200)) && expect_exit 3 "$ASSAY" run full.yaml >out 2>err) &&
	expect_line "^assay: .*full.db" err &&
	kept=$(assay status full.yaml --json | jq "[.runs[] | select(.outcome == \"ok\")] | length") &&
	[ "$kept" -ge 2 ] && [ "$kept" -lt 12 ] &&
	assay run full.yaml --quiet >out 2>err && expect_line "^full: 12 runs: 12 ok$" out
'

test_done
