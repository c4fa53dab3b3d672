#!/bin/sh
# Platforms to be inside of, set-ups that runs share, warm-ups and repeats,
# over real SSH; and what a killed controller leaves of them.
. "$(dirname "$0")/../cli/test-lib.sh"
. "$TEST_TOP/tests/lab/lab-lib.sh"

lab_start alpha
mkdir -p treatments/box

# A box is a directory, and being inside of it a variable. Each keeps a mark of
# every time it is made.
box() {
	cat >"treatments/box/$1.yaml" <<-YAML
	treatment: box/$1
	doc: A directory to be inside of.
	apply: |
	  echo "make $1" >>"\$log"
	  mkdir "\$work-$1"
	verify: '[ -d "\$work-$1" ]'
	show: echo "$1"
	revert: rm -r "\$work-$1"
	enter: cd "\$work-$1" && inside=$1 exec sh -s
	YAML
}
box wood
box paper

# experiment NAME REPLICATES PAUSE
experiment() {
	cat >"$1.yaml" <<-YAML
	assay: 1
	experiment: $1
	hosts:
	  alpha:
	    ssh: assay-alpha
	    config: lab/ssh_config
	    env: {work: $LAB_WORK-$1, log: $TEST_DIR/$1.log, pause: "$3"}
	factors:
	  compiler: {levels: [gcc, clang], change: hard}
	  box: {use: box, levels: [wood, paper]}
	setups:
	  build:
	    per: [compiler]
	    run: |
	      echo "build \$compiler" >>"\$log"
	      echo "\$compiler" >"\$work-built"
	    check: '[ "\$(cat "\$work-built")" = "\$compiler" ]'
	    clean: rm "\$work-built"
	design: {replicates: $2, order: {kind: as-written}}
	benchmarks:
	  inside:
	    warmup: 1
	    repeats: 3
	    run: |
	      echo "run \$compiler \$box \$inside \$(basename "\$PWD") \$repeat" >>"\$log"
	      sleep "\$pause"
	      echo "{\"rate\": [\$repeat, 1\$repeat]}"
	    timeout: 30s
	    responses:
	      rate: {json: '.rate[]', uom: 1/s, better: higher}
	YAML
}
experiment x 1 0
lab_host_state >before

test_expect 'four runs, each inside of its box' '
	expect_exit 0 assay run x.yaml >run.log 2>&1 &&
	assay status x.yaml --json >status.json &&
	[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 4 ]
'
test_expect 'a set-up is made once for each compiler, a box for each change' '
	grep -v "^run" x.log >made &&
	printf "%s\n" "build gcc" "make wood" "make paper" \
		"build clang" "make wood" "make paper" >wanted &&
	expect_same wanted made
'
test_expect 'one warm-up and three repeats were executed in each run' '
	sed -n "s/^run //p" x.log >runs && : >wanted &&
	for compiler in gcc clang; do
		for box in wood paper; do
			for repeat in 0 1 2 3; do
				echo "$compiler $box $box $(basename "$LAB_WORK")-x-$box $repeat"
			done
		done
	done >wanted && expect_same wanted runs
'
test_expect 'each repeat was a JSON text of its own, warm-ups do not count' '
	assay show x.yaml 1 --raw stdout >raw &&
	[ "$(grep -c "^assay .* repeat [123]$" raw)" = 3 ] &&
	[ "$(grep -c "^assay .* warmup 1$" raw)" = 1 ] &&
	assay analyze x.yaml >analysis 2>&1 && expect_line "rate" analysis
'
test_expect 'the host is as it was found' '
	lab_host_state >after && expect_same before after
'

# A controller that dies leaves the set-up and the box, and one run going.
experiment k 1 0.3
kill_at() {
	"$ASSAY" run k.yaml >kill.log 2>&1 &
	controller=$!
	wait_for 20 grep -qs "$1" k.log
	kill -KILL "$controller" 2>/dev/null
	wait "$controller" 2>/dev/null
	return 0
}
test_expect 'a killed controller leaves its set-up in effect' '
	kill_at "run gcc paper paper .* 2" &&
	[ -e "$LAB_WORK-k-built" ] && [ -d "$LAB_WORK-k-paper" ]
'
test_expect 'restore puts back box and set-up' '
	expect_exit 0 assay restore k.yaml >restore.log 2>&1 &&
	expect_line "box=paper" restore.log &&
	expect_line "build=compiler=gcc" restore.log &&
	lab_host_state >after && expect_same before after
'
test_expect 'the rest is made, with the set-ups it needs' '
	kill_at "run clang wood wood .* 1" &&
	expect_exit 0 assay run k.yaml >rest.log 2>&1 &&
	assay status k.yaml --json >status.json &&
	[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 4 ] &&
	lab_host_state >after && expect_same before after
'
test_expect 'a killed controller costs no second execution' '
	[ "$(grep -c "run clang wood wood .* 1" k.log)" = 1 ] &&
	[ "$(grep -c "run gcc wood" k.log)" = 4 ]
'

test_done
