#!/bin/sh
# The whole pipeline on this machine: run, resume, analyse, draw, report.
. "$(dirname "$0")/test-lib.sh"

git init -q .
printf '*.db*\nresults/\nhome/\n.out\n*.log\nout\nerr\n' >.gitignore

# A quick experiment whose numbers are known: 10 or 20, and a little more in
# each replicate.
cat >exp.yaml <<'END'
assay: 1
experiment: local
title: Known numbers
hosts:
  here: local
factors:
  mode: [slow, fast]
  size: [1, 2]
design:
  replicates: 3
  order: {kind: randomized, seed: 42}
benchmarks:
  count:
    run: |
      mkdir -p "$TALLY" && echo x >>"$TALLY/$mode.$size"
      n=$(wc -l <"$TALLY/$mode.$size")
      case $mode in slow) v=10 ;; fast) v=20 ;; esac
      echo "{\"rate\": $v.$n, \"note\": \"$mode\"}"
    timeout: 20s
    responses:
      rate: {json: .rate, uom: 1/s, better: higher}
analysis:
  baseline: {mode: slow}
charts:
  rates: {kind: bars, benchmark: count, x: size, series: mode, y: rate, interval: ci95}
tables:
  rates: {benchmark: count, y: rate, rows: [size], columns: mode, cell: mean-ci95}
END
sed -i "s|here: local|here: {local: true, env: {TALLY: $TEST_DIR/tally}}|" exp.yaml
git add -A && git commit -qm 'Ask'

test_expect 'run makes every run once and says what to do next' '
	assay run exp.yaml >out 2>err &&
	expect_line "^local: 12 runs: 12 ok$" out &&
	expect_line "^  assay analyze exp.yaml$" out &&
	expect_line "^commit $(git rev-parse --short=12 HEAD)$" err &&
	expect_line "^order from seed 42 (from the file)$" err &&
	[ "$(cat tally/* | wc -l)" -eq 12 ] && [ "$(wc -l <tally/fast.2)" -eq 3 ]
'

test_expect 'progress is a line for each event when it is no terminal' '
	[ "$(grep -c "^[0-9]*/12 here: count/.*#[1-3]: ok$" err)" -eq 12 ] &&
	[ "$(grep -c ": started$" err)" -eq 12 ]
'

test_expect 'run again makes nothing' '
	assay run exp.yaml >out 2>err &&
	expect_line "^every run is recorded already$" err &&
	expect_line "going on with campaign" err &&
	[ "$(cat tally/* | wc -l)" -eq 12 ]
'

test_expect 'more replicates and levels go on with the campaign' '
	sed "s/replicates: 3/replicates: 4/; s/size: \[1, 2\]/size: [1, 2, 4]/" exp.yaml >more.yaml &&
	assay run more.yaml --quiet >out 2>err &&
	expect_line "^local: 24 runs: 24 ok$" out &&
	[ "$(cat tally/* | wc -l)" -eq 24 ] && [ "$(wc -l <tally/slow.4)" -eq 4 ] &&
	expect_line "going on with campaign" err && expect_no_line ": ok$" err
'

test_expect 'status counts what the file asks for, and says what it does not' '
	assay status exp.yaml >out &&
	expect_line "^count  *12  *12  *0  *0  *0  *0$" out &&
	expect_line "^8 recorded runs of treatments that the file no longer has are left out$" out &&
	expect_line "^4 recorded runs beyond the replicates that the file asks for today are used all the same$" out &&
	expect_line "^campaign [0-9a-f]\{8\}, begun .*Z, commit [0-9a-f]\{12\}$" out
'

test_expect 'a changed script begins a new campaign, and says why' '
	sed "s/v=20/v=30/" more.yaml >changed.yaml &&
	assay plan changed.yaml >out &&
	expect_line "measured something else, a new one would begin" out &&
	assay run changed.yaml --store other.db --quiet >out 2>err &&
	assay run more.yaml --store other.db --quiet >out 2>err &&
	expect_line "new campaign .* (what is measured has changed" err &&
	expect_line "^local: 24 runs: 24 ok$" out
'

test_expect '--fresh begins a new campaign on purpose; --campaign reads the old' '
	assay run exp.yaml --store fresh.db --quiet >out 2>err &&
	old=$(assay status exp.yaml --store fresh.db --json | jq -r .campaign) &&
	assay run exp.yaml --store fresh.db --quiet --fresh >out 2>err &&
	expect_line "new campaign .* (--fresh)" err &&
	new=$(assay status exp.yaml --store fresh.db --json | jq -r .campaign) &&
	[ "$old" != "$new" ] &&
	[ "$(assay status exp.yaml --store fresh.db --campaign "$old" --json | jq -r .campaign)" = "$old" ] &&
	expect_exit 2 assay status exp.yaml --store fresh.db --campaign zzz 2>err
'

if command -v script >/dev/null 2>&1; then
	test_expect 'on a terminal progress is one line that is redrawn' '
		TERM=xterm script -qec "\"$ASSAY\" run exp.yaml --store tty.db" /dev/null >tty.log </dev/null &&
		tr "\r" "\n" <tty.log >lines &&
		expect_line "\[#*\.*\] 6/12  about .* left  here: count/" lines &&
		expect_line "\[####################\] 12/12$" lines &&
		expect_no_line "started" lines && expect_line "12 runs: 12 ok" lines
	'
else
	test_skip 'on a terminal progress is one line that is redrawn' 'no script(1)'
fi

# a store of its own with exactly the numbers 10.1 10.2 10.3 and 20.1 20.2 20.3
rm -rf tally
test_expect 'analyze reads the numbers in plain words' '
	assay run exp.yaml --store a.db --quiet >out 2>err &&
	assay analyze exp.yaml --store a.db >out &&
	expect_line "^count rate, size=1: fast is 1.980 times faster than slow (95 % interval 1.941 to 2.021, n = 3 each)$" out &&
	expect_line "^count rate, size=2: fast is 1.980 times faster than slow" out &&
	expect_line "^2 comparisons have an interval; each its own 95 % one, not adjusted" out &&
	expect_line "^slow  *1  *3  *10.20  *\[9.95, 10.45\]  *0.10" out
'

test_expect 'analyze --summary prints that many lines, --json all' '
	[ "$(assay analyze exp.yaml --store a.db --summary 1 | wc -l)" -eq 1 ] &&
	assay analyze exp.yaml --store a.db --json >out &&
	[ "$(jq -c "[.comparisons[0].verdict, .comparisons[0].ratio.n, (.responses[0].treatments | length)]" out)" = \
		"[\"improved\",3,4]" ] &&
	[ "$(jq ".responses[0].treatments[0].value * 10 | round" out)" = 102 ]
'

test_expect 'another level is said and used' '
	assay analyze exp.yaml --store a.db --level 0.8 --summary 1 >out &&
	expect_line "(80 % interval 1.960 to 2.001, n = 3 each)" out
'

test_expect 'plot draws the charts and prints their paths' '
	assay plot exp.yaml --store a.db --format pdf,svg,png >out &&
	[ "$(cat out)" = "local/rates.pdf
local/rates.svg
local/rates.png" ] &&
	head -c 5 local/rates.pdf | grep -q "%PDF-" &&
	expect_line "<svg" local/rates.svg &&
	expect_line "commit=\"$(git rev-parse HEAD)\"" local/rates.svg
'

test_expect 'the PDF names commit, campaign and data' '
	pdfinfo local/rates.pdf >info &&
	expect_line "$(git rev-parse HEAD)" info &&
	pdftotext local/rates.pdf - >text && expect_line "n = 3" text
'

test_expect 'the same data and file give the same bytes' '
	assay plot exp.yaml --store a.db --format pdf,svg,png --out again >out &&
	for f in rates.pdf rates.svg rates.png; do cmp local/$f again/$f || return 1; done
'

test_expect 'a chart that does not exist is met with a suggestion' '
	expect_exit 2 assay plot exp.yaml rate --store a.db 2>err &&
	expect_line "^assay: there is no chart .rate.; did you mean .rates.?" err
'

test_expect 'after an edit of the chart, the drawing names a commit with the edit' '
	sed "s/kind: bars,/kind: bars, title: Edited,/" exp.yaml >tmp && cp tmp exp.yaml && rm tmp &&
	assay plot exp.yaml --store a.db --format svg --out edited >out &&
	commit=$(grep -o "commit=\"[0-9a-f]\{40\}\"" edited/rates.svg | head -1 | cut -d\" -f2) &&
	[ "$commit" != "$(git rev-parse HEAD)" ] &&
	git show "$commit:exp.yaml" | grep -q "title: Edited" &&
	git status --porcelain >now && expect_line "^ M exp.yaml" now &&
	assay plot exp.yaml --store a.db --format svg --out edited2 >out &&
	cmp edited/rates.svg edited2/rates.svg && git checkout -q exp.yaml
'

test_expect 'table prints for the terminal and as Markdown' '
	assay table exp.yaml --store a.db >out &&
	expect_line "10.20" out && expect_line "n = 3" out &&
	assay table exp.yaml --store a.db --format markdown >out &&
	expect_line "^| *size" out && expect_line "$(git rev-parse HEAD)" out &&
	assay table exp.yaml --store a.db --out tables >paths &&
	[ "$(cat paths)" = tables/rates.md ] && expect_same out tables/rates.md
'

test_expect 'report is one page with sentences, chart, table, methods, file' '
	assay report exp.yaml --store a.db >out && [ "$(cat out)" = local/local.html ] &&
	expect_line "fast is 1.980 times faster than slow" local/local.html &&
	expect_line "<svg" local/local.html && expect_line "<table" local/local.html &&
	expect_line "seed 42" local/local.html &&
	expect_line "outcomes are: 12 ok" local/local.html &&
	expect_line "title: Known numbers" local/local.html &&
	expect_line "$(git rev-parse HEAD)" local/local.html &&
	expect_no_line "Runs without a result" local/local.html &&
	expect_no_line "src=\"http" local/local.html
'

test_expect 'the report is the same from another directory' '
	mkdir -p elsewhere &&
	(cd elsewhere && assay report ../exp.yaml --store ../a.db --out .) >out &&
	cmp local/local.html elsewhere/local.html
'

test_expect 'a template of your own; one that is not there says where it looked' '
	echo "{{title}} {{#provenance}}{{commit}}{{/provenance}}" >t.html &&
	assay report exp.yaml --store a.db --template ./t.html --out mini >out &&
	expect_line "Known numbers $(git rev-parse HEAD)" mini/local.html &&
	expect_exit 2 assay report exp.yaml --store a.db --template nope 2>err &&
	expect_line "^assay: there is no report template .nope. (looked for report-templates/nope.html" err
'

test_expect 'show tells everything about a run' '
	assay show exp.yaml 1 --store a.db >out &&
	expect_line "^count/.*#1, planned on here$" out &&
	expect_line "^  outcome: ok$" out && expect_line "^  rate: [12]0.1 1/s$" out &&
	expect_line "^    {\"rate\": [12]0.1" out &&
	assay show exp.yaml 1 --store a.db --raw stdout >raw &&
	[ "$(jq -r .rate raw)" = "$(sed -n "s/^  rate: \([0-9.]*\) .*/\1/p" out)" ] &&
	key=$(sed -n "1s/, planned.*//p" out) &&
	assay show exp.yaml "$key" --store a.db --json >out &&
	[ "$(jq -r .key out)" = "$key" ] &&
	expect_exit 2 assay show exp.yaml 99 --store a.db 2>err &&
	id=$(assay status exp.yaml --store a.db --json | jq -r ".campaign[:8]") &&
	expect_line "^assay: a.db: no run .99. in campaign $id: .assay plan --all. lists their numbers" err
'

test_expect 'outside git a warning is given once, and figures say so' '
	mkdir "$TEST_DIR/../${TEST_DIR##*/}.plain" && test_cleanup "rm -rf \"$TEST_DIR.plain\"" &&
	sed "s/TALLY: .*tally/TALLY: .\/tally/" exp.yaml >"$TEST_DIR.plain/exp.yaml" &&
	(cd "$TEST_DIR.plain" && GIT_CEILING_DIRECTORIES=$(dirname "$TEST_DIR") assay run exp.yaml) >out 2>err &&
	[ "$(grep -c "not in a git repository" err)" -eq 1 ] &&
	(cd "$TEST_DIR.plain" && assay table exp.yaml --format markdown) >out &&
	expect_line "not in a git repository" out
'

test_done
