#!/bin/sh
# Designs that are more than a full factorial, from the file to the report.
. "$(dirname "$0")/test-lib.sh"

# experiment NAME: its factors and design from standard input
experiment() {
	{
		cat <<-END
		assay: 1
		experiment: $1
		hosts: {here: local}
		benchmarks:
		  read:
		    run: echo "\${platform:-none} \${storage:-none} \${threads:-0}" | awk '{print "value", 10 * \$3 + length(\$1) + length(\$2)}'
		    timeout: 20s
		    responses: {v: {regex: 'value (.*)', uom: s}}
		  write:
		    run: echo value 7
		    timeout: 20s
		    responses: {v: {regex: 'value (.*)', uom: s}}
		END
		cat
	} >"$1.yaml"
}

test_expect 'two matrices share factors and are not crossed' '
	experiment suite <<-END &&
	factors: {platform: [native, lxc], storage: [dir, zvol], threads: [1, 4]}
	design: {replicates: 3, order: {kind: as-written}}
	matrices:
	  scale: {factors: [platform, threads], benchmarks: read}
	  disks:
	    factors: [platform, storage]
	    benchmarks: write
	    design: {only: {storage: {when: {platform: lxc}}}}
	analysis: {baseline: {platform: native}}
	END
	assay plan suite.yaml --json >plan.json &&
	grep -q "\"treatments\":7" plan.json &&
	assay run suite.yaml --quiet >out 2>err &&
	assay analyze suite.yaml >text &&
	sed -n "/^read v (s)/,/^$/p" text | grep -c "native\|lxc" >counts &&
	sed -n "/^write v (s)/,/^$/p" text | grep -c "native\|lxc" >>counts &&
	printf "4\n3\n" >expected &&
	expect_same expected counts &&
	grep -q "^native *- *3 *7" text &&
	grep -q "^write v, storage=dir: lxc against native, which has no storage: equal" text &&
	! grep "no run that counts" text
'

test_expect 'what is analysed says which levels there are' '
	assay analyze suite.yaml --json >analysis.json &&
	grep -q "{\"levels\":{\"platform\":\"native\",\"storage\":null,\"threads\":null},\"value\":7" analysis.json
'

test_expect 'runs under what another matrix asks for now are foreign' '
	sed "s/factors: \[platform, threads\], benchmarks: read/&, design: {exclude: {threads: 4}}/" suite.yaml >less.yaml &&
	assay analyze less.yaml --store results/suite.db >text &&
	sed -n "/^read v (s)/,/^$/p" text | grep -c "native\|lxc" >counts &&
	echo 2 >expected &&
	expect_same expected counts &&
	grep -q "^6 recorded runs of treatments that the file no longer has are left out" text
'

test_expect 'the report names the kind of each design' '
	experiment part <<-END &&
	factors: {a: [x, y], b: [x, y], c: [x, y]}
	design: {kind: fractional, generators: {c: -a*b}, replicates: 2}
	END
	assay run part.yaml --quiet >out 2>err &&
	assay report part.yaml --out pages >out &&
	grep -q "The design is a regular fraction 2^(3-1) of resolution III (I.*=.*-a.b.c) of 3 factors with 4 treatments, each to be applied 2 times for each of 2 benchmarks: 16 runs on 1 host" pages/*.html &&
	assay report suite.yaml --out suite >out &&
	grep -q "The design of matrix scale is a full factorial of 2 factors with 4 treatments, each to be applied 3 times for each of 1 benchmark. The design of matrix disks is a full factorial of 2 factors with 3 treatments, each to be applied 3 times for each of 1 benchmark; under some levels only there is storage. All together: 21 runs on 1 host\. " suite/*.html
'

test_done
