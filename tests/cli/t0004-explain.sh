#!/bin/sh
# Who set what, in one run.
. "$(dirname "$0")/test-lib.sh"

mkdir -p library/treatments library/benchmarks
cat >library/treatments/mark.yaml <<'END'
treatment: mark
doc: Nothing.
params:
  where: {doc: a place, default: /tmp/x}
  twice: {doc: a number, default: 4}
apply: "true"
verify: "true"
revert: "true"
END
cat >library/benchmarks/say.yaml <<'END'
benchmark: say
doc: Says something.
params:
  words: {doc: how many, default: 7}
run: echo "v=$words"
timeout: 5s
responses:
  v: {regex: 'v=([0-9]+)', uom: s, better: lower}
END
cat >exp.yaml <<'END'
assay: 1
experiment: exp
hosts:
  alpha: {ssh: a, env: {where: /var/alpha, words: 8}}
  beta: {ssh: b, env: {where: /var/beta}}
roles: {sut: [alpha, beta]}
variables:
  words: 9
  total: = size * 2 + 1
factors:
  place: {use: mark, levels: [disk, memory], change: hard}
  size: [1, 2]
design: {replicates: 2, order: {kind: randomized, seed: 7}}
benchmarks:
  chat: {use: say, with: {words: "= total * 10"}}
END
run='chat/place=disk,size=2#1'

test_expect 'explain shows the run, its host, benchmark and script' '
	assay explain exp.yaml "$run" >out &&
	[ "$(head -n 1 out)" = "$run" ] &&
	expect_line "^  run        [1-8] of 8, round 1, whole plot [1-4] on its host$" out &&
	expect_line "^  host       \(alpha\|beta\) (role sut), exp.yaml:[45]:3$" out &&
	expect_line "^  benchmark  chat (say), exp.yaml:15:3$" out &&
	expect_line "^  script     library/benchmarks/say.yaml:" out &&
	expect_line "^  recorded   no$" out &&
	expect_line "^place *disk *mark *library/treatments/mark.yaml:1:1" out
'

test_expect 'every variable with its layer, place and what is written' '
	expect_line "^size *2 *level *exp.yaml:12:13$" out &&
	expect_line "^place *disk *level *exp.yaml:11:31$" out &&
	expect_line "^total *5 *experiment *exp.yaml:9:10 *= size \* 2 + 1$" out &&
	expect_line "^twice *4 *library *library/treatments/mark.yaml:5:" out &&
	expect_line "^replicate *1 *run *-$" out
'

test_expect 'one variable with the whole chain, nearest first' '
	host=$(assay explain exp.yaml "$run" --json | jq -r .host) &&
	assay explain exp.yaml "$run" words >out &&
	sed -n "3,\$p" out | sed "s/  */ /g" >chain &&
	{
		echo "words 50 benchmark exp.yaml:15:34 = total * 10"
		[ $host = beta ] || echo " hides 8 host exp.yaml:4:51"
		echo " hides 9 experiment exp.yaml:8:10"
	} >wanted && expect_same wanted chain
'

test_expect 'a host variable differs by host' '
	assay explain exp.yaml "$run" --only place=disk where >out &&
	host=$(assay explain exp.yaml "$run" --json | jq -r .host) &&
	expect_line "^where *\/var\/$host *host " out &&
	expect_line "^  hides *\/tmp\/x *library " out
'

test_expect 'a run by its number, and by a treatment: its first run' '
	n=$(assay explain exp.yaml "$run" --json | jq .position) &&
	assay explain exp.yaml "$run" >a && assay explain exp.yaml $n >b && expect_same a b &&
	assay explain exp.yaml place=disk,size=2 >b && expect_same a b
'

test_expect 'factors in any order, without the benchmark or the replicate' '
	assay explain exp.yaml "$run" >a &&
	for name in chat/size=2,place=disk#1 size=2,place=disk#1 chat/size=2,place=disk size=2,place=disk; do
		assay explain exp.yaml $name >b && expect_same a b &&
		assay plan exp.yaml --script $name >c && expect_line "run $run$" c || return 1
	done &&
	[ "$(assay explain exp.yaml size=2,place=disk#2 --json | jq -r .key)" = "chat/place=disk,size=2#2" ] &&
	expect_exit 2 assay explain exp.yaml size=2,place=dsk#1 2>err &&
	expect_line "did you mean .place=disk,size=[12]#1.?" err &&
	for odd in , / "#" "a,,b" "=,=" "x/" "#1"; do
		expect_exit 2 assay explain exp.yaml "$odd" 2>err || return 1
	done
'

test_expect 'JSON has it all' '
	assay explain exp.yaml "$run" words --json >out &&
	[ "$(jq -c "[.key, .benchmark.definition, .script.file, .settings[0].name, .levels]" out)" = \
		"[\"$run\",\"say\",\"library/benchmarks/say.yaml\",\"place\",{\"place\":\"disk\",\"size\":\"2\"}]" ] &&
	[ "$(jq -c ".variables | length" out)" -eq 1 ] &&
	[ "$(jq -c ".variables[0] | [.name, .value, .layer, .file, .line, .column, .written]" out)" = \
		"[\"words\",\"50\",\"benchmark\",\"exp.yaml\",15,34,\"= total * 10\"]" ] &&
	[ "$(jq -r ".variables[0].hides[-1].value" out)" = 9 ]
'

test_expect 'what does not exist is told, with what was meant' '
	expect_exit 2 assay explain exp.yaml "chat/place=disk,size=2#3" 2>err &&
	expect_line "there is no run .*did you mean .chat/place=disk,size=2#[12].?" err &&
	expect_exit 2 assay explain exp.yaml place=disk,size=3 2>err &&
	expect_line "did you mean .place=disk,size=[12].?" err &&
	expect_exit 2 assay explain exp.yaml 99 2>err &&
	expect_line "there is no run 99: they go from 1 to 8$" err &&
	expect_exit 2 assay explain exp.yaml 0 2>err &&
	expect_exit 2 assay explain exp.yaml "$run" wrods 2>err &&
	expect_line "no variable .wrods.; did you mean .words.?" err &&
	expect_exit 2 assay explain exp.yaml "$run" nothing_of_it 2>err &&
	expect_line "has no variable" err
'

test_expect 'an order that is drawn anew is said to be so' '
	sed "s/, seed: 7//" exp.yaml >unseeded.yaml &&
	assay explain unseeded.yaml "$run" >out &&
	expect_line "number and host change with every plan" out
'

test_expect 'values that the shell or a terminal would mind stay on their line' '
	sed "s|words: 8|words: \"a\\\\tb\\\\e[31m\"|" exp.yaml >odd.yaml &&
	assay explain odd.yaml 1 >out 2>err || expect_line "odd.yaml" err
	! grep -q "$(printf "\\033")" out err
'

test_expect '--script prints what the run sends, and nothing else' '
	assay plan exp.yaml --script "$run" >out &&
	expect_line "^# host .*: apply place=disk$" out &&
	expect_line "^# host .*: run $run$" out &&
	grep -A60 "^# host .*: run" out | grep -q "words=.*50" &&
	expect_no_line "replicates" out &&
	expect_exit 2 assay plan exp.yaml --script 1 --json 2>err &&
	expect_exit 2 assay plan exp.yaml --script nope 2>err && expect_line "there is no run" err
'

test_expect 'the place of a definition that came with assay is short, whole in JSON' '
	printf "%s\n" "assay: 1" "experiment: shipped" "hosts: {here: local}" "factors: {place: {use: work-dir, levels: [disk]}}" \
		"benchmarks: {m: {use: sysbench-memory}}" "design: {replicates: 1}" >shipped.yaml &&
	assay explain shipped.yaml 1 >out &&
	expect_line "^  script     library: benchmarks/sysbench-memory.yaml:[0-9]*:[0-9]*$" out &&
	expect_line "^place .* library: treatments/work-dir.yaml:1:1$" out &&
	expect_line "^threads .* library: benchmarks/sysbench-memory.yaml:" out &&
	[ "$(awk "length > 120" out | grep -cv "^─\|^ *number and host")" -eq 0 ] &&
	assay explain shipped.yaml 1 --json | jq -r .script.file >file && grep -q "^/.*/benchmarks/sysbench-memory.yaml$" file
'

test_done
