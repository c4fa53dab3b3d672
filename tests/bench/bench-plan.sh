#!/bin/sh
# How long a user waits for `assay check` of a file of 200 lines, for the plan
# of many runs, and for a campaign that is recorded to the end. Prints medians
# beside the budgets; exit 1 when one is broken.
# usage: tests/bench/bench-plan.sh [ROUNDS]
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
build=${BUILD:-build}
ASSAY=${ASSAY:-$top/$build/assay}
rounds=${1:-11}
bad=0

make --no-print-directory -s "$build/tests/bench/median" \
	"$build/tests/bench/first_line" || exit 2
median=$top/$build/tests/bench/median
first_line=$top/$build/tests/bench/first_line
dir=$(mktemp -d "${TMPDIR:-/tmp}/assay-bench.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export ASSAY_DATADIR="$top" HOME="$dir" XDG_CACHE_HOME="$dir/cache"
export GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8
cp "$top/tests/bench/data/large.yaml" "$dir" || exit 2
cd "$dir" || exit 2
git init -q . && git config user.name Bench &&
	git config user.email bench@example.invalid || exit 2
printf '*\n!*.yaml\n!.gitignore\n' >.gitignore

# show WHAT VALUE UNIT [BUDGET]: one line; a broken budget is a failure
show() {
	awk -v what="$1" -v value="$2" -v unit="$3" -v budget="${4:-}" '
	BEGIN {
		text = sprintf("%.1f %s", value, unit)
		if (budget != "")
			text = text sprintf(" (budget %.4g%s)", budget,
				value + 0 > budget + 0 ? ": BROKEN" : "")
		printf "%s: %s\n", what, text
		exit budget != "" && value + 0 > budget + 0
	}' || bad=1
}

# experiment NAME LEVELS: 5000 runs for each level of the first factor
experiment() {
	cat >"$1.yaml" <<-YAML
	assay: 1
	experiment: $1
	hosts: {here: local}
	factors:
	  a: {range: [1, $2], step: 1}
	  b: {range: [1, 10], step: 1}
	  c: {range: [1, 10], step: 1}
	  d: {range: [1, 10], step: 1}
	  e: {range: [1, 5], step: 1}
	variables: {threads: '= a * b', place: '/mnt/\${c}'}
	design: {order: {kind: randomized, seed: 1}}
	benchmarks:
	  trivial:
	    run: 'echo "rate: 1"'
	    responses:
	      rate: {regex: 'rate: (?<value>[0-9]+)', uom: 1/s, better: higher}
	YAML
}

check_cold() {
	rm -rf "$dir/cache"
	"$median" 1 "$ASSAY" check large.yaml 2>/dev/null
}

# middle FILE: the median of its numbers
middle() {
	sort -n "$1" | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }'
}

# Records all runs of the plan as made: the first one by assay, the others as
# copies of it.
record_all() {
	"$ASSAY" run --quiet --only a=1 --only b=1 --only c=1 --only d=1 \
		--only e=1 "$1.yaml" >/dev/null 2>&1 || return 1
	"$ASSAY" plan --json "$1.yaml" | jq -r '.runs[] |
		[.key, .benchmark, .replicate, .host, .position] | @tsv' \
		>runs.tsv || return 1
	sqlite3 "results/$1.db" <<-'SQL'
	CREATE TEMP TABLE p (key, benchmark, replicate, host, position);
	.mode tabs
	.import runs.tsv p
	BEGIN;
	INSERT INTO treatment (key) SELECT substr(key, instr(key, '/') + 1,
	  instr(key, '#') - instr(key, '/') - 1) FROM p
	  WHERE key NOT IN (SELECT key FROM run);
	INSERT INTO run (campaign, key, benchmark, treatment, replicate, host,
	  position) SELECT 1, p.key, p.benchmark, t.id, p.replicate, p.host,
	  p.position FROM p JOIN treatment AS t ON t.key = substr(p.key,
	  instr(p.key, '/') + 1, instr(p.key, '#') - instr(p.key, '/') - 1)
	  WHERE p.key NOT IN (SELECT key FROM run) ORDER BY p.rowid;
	INSERT INTO attempt (run, session, host, token, started)
	  SELECT id, 1, host, printf('%032x', id), 1 FROM run
	  WHERE id NOT IN (SELECT run FROM attempt);
	INSERT INTO outcome (attempt, outcome, exit_status, started, duration,
	  ended) SELECT id, 'ok', 0, 1, 0.01, 2 FROM attempt
	  WHERE id NOT IN (SELECT attempt FROM outcome);
	INSERT OR IGNORE INTO observation SELECT 1, id, 1, 1.0 FROM attempt;
	COMMIT;
	SQL
	sqlite3 "results/$1.db" 'SELECT count(*) FROM settled'
}

experiment hundred 20
experiment million 200
git add . && git commit -qm 'Bench' || exit 2

for _ in 1 2 3 4 5; do
	check_cold >>cold.ms || exit 2
done
show 'start of assay (--help), most of it to load libraries' \
	"$("$median" 50 "$ASSAY" --help)" ms
show 'assay check, 200 lines, 3 profiles: jq programs never seen' \
	"$(middle cold.ms)" ms
got=$("$first_line" 50 "$ASSAY" check large.yaml 2>/dev/null) || exit 2
# shellcheck disable=SC2086 # four numbers
set -- $got
show 'assay check, 200 lines, 3 profiles: once more' "$2" ms 10
show '  ... processor time of that' "$4" ms

# waits WHAT ROUNDS FIRST WHOLE PEAK COMMAND...: budgets, - for none
waits() {
	what=$1 n=$2 first=${3#-} whole=${4#-} peak=${5#-}
	shift 5
	got=$("$first_line" "$n" "$@" 2>/dev/null) || {
		echo "$what: failed"
		bad=1
		return
	}
	# shellcheck disable=SC2086 # four numbers
	set -- $got
	show "$what: first line" "$1" ms "$first"
	show "$what: whole" "$2" ms "$whole"
	show "$what: most memory" "$3" MiB "$peak"
}

waits 'assay plan, 100,000 runs' "$rounds" 100 1000 400 \
	"$ASSAY" plan hundred.yaml
waits 'assay plan --json, 1,000,000 runs (one line)' 3 - - 400 \
	"$ASSAY" plan --json million.yaml
[ "$(record_all hundred)" = 100000 ] || {
	echo 'cannot record 100,000 runs'
	exit 2
}
waits 'assay plan, 100,000 runs, all recorded' "$rounds" 100 1000 400 \
	"$ASSAY" plan hundred.yaml
waits 'assay run, 100,000 runs, all recorded' 3 - 1000 400 \
	"$ASSAY" run hundred.yaml
exit $bad
