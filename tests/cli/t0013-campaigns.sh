#!/bin/sh
# Which campaign a command reads, and which commit a figure names.
. "$(dirname "$0")/test-lib.sh"

git init -q .
printf '*.db*\nresults/\nhome/\nout*\nerr*\n.out\nc/\n' >.gitignore
cat >x.yaml <<'END'
assay: 1
experiment: x
hosts: {here: local}
factors: {mode: [slow, fast]}
design: {replicates: 2, order: {kind: as-written}}
benchmarks:
  b:
    run: case $mode in slow) echo 10 ;; fast) echo 20 ;; esac
    timeout: 20s
    responses: {v: {regex: "[0-9]+", uom: 1/s, better: higher}}
analysis: {baseline: {mode: slow}}
charts: {c: {kind: bars, benchmark: b, x: mode, y: v, interval: ci95}}
tables: {t: {benchmark: b, y: v, rows: [mode], cell: mean-ci95}}
END
git add -A && git commit -qm 'Ask' && first=$(git rev-parse HEAD)
assay run x.yaml --quiet >out 2>err || exit 1
id=$(assay status x.yaml --json | jq -r '.campaign[:8]')
cp x.yaml c.yaml
sed 's/echo 20/echo 30/' c.yaml >x.yaml
git commit -qam 'Ask something else' && second=$(git rev-parse HEAD)

test_expect 'what the file measures now was never run: no figure, and what to do' '
	for command in analyze plot table report; do
		expect_exit 2 assay $command x.yaml >out 2>err && [ ! -s out ] &&
		[ "$(wc -l <err)" -eq 1 ] &&
		expect_line "^assay: x.yaml now measures something else than campaign $id (commit $(echo $first | cut -c1-7)) recorded: make its runs with .*assay run x.yaml., or read the old results with --campaign=$id$" err ||
		return 1
	done && [ ! -e x ]
'

test_expect 'status, plan and show still tell, with a note' '
	assay status x.yaml >out && expect_line "^the file measures something else today" out &&
	assay plan x.yaml >out && expect_line "campaign $id measured something else" out &&
	assay show x.yaml 1 >out && expect_line "outcome: ok" out
'

test_expect 'asked for by name, the old results are read; figures name their commit' '
	assay analyze x.yaml --campaign=$id >out 2>err &&
	expect_line "^assay: warning: x.yaml now measures something else than campaign $id" err &&
	assay plot x.yaml --campaign=$id --format=svg --out c >out 2>err &&
	expect_line "commit=\"$first\"" c/c.svg && expect_no_line "$second" c/c.svg &&
	expect_line "warning" err &&
	assay table x.yaml --campaign=$id --format=markdown >out 2>err &&
	expect_line "$first" out && expect_no_line "$second" out
'

test_expect 'the report lists the file as it was, and says that it changed' '
	assay report x.yaml --campaign=$id --out c >out 2>err &&
	expect_line "The experiment file has changed since" c/x.html &&
	expect_line "echo 20" c/x.html && expect_no_line "echo 30" c/x.html &&
	expect_line "$first" c/x.html && expect_no_line "$second" c/x.html
'

test_expect 'when that commit cannot be read the listing is left out, and said' '
	mkdir plain && cp x.yaml plain && mkdir -p plain/results && cp results/x.db plain/results &&
	(cd plain && GIT_CEILING_DIRECTORIES=$TEST_DIR assay report x.yaml --campaign=$id --out ../c) >out 2>err &&
	expect_line "it is left out" c/x.html && expect_no_line "echo [23]0" c/x.html &&
	expect_line "$first" c/x.html && rm -r plain
'

test_expect 'its runs made, the new campaign is read, and named with the new commit' '
	assay run x.yaml --quiet >out 2>err && expect_line "new campaign" err &&
	assay plot x.yaml --format=svg --out c >out 2>err &&
	expect_line "commit=\"$second\"" c/c.svg && expect_no_line "$first" c/c.svg &&
	assay analyze x.yaml >out && expect_line "fast is 3.000 times faster" out
'

test_expect 'status lists the campaigns when there are several' '
	assay status x.yaml >out &&
	expect_line "^campaigns in results/x.db" out &&
	expect_line "^  $id, begun .*, commit $(echo $first | cut -c1-12), 4 runs recorded$" out &&
	expect_line "^\* [0-9a-f]\{8\}, begun .*, commit $(echo $second | cut -c1-12), 4 runs recorded$" out &&
	[ "$(assay status x.yaml --json | jq -c "[.campaigns[].recorded]")" = "[4,4]" ] &&
	assay status c.yaml --campaign=$id --store results/x.db >out && expect_line "^\* $id" out
'

test_expect 'an edit undone goes on with the old campaign' '
	cp x.yaml new.yaml && cp c.yaml x.yaml && assay plan x.yaml >out &&
	expect_line "recorded  4 of 4 in results/x.db (4 ok; campaign $id)" out &&
	assay run x.yaml >out 2>err && expect_line "going on with campaign $id" err &&
	[ "$(assay status x.yaml --json | jq ".campaigns | length")" -eq 2 ] &&
	assay analyze x.yaml >out && expect_line "fast is 2.000 times faster" out
'

test_expect 'replicates beyond those of the file are used, and said so' '
	sed "s/replicates: 2/replicates: 1/" c.yaml >x.yaml &&
	assay analyze x.yaml >out && expect_line "n = 2 each" out &&
	expect_line "^2 recorded runs beyond the replicates that the file asks for today are used all the same\.$" out &&
	expect_no_line "are left out" out &&
	assay report x.yaml --out c >out 2>err &&
	expect_line "each to be applied 1 time .*" c/x.html &&
	expect_line "2 recorded runs beyond the replicates that the file asks for today are used" c/x.html &&
	cp c.yaml x.yaml
'

test_expect 'advice repeats the program as it was typed when it was a path' '
	"$ASSAY" run x.yaml >out 2>err && expect_line "^  $ASSAY analyze x.yaml$" out &&
	expect_exit 2 "$ASSAY" analyze x.yaml --store no.db 2>err &&
	expect_line "make the runs with .$ASSAY run x.yaml --store=no.db.$" err &&
	expect_exit 2 assay analyze x.yaml --store no.db 2>err &&
	expect_line "make the runs with .assay run x.yaml --store=no.db.$" err
'

test_expect 'two files with one name do not mix' '
	assay analyze new.yaml >out && expect_line "fast is 3.000 times faster" out &&
	assay analyze x.yaml >out && expect_line "fast is 2.000 times faster" out
'

test_expect 'a campaign without results hides none with results' '
	sed "s/case .mode/sleep 60; &/" c.yaml >slow.yaml &&
	rm -f err && { "$ASSAY" run slow.yaml --store empty.db >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err && kill -INT $pid &&
	wait_for 10 grep -q "are finished" err && kill -INT $pid && { wait $pid; true; } &&
	assay run c.yaml --store empty.db --quiet >out 2>err &&
	assay run slow.yaml --store empty.db --dry-run >out 2>err &&
	expect_line "0 of 4 in empty.db" out &&
	assay analyze c.yaml --store empty.db >out && expect_line "fast is 2.000 times faster" out &&
	expect_exit 2 assay analyze slow.yaml --store empty.db 2>err &&
	expect_line "no run is recorded in campaign" err
'

test_expect 'nor does one of the same recipe, begun with --fresh and stopped' '
	sed "s,case .mode,test ! -e $TEST_DIR/wait || sleep 60; &," c.yaml >f.yaml &&
	assay run f.yaml --store fresh.db --quiet >out 2>err && touch wait &&
	rm -f err && { "$ASSAY" run --fresh f.yaml --store fresh.db >out 2>err & } && pid=$! &&
	wait_for 10 grep -q "#1: started" err && kill -INT $pid &&
	wait_for 10 grep -q "are finished" err && kill -INT $pid && { wait $pid; true; } && rm wait &&
	[ "$(assay status f.yaml --store fresh.db --json | jq -c "[.campaigns[].recorded]")" = "[4,0]" ] &&
	assay analyze f.yaml --store fresh.db >out && expect_line "fast is 2.000 times faster" out
'

test_done
