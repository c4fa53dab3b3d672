#!/bin/sh
# make demo: the main job for real. Two private SSH servers on loopback, the
# quickstart experiment over them, then its chart, table, report and reading.
# Everything lives in build/demo; nothing is installed or left running.
set -eu
cd "$(dirname "$0")/.."
assay=$PWD/build/assay
dir=build/demo
out=$dir/out

tests/lab/sshd.sh stop "$dir" >/dev/null 2>&1 || true
rm -rf "$dir"
mkdir -p "$dir"
trap 'tests/lab/sshd.sh stop "$dir"' EXIT
trap 'exit 130' INT TERM
tests/lab/sshd.sh start "$dir" alpha beta

store="--store=$dir/quickstart.db"
echo "== assay run experiments/quickstart.yaml"
"$assay" run experiments/quickstart.yaml "$store"
echo
echo "== what it says"
"$assay" analyze experiments/quickstart.yaml "$store" --summary 5
echo
"$assay" table experiments/quickstart.yaml "$store" write-rate
"$assay" plot experiments/quickstart.yaml "$store" --out "$out" --format pdf,svg >/dev/null
"$assay" table experiments/quickstart.yaml "$store" --out "$out" --format markdown >/dev/null
"$assay" report experiments/quickstart.yaml "$store" --out "$out" >/dev/null
echo "chart   $out/write-rate.pdf"
echo "        $out/write-rate.svg"
echo "table   $out/write-rate.md"
echo "report  $out/quickstart.html"
for file in write-rate.pdf write-rate.svg write-rate.md quickstart.html; do
	[ -s "$out/$file" ] || { echo "demo: $out/$file is missing" >&2; exit 1; }
done
