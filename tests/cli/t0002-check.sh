#!/bin/sh
# Every kind of bad file: one clear line with its place, exit 2.
. "$(dirname "$0")/test-lib.sh"

assay init . >/dev/null

# bad FILE LINE: check says exactly one problem, that line, and exit 2
bad() {
	expect_exit 2 assay check "$1" >out 2>err || return 1
	expect_line "$2" err && expect_line '^1 problem$' err && [ ! -s out ]
}

test_expect 'a right file is counted on standard output' '
	assay check experiment.yaml >out 2>err && [ ! -s err ] &&
	[ "$(cat out)" = "experiment.yaml: ok: 1 factor, 3 treatments, 1 benchmark, 15 runs on 1 host" ]
'

test_expect 'the quickstart is right' '
	assay check "$TEST_TOP/experiments/quickstart.yaml" >out &&
	expect_line "quickstart.yaml: ok: [0-9]* factors, .* runs on 2 hosts$" out
'

test_expect 'an unknown key: its place, and what was meant' '
	sed "s/^title:/titel:/" experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:11:1: .*\"titel\".*did you mean \"title\"?"
'

test_expect 'a wrong type: what was expected, what was found' '
	sed "s/replicates: 5/replicates: five/" experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:27:15: .*whole number.*\"five\""
'

test_expect 'a level that the factor does not have' '
	sed "s/baseline: {block_kib: 1}/baseline: {block_kib: 2}/" experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:49:25: .*no level \"2\".*block_kib"
'

test_expect 'a duplicate key: where the first is' '
	sed "s/^title:.*/&\ntitle: Again/" experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:12:1: duplicate key \"title\".*line 11"
'

test_expect 'an empty factor' '
	sed "s/levels: \[1, 16, 256\]/levels: []/; s/baseline: {block_kib: 1}/margin: 2%/; s/^  margin: 5%//" \
		experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:22:13: factor \"block_kib\" has no level"
'

test_expect 'aliases that would grow without end are refused at once' '
	{
		echo "assay: 1"
		echo "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"
		for i in 1 2 3 4 5 6 7 8 9; do
			p=a$((i - 1))
			echo "a$i: &a$i [*$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p]"
		done
	} >bomb.yaml &&
	bad bomb.yaml "^bomb.yaml:[0-9]*:[0-9]*: alias .*too large"
'

test_expect 'a deep nest is refused' '
	{ printf "assay: 1\na: "; head -c 100000 /dev/zero | tr "\0" "["; } >deep.yaml &&
	expect_exit 2 assay check deep.yaml 2>err && expect_line "^deep.yaml:" err
'

test_expect 'a file of 10 MB is not read' '
	{ cat experiment.yaml; head -c 10485760 /dev/zero | tr "\0" "#"; } >big.yaml &&
	bad big.yaml "^big.yaml: .*at most 1 MiB"
'

test_expect 'bytes that are not UTF-8: which, and where' '
	{ cat experiment.yaml; printf "# \377\n"; } >bad.yaml &&
	bad bad.yaml "^bad.yaml:57:3: byte 0xff .*not UTF-8"
'

test_expect 'random bytes do no harm' '
	for i in 1 2 3 4 5 6 7 8; do
		head -c 3000 /dev/urandom >random.yaml
		expect_exit 2 assay check random.yaml 2>err || return 1
	done
'

test_expect 'a file that is missing, a directory, a pipe, an empty one' '
	bad none.yaml "^none.yaml: No such file" &&
	bad . "^\.: not a regular file" &&
	mkfifo pipe && bad pipe "^pipe: not a regular file" &&
	: >empty.yaml && bad empty.yaml "^empty.yaml: the file is empty"
'

test_expect 'broken YAML: its place' '
	printf "assay: 1\na: [1\n" >bad.yaml &&
	bad bad.yaml "^bad.yaml:3:1: expected" &&
	printf "assay: 1\n\tx: 1\n" >bad.yaml &&
	bad bad.yaml "^bad.yaml:2:1: a tab cannot indent"
'

test_expect 'a file for a newer assay says so' '
	printf "assay: 2\n" >bad.yaml && bad bad.yaml "newer"
'

test_expect 'a pattern that does not compile: the place of its response' '
	sed "s/(?<value>/(?<value/" experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:40:7: response .time.: not a regular expression" &&
	sed "s/regex: .*/json: \".[0\"/" experiment.yaml >bad.yaml &&
	bad bad.yaml "^bad.yaml:40:7: response .time.: not a jq program"
'

test_expect 'a report template that is nowhere, and one that is no file' '
	{ cat experiment.yaml; echo "report: {template: nope}"; } >bad.yaml &&
	bad bad.yaml "^bad.yaml:57:20: there is no report template .nope. (looked for report-templates/nope.html" &&
	expect_exit 2 assay run bad.yaml 2>err && expect_line "^bad.yaml:57:20: " err &&
	[ ! -e results ] &&
	sed "s/nope/\/dev\/zero/" bad.yaml >zero.yaml &&
	bad zero.yaml "^zero.yaml:57:20: /dev/zero: not a regular file" &&
	sed "s/^title:/titel:/" bad.yaml >both.yaml &&
	expect_exit 2 assay check both.yaml 2>err && expect_line "^2 problems$" err &&
	mkdir -p report-templates && echo x >report-templates/nope.html &&
	assay check bad.yaml && rm -r report-templates
'

test_expect 'a language that a report cannot be in' '
	{ cat experiment.yaml; echo "report: {languages: [xx]}"; } >bad.yaml &&
	bad bad.yaml "^bad.yaml:57:22: language .xx. is not supported yet"
'

test_expect 'a definition that is nowhere' '
	sed "s/^  block_kib:/&\n    use: work-dri/" experiment.yaml >bad.yaml &&
	expect_exit 2 assay check bad.yaml 2>err &&
	expect_line "^bad.yaml:21:10: .*work-dri.*did you mean" err
'

test_expect 'all problems in one pass, in the order of the file' '
	sed "s/^title:/titel:/; s/replicates: 5/replicates: 0/; s/x: block_kib/x: block/" \
		experiment.yaml >bad.yaml &&
	expect_exit 2 assay check bad.yaml 2>err &&
	expect_line "^3 problems$" err &&
	cut -d: -f2 err | sed "\$d" >lines && sort -n lines >sorted &&
	expect_same lines sorted && [ "$(wc -l <lines)" -eq 3 ]
'

test_expect 'a bad pattern is told together with the other problems' '
	sed "s/^title:/titel:/; s/x: block_kib/x: block/; s/(?<value>/(?<value/" \
		experiment.yaml >both.yaml &&
	expect_exit 2 assay check both.yaml 2>err && expect_line "^3 problems$" err &&
	[ "$(sed -n "2s/:.: .*not a regular expression.*//p" err)" = both.yaml:40 ] &&
	expect_line "^both.yaml:11:1: " err
'

test_expect 'several files are all checked' '
	expect_exit 2 assay check experiment.yaml bad.yaml >out 2>err &&
	expect_line "^experiment.yaml: ok" out && expect_line "^3 problems" err
'

test_expect 'the other commands say the same, and touch nothing' '
	assay check bad.yaml 2>expected
	for command in plan run status analyze plot table report restore; do
		expect_exit 2 assay $command bad.yaml 2>err &&
		expect_same expected err || return 1
	done &&
	expect_exit 2 assay show bad.yaml 1 2>err && expect_same expected err &&
	[ ! -e results ]
'

test_expect 'what is measured later is refused as early' '
	sed "s/(?<value>/(?<value/" experiment.yaml >bad.yaml &&
	expect_exit 2 assay run bad.yaml 2>err &&
	expect_line "not a regular expression" err && [ ! -e results ]
'

test_expect 'a library of your own comes before the installed one' '
	mkdir -p mine/treatments && cat >mine/treatments/nothing.yaml <<-END &&
	treatment: nothing
	doc: Does nothing.
	levels: [a, b]
	apply: "true"
	verify: "true"
	revert: "true"
	END
	sed "s/^factors:/&\n  it: {use: nothing, levels: [a, b]}/; s/y: time/&, where: {it: a}/" \
		experiment.yaml >lib.yaml &&
	expect_exit 2 assay check lib.yaml 2>err &&
	ASSAY_LIBRARY=/nowhere:$PWD/mine assay check lib.yaml >out &&
	expect_line "2 factors, 6 treatments" out &&
	mv mine library && assay check lib.yaml >out &&
	expect_line "2 factors, 6 treatments" out
'

test_expect 'a program that was moved finds what was installed with it' '
	mkdir -p moved/bin moved/share/assay &&
	cp "$ASSAY" moved/bin/assay &&
	cp -r "$TEST_TOP/experiments/library" "$TEST_TOP/report-templates" \
		moved/share/assay &&
	cp "$TEST_TOP/experiments/quickstart.yaml" . &&
	env -u ASSAY_DATADIR moved/bin/assay check quickstart.yaml >out &&
	expect_line "^quickstart.yaml: ok" out
'

test_expect 'a filter that drops nothing is told, one that drops something is not' '
	cat >filter.yaml <<-\EOF &&
	assay: 1
	experiment: filter
	hosts: {here: local}
	factors: {t: [1, 2, 4], u: [a, b]}
	design:
	  replicates: 3
	  exclude: ["t > 9", {t: 4, u: b}]
	benchmarks:
	  b: {run: echo 1, responses: {x: {regex: "[0-9]+", uom: s, better: lower}}}
	EOF
	assay check filter.yaml 2>err >out &&
	expect_line "filter.yaml:7:13: this filter drops nothing" err &&
	[ "$(grep -c "drops nothing" err)" = 1 ]
'

test_expect 'levels that wait for a fact of a host are not taken for one' '
	sed "/exclude/d; s/t: .1, 2, 4./t: {range: [1, \"= here.cpus\"], step: 1}/" \
		filter.yaml >facts.yaml &&
	assay check facts.yaml 2>err >out && ! grep "has one level" err &&
	sed "s/t: .1, 2, 4./t: [1]/; /exclude/d" filter.yaml >one.yaml &&
	assay check one.yaml 2>err >out && expect_line "has one level" err
'

cat >types.yaml <<'END'
assay: 1
experiment: types
hosts: {here: local}
variables: {q: "= t * 2"}
factors: {t: [1, abc, def]}
design: {replicates: 2}
benchmarks:
  b: {run: echo 1, responses: {v: {regex: ".+", uom: s, better: lower}}}
  c: {run: echo 1, with: {n: "= 1 / (t - 1)"}, responses: {v: {regex: ".+", uom: s, better: lower}}}
END

test_expect 'what cannot be computed at some level is told at its place, once' '
	expect_exit 2 assay check types.yaml >out 2>err && [ ! -s out ] &&
	expect_line "^types.yaml:4:19: t is .[a-z]*., which is no number$" err &&
	expect_line "^types.yaml:9:38: t " err &&
	expect_line "^2 problems$" err && [ "$(wc -l <err)" -eq 3 ]
'

test_expect 'and a run of it records nothing' '
	expect_exit 2 assay run types.yaml --only t=abc >out 2>err &&
	expect_line "types.yaml:[49]:[0-9]*: t is" err &&
	[ "$(sqlite3 results/types.db "SELECT (SELECT count(*) FROM campaign) + (SELECT count(*) FROM session)")" -eq 0 ] &&
	assay run types.yaml --only t=1 --only benchmark=b >out 2>err &&
	[ "$(sqlite3 results/types.db "SELECT count(*) FROM session")" -eq 1 ] &&
	expect_exit 2 assay run types.yaml >out 2>err &&
	[ "$(sqlite3 results/types.db "SELECT count(*) FROM session")" -eq 1 ]
'

test_done
