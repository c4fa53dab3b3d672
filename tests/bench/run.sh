#!/bin/sh
# Builds and runs every tests/bench/bench_*.c, and runs every bench-*.sh (which
# build what they need); each prints its own medians beside the budget of the
# design, and fails when one is broken.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
mkdir -p "$build/tests/bench"
bad=0

# The figures mean nothing without the machine, and what else it did.
awk -F ': *' '/^model name/ { print "machine: " $2; exit }' /proc/cpuinfo
echo "cores: $(nproc), memory: $(awk '/^MemTotal/ { print int($2 / 1024) }' \
	/proc/meminfo) MiB, kernel: $(uname -sr)"
echo "load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
started=$(date +%s)
for source in tests/bench/bench_*.c; do
	[ -f "$source" ] || continue
	name=$(basename "$source" .c)
	make --no-print-directory -s "$build/tests/bench/$name" || { bad=1; continue; }
	echo "== $name"
	"$build/tests/bench/$name" || bad=1
done
for script in tests/bench/bench-*.sh; do
	[ -f "$script" ] || continue
	echo "== $(basename "$script" .sh)"
	ASSAY=$PWD/$build/assay sh "$script" || bad=1
done
echo "load after: $(cut -d ' ' -f 1-3 /proc/loadavg)," \
	"$(($(date +%s) - started)) s in all"
exit $bad
