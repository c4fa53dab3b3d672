#!/bin/sh
# What assay adds to a command: one trivial run over SSH beside one bare
# channel of libssh2 and one exec through ssh's ControlMaster, all with one
# private server in the same minute; and how long assay takes to start.
# Prints medians beside the budgets of the design; exit 1 when one is broken.
# usage: tests/bench/bench-run.sh [RUNS]
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
build=${BUILD:-build}
ASSAY=${ASSAY:-$top/$build/assay}
runs=${1:-200}
bad=0

make --no-print-directory -s "$build/tests/bench/median" \
	"$build/tests/bench/channel" || exit 2
median=$top/$build/tests/bench/median
channel=$top/$build/tests/bench/channel
dir=$(mktemp -d "${TMPDIR:-/tmp}/assay-bench.XXXXXX") || exit 2
end() {
	[ ! -S "$dir/master" ] ||
		ssh -F "$dir/lab/ssh_config" -S "$dir/master" -O exit \
			assay-alpha 2>/dev/null
	"$top/tests/lab/sshd.sh" stop "$dir/lab"
	rm -rf "$dir"
}
trap end EXIT
trap 'exit 130' INT TERM
tests/lab/sshd.sh start "$dir/lab" alpha || exit 2

# The start of assay, in a directory where nothing was ever run.
export ASSAY_DATADIR="$top" HOME="$dir" XDG_CACHE_HOME="$dir/cache"
export GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8
config=$dir/lab/ssh_config
cd "$dir" || exit 2
git init -q .
git config user.name Bench
git config user.email bench@example.invalid
printf '*\n!*.yaml\n!.gitignore\n' >.gitignore

# show WHAT VALUE DIGITS [BUDGET]: one line; a broken budget is a failure
show() {
	awk -v what="$1" -v value="$2" -v digits="$3" -v budget="${4:-}" '
	BEGIN {
		text = sprintf("%." digits "f ms", value)
		if (budget != "")
			text = text sprintf(" (budget %.4g%s)", budget,
				value + 0 > budget + 0 ? ": BROKEN" : "")
		printf "%s: %s\n", what, text
		exit budget != "" && value + 0 > budget + 0
	}' || bad=1
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'
}

# experiment NAME HOST REPLICATES: runs that do next to nothing
experiment() {
	cat >"$1.yaml" <<-YAML
	assay: 1
	experiment: $1
	hosts:
	  alpha: $2
	factors:
	  size: [1]
	design: {replicates: $3, order: {kind: randomized, seed: 1}}
	benchmarks:
	  trivial:
	    run: 'echo "rate: 1"'
	    timeout: 60s
	    responses:
	      rate: {regex: 'rate: (?<value>[0-9]+)', uom: 1/s, better: higher}
	YAML
}

# 201 lines: chart after chart
long_experiment() {
	experiment long local 2
	echo 'charts:' >>long.yaml
	for i in $(seq 46); do
		printf '  chart%d:\n    kind: bars\n    x: size\n    y: rate\n' "$i"
	done >>long.yaml
}

# run_ms NAME: wall time of `assay run` over a new store
run_ms() {
	rm -rf results
	"$median" 1 "$ASSAY" run --quiet "$1.yaml" 2>err || {
		cat err >&2
		return 1
	}
}

# Three rounds, all kinds in each, so that a busy moment meets all alike. What
# the program, the commit, the store and the login take is the time of a
# campaign of one run.
ssh_host='{ssh: assay-alpha, config: lab/ssh_config}'
experiment remote "$ssh_host" "$runs"
experiment remote-one "$ssh_host" 1
experiment here local "$runs"
experiment here-one local 1
long_experiment
git add . && git commit -qm 'Bench' || exit 2
ssh -F "$config" -S "$dir/master" -o ControlPersist=yes -M -N -f \
	assay-alpha </dev/null >/dev/null 2>&1 || exit 2
for kind in bare master remote remote-one here here-one; do
	: >"$kind.ms"
done
for _ in 1 2 3; do
	"$channel" "$runs" "$(cat lab/alpha/port)" "$(id -un)" \
		lab/client_key true >>bare.ms || exit 2
	"$median" 50 ssh -F "$config" -S "$dir/master" assay-alpha true \
		>>master.ms || exit 2
	for kind in remote remote-one here here-one; do
		run_ms $kind >>$kind.ms || exit 2
	done
done
middle() {
	sort -n "$1.ms" | sed -n 2p
}
per_run() {
	awk -v all="$(middle "$1")" -v one="$(middle "$1-one")" -v n="$runs" \
		'BEGIN { printf "%.3f", (all - one) / (n - 1) }'
}
whole() {
	awk -v all="$(middle "$1")" -v n="$runs" 'BEGIN { printf "%.3f", all / n }'
}
bare=$(middle bare)
master=$(middle master)
remote=$(per_run remote)
here=$(per_run here)

printf 'login shell %s, %s runs, medians of 3 rounds\n' \
	"$(getent passwd "$(id -un)" | cut -d: -f7)" "$runs"
show 'bare libssh2 channel exec of true' "$bare" 2
show "ssh ControlMaster exec of true ($(ratio "$master" "$bare") x bare)" \
	"$master" 2
show "one more trivial run over ssh ($(ratio "$remote" "$bare") x bare)" \
	"$remote" 2 "$(awk -v b="$bare" 'BEGIN { print 4 * b }')"
show '  all of assay run, by the run' "$(whole remote)" 2
show '  a campaign of one run' "$(middle remote-one)" 0
show "one more trivial run here ($(ratio "$here" "$bare") x bare)" "$here" 2
show '  all of assay run, by the run' "$(whole here)" 2
show '  a campaign of one run' "$(middle here-one)" 0
show 'assay --help' "$("$median" 100 "$ASSAY" --help)" 1 5
show 'assay check, 200 lines, no jq program' \
	"$("$median" 50 "$ASSAY" check long.yaml 2>/dev/null)" 1 10
quick=$top/experiments/quickstart.yaml
show 'assay check quickstart.yaml, two jq programs' \
	"$("$median" 50 "$ASSAY" check "$quick")" 1 10
show 'assay plan quickstart.yaml (no budget)' \
	"$("$median" 50 "$ASSAY" plan "$quick")" 1
exit $bad
