#!/bin/sh
# The definitions that there are, and everything about one.
. "$(dirname "$0")/test-lib.sh"

# definition KIND NAME KEY...: a definition beside the experiment
definition() {
	file=library/${1}s/$2.yaml
	mkdir -p "$(dirname "$file")"
	{
		echo "$1: $2"
		shift 2
		printf '%s\n' "$@"
	} >"$file"
}

# use NAME: an experiment made of the example of NAME, in `used.yaml`
use() {
	assay library "$1" >text || return 1
	printf '%s\n' 'assay: 1' 'experiment: x' 'hosts: {here: local}' >used.yaml
	kind=$(sed '1s/ .*//; q' text)
	sed '1,/^Example$/d; /^$/,$d; s/^  //' text >example
	case $kind in
	treatment)
		cat example >>used.yaml
		echo "benchmarks: {b: {run: echo 1, responses: {v: {regex: '\\d', uom: s, better: lower}}}}" >>used.yaml
		;;
	benchmark)
		cat example >>used.yaml
		;;
	monitor)
		printf '%s\n' 'benchmarks:' '  b:' '    run: echo 1' \
			"    responses: {v: {regex: '\\d', uom: s, better: lower}}" >>used.yaml
		cat example >>used.yaml
		;;
	esac
	echo 'design: {replicates: 5}' >>used.yaml
}

test_expect 'definitions are listed with what they say of themselves' '
	assay library >out 2>err && [ ! -s err ] &&
	expect_line "^$TEST_TOP/experiments/library\$" out &&
	expect_line "^  treatment  io-scheduler  *The I/O scheduler of a disk: none, mq-deadline" out &&
	expect_line "^  treatment  platform/docker  *A Docker container" out &&
	expect_line "^  benchmark  fio  *fio, one job on one file" out &&
	expect_line "^  monitor    vmstat  *vmstat: processes" out &&
	! grep "\.\$" out
'

test_expect 'those beside an experiment come first, and hide others' '
	definition treatment thp "doc: Mine." "apply: \"true\"" "verify: \"true\"" "revert: \"true\"" &&
	definition treatment platform/toy "doc: A toy." "apply: \"true\"" "verify: \"true\"" "revert: \"true\"" &&
	assay library >out && [ "$(sed -n 1p out)" = library ] &&
	expect_line "^  treatment  platform/toy  *A toy\$" out &&
	expect_line "^  treatment  thp  *Mine\$" out &&
	[ "$(grep -c " thp " out)" -eq 1 ] &&
	mkdir -p elsewhere && (cd elsewhere && assay library >../other) &&
	! grep -q Mine other &&
	: >experiment.yaml && (cd elsewhere && assay library --for ../experiment.yaml >../out) &&
	expect_line "^../library\$" out && expect_line "  thp  *Mine" out
'

test_expect 'everything about one' '
	assay library fio >out && expect_line "^benchmark fio\$" out &&
	expect_line "/benchmarks/fio.yaml\$" out &&
	expect_line "^Needs  *fio\$" out &&
	expect_line "^  iodepth: a whole number of at least 1; default 1\$" out &&
	expect_line "^  rw: one of: read, .*; default randread\$" out &&
	expect_line "^  bandwidth: MiB/s, higher is better\$" out &&
	! grep -q -e --output-format out &&
	assay library io-scheduler >out &&
	expect_line "^Runs as  *root\$" out &&
	expect_line "^  disk: text; must be given\$" out
'

test_expect 'the scripts can be read before they are run as root' '
	assay library io-scheduler --scripts >out &&
	expect_line "^apply\$" out &&
	expect_line "^  printf .*\"\$level\" >\"/sys/block/\$disk/queue/scheduler\"\$" out
'

test_expect 'what a treatment sets for others' '
	assay library storage-driver/dir >out &&
	expect_line "^  docker_run_args: --mount type=bind,src=\${storage_dir}" out
'

test_expect 'a family: all of it' '
	assay library platform >out &&
	[ "$(grep -c "^treatment platform/" out)" -eq 6 ] &&
	expect_line "^treatment platform/toy\$" out
'

test_expect 'the example of every shipped definition is right' '
	for name in $(assay library | sed -n "s/^  [a-z]*  *\([^ ]*\).*/\1/p"); do
		use "$name" && assay check used.yaml >out 2>err || {
			echo "$name:"
			cat used.yaml out err
			return 1
		}
	done
'

test_expect 'JSON has all of it' '
	assay library --json >out &&
	jq -e ".families[] | select(.name == \"platform\") | .levels | index(\"docker\") and index(\"toy\")" out &&
	jq -e ".folders[0] == \"library\"" out &&
	assay library sysctl --json >out &&
	jq -e ".definitions | length == 1" out &&
	jq -e ".definitions[0] | .kind == \"treatment\" and .root and .params[0].required and .params[0].default == null and (.scripts.apply | length > 0)" out &&
	jq -r ".definitions[0].example" out | grep -q "use: sysctl"
'

test_expect 'a name that is none: what was meant, exit 2' '
	expect_exit 2 assay library io-shceduler >out 2>err && [ ! -s out ] &&
	expect_line "there is no definition .io-shceduler.; did you mean .io-scheduler." err &&
	expect_exit 2 assay library teleportation 2>err &&
	expect_line "there is no definition .teleportation.; .assay library. lists them" err &&
	expect_exit 2 assay library --for nowhere.yaml 2>err &&
	expect_line "there is no file nowhere.yaml" err
'

test_expect 'a definition with mistakes: told, the others listed, exit 2' '
	definition treatment broken "params: {n: {type: integer, default: many}}" \
		"apply: \"true\"" "revert: \"true\"" &&
	expect_exit 2 assay library >out 2>err &&
	expect_line "  thp  *Mine" out && ! grep -q broken out &&
	expect_line "^library/treatments/broken.yaml:1:1: .*needs the key \"verify\"" err &&
	expect_line "^library/treatments/broken.yaml:2:38: the default of parameter \"n\": expected a whole number, got \"many\"" err &&
	expect_line "^2 problems\$" err &&
	expect_exit 2 assay library broken >out 2>err && [ ! -s out ] &&
	expect_line "^library/treatments/broken.yaml" err && ! grep -q "there is no" err &&
	rm library/treatments/broken.yaml
'

test_expect 'a bad parameter is told where it is given' '
	printf "%s\n" "assay: 1" "experiment: x" "hosts: {here: local}" \
		"benchmarks:" "  a: {use: fio, with: {iodepth: x, rw: raed, size: 64MB}}" >bad.yaml &&
	expect_exit 2 assay check bad.yaml 2>err &&
	expect_line "^bad.yaml:5:33: benchmark fio: parameter \"iodepth\": expected a whole number of at least 1, got \"x\"\$" err &&
	expect_line "^bad.yaml:5:40: .*did you mean \"read\"?\$" err &&
	expect_line "^bad.yaml:5:52: .*expected a size such as 4096, 64K or 1.5G, got \"64MB\"\$" err
'

test_expect 'dropping a file beside the experiment adds a platform' '
	printf "%s\n" "assay: 1" "experiment: x" "hosts: {here: local}" \
		"factors:" "  platform: {use: platform, levels: [native, toy]}" \
		"benchmarks:" "  a: {use: sysbench-cpu}" >e.yaml &&
	assay check e.yaml >out && expect_line "2 treatments" out &&
	rm library/treatments/platform/toy.yaml &&
	expect_exit 2 assay check e.yaml 2>err &&
	expect_line "^e.yaml:5:46: there is no level \"toy\" in family platform (levels: bwrap, docker, lxc, native, nspawn)\$" err
'

test_done
