#!/bin/sh
# A platform, a storage driver, a RAID level, a scheduler, a NIC driver, a
# kernel and a tool: each is one YAML file beside the experiment.
. "$(dirname "$0")/test-lib.sh"

# definition NAME KIND: the start of a treatment that keeps its level in the
# file $state/KIND
definition() {
	mkdir -p "$(dirname "treatments/$1")"
	echo "treatment: $1"
	sed "s/KIND/$2/g" <<'END'
save: '[ ! -e "$state/KIND" ] && echo none'
apply: echo "$level" >"$state/KIND"
verify: '[ "$(cat "$state/KIND")" = "$level" ]'
show: echo "KIND is $(cat "$state/KIND")"
revert: rm -f "$state/KIND"
END
	cat
}

# add KIND: drops its file; nothing else is done for it
add() {
	mkdir -p treatments/platform treatments/storage-driver treatments/raid \
		treatments/nic-driver treatments/kernel benchmarks
	case $1 in
	platform)
		definition platform/toy platform >treatments/platform/toy.yaml <<'END'
params:
  state: {type: path, doc: what is in effect}
  toy_args: {default: nothing, doc: what storage gives}
enter: |
  echo "entering $level with $toy_args"
  inside=$platform exec sh -s
END
		;;
	storage)
		definition storage-driver/toy storage >treatments/storage-driver/toy.yaml <<'END'
params:
  state: {type: path, doc: what is in effect}
set: {work: "${state}", toy_args: "--on ${state}/${level}"}
END
		;;
	raid)
		definition raid/raid7 raid >treatments/raid/raid7.yaml <<'END'
params: {state: {type: path, doc: what is in effect}}
cost: 3
END
		;;
	scheduler)
		definition toy-scheduler scheduler >treatments/toy-scheduler.yaml <<'END'
params: {state: {type: path, doc: what is in effect}}
levels: [lottery, stride]
END
		;;
	nic)
		definition nic-driver/fast nic >treatments/nic-driver/fast.yaml <<'END'
params: {state: {type: path, doc: what is in effect}}
END
		;;
	kernel)
		definition kernel/patched kernel >treatments/kernel/patched.yaml <<'END'
params: {state: {type: path, doc: what is in effect}}
reboot: true
cost: 5m
END
		;;
	tool)
		cat >benchmarks/toy.yaml <<'END'
benchmark: toy
doc: Tells what is in effect.
params:
  factor: {type: integer, min: 1, default: 2, doc: what it multiplies by}
run: |
  cd "$work" && echo "$(cat nic raid scheduler storage | tr '\n' ' ')inside=${inside:-no}"
  echo "value=$((21 * factor))"
timeout: 10s
responses:
  value: {regex: 'value=(\d+)', uom: ops/s, better: higher}
END
		;;
	esac
}

# experiment NAME [FACTOR]
experiment() {
	cat <<END
assay: 1
experiment: $1
hosts: {here: local}
factors:
  ${2-# no kernel}
  nic: {use: nic-driver, levels: [fast], state: $PWD/state}
  raid: {use: raid, levels: [raid7], state: $PWD/state}
  scheduler: {use: toy-scheduler, levels: [lottery, stride], state: $PWD/state}
  storage: {use: storage-driver, levels: [toy], state: $PWD/state}
  platform: {use: platform, levels: [native, toy], state: $PWD/state}
design: {order: {kind: as-written}}
benchmarks:
  measure: {use: toy}
END
}
mkdir state
experiment x >x.yaml
experiment all "kernel: {use: kernel, change: hard, levels: [patched], state: $PWD/state}" >all.yaml
inside=measure/nic=fast,platform=toy,raid=raid7,scheduler=stride,storage=toy#1
outside=measure/nic=fast,platform=native,raid=raid7,scheduler=stride,storage=toy#1
patched=measure/kernel=patched,${inside#*/}

# missing FILE: what is missing for all.yaml, one line each
missing() {
	expect_exit 2 assay check all.yaml >out 2>err &&
		grep "there is no" err >"$1"
}

test_expect 'each is missing until its file is there, and then is not' '
	missing before || return 1
	[ "$(wc -l <before)" -eq 7 ] || { cat before; return 1; }
	left=7
	for kind in nic raid scheduler storage platform kernel; do
		add $kind && missing after || return 1
		left=$((left - 1))
		[ "$(wc -l <after)" -eq $left ] || { echo $kind; cat err; return 1; }
	done
	add tool && assay check all.yaml >out 2>err &&
	expect_line "6 factors, 4 treatments" out
'

test_expect 'seven files were added, and all are listed' '
	[ "$(find treatments benchmarks -type f | wc -l)" -eq 7 ] &&
	assay library >out &&
	for name in nic-driver/fast raid/raid7 toy-scheduler storage-driver/toy \
		platform/toy kernel/patched; do
		expect_line "^  treatment  $name" out || return 1
	done &&
	expect_line "^  benchmark  toy  *Tells what is in effect\$" out
'

test_expect 'the plan counts the restarts that a kernel costs' '
	assay plan all.yaml >out 2>err && expect_line "4 runs, 2 reboots" out &&
	assay plan all.yaml --json | jq -e ".cost.reboots == 2" &&
	assay plan x.yaml >out && expect_no_line reboot out
'

test_expect 'explain names the file of each' '
	assay explain all.yaml "$patched" >out &&
	for line in "nic  *fast .*treatments/nic-driver/fast.yaml" \
		"raid  *raid7 .*treatments/raid/raid7.yaml" \
		"scheduler  *stride .*treatments/toy-scheduler.yaml" \
		"storage  *toy .*treatments/storage-driver/toy.yaml" \
		"platform  *toy .*treatments/platform/toy.yaml" \
		"kernel  *patched .*treatments/kernel/patched.yaml" \
		"  script  *benchmarks/toy.yaml" \
		"toy_args  *--on $PWD/state/toy .*treatments/storage-driver/toy.yaml"; do
		expect_line "$line" out || return 1
	done
'

test_expect 'plan --script shows what each would do' '
	assay plan all.yaml --script "$patched" >out &&
	for kind in nic raid scheduler storage platform kernel; do
		expect_line "\"\$state/$kind\"" out || return 1
	done &&
	expect_line "entering \$level with \$toy_args" out &&
	expect_line "value=\$((21 \* factor))" out
'

test_expect 'a kernel is not run, and nothing is touched' '
	expect_exit 2 assay run all.yaml >out 2>err &&
	expect_line "restarting the host for treatment .kernel/patched" err &&
	[ -z "$(ls state)" ]
'

test_expect 'all others run, one inside of the other, and are put back' '
	assay run x.yaml >out 2>err && assay status x.yaml >out &&
	expect_line "^all  *4  *4  *0  *0  *0  *0\$" out && [ -z "$(ls state)" ] &&
	assay show x.yaml --raw stdout "$inside" >out &&
	printf "%s\n" "entering toy with --on $PWD/state/toy" \
		"fast raid7 stride toy inside=toy" value=42 >wanted &&
	expect_same wanted out &&
	assay show x.yaml --raw stdout "$outside" >out &&
	printf "%s\n" "fast raid7 stride toy inside=no" value=42 >wanted &&
	expect_same wanted out
'

test_expect 'what was in effect is kept as evidence' '
	assay show x.yaml "$inside" >out &&
	for line in "nic is fast" "raid is raid7" "scheduler is stride" \
		"storage is toy" "platform is toy"; do
		expect_line "$line" out || return 1
	done
'

test_done
