#!/bin/sh
# The words of the reading: each verdict, each kind of unit.
. "$(dirname "$0")/test-lib.sh"

# The nth run of a treatment prints the nth word of its line.
cat >numbers.sh <<'END'
case $kind in
base) set -- 100.0 100.4 99.6 100.2 ;;
twice) set -- 200.1 200.5 199.7 200.3 ;;
half) set -- 50.0 50.2 49.8 50.1 ;;
same) set -- 100.1 100.3 99.7 100.3 ;;
noisy) set -- 80 130 95 110 ;;
slight) set -- 101.2 101.6 100.8 101.4 ;;
once) set -- 300 ;;
never) exit 5 ;;
esac
mkdir -p "$TALLY"
echo x >>"$TALLY/$kind"
shift $(($(wc -l <"$TALLY/$kind") - 1)) || exit 6
echo "value $1"
END

# experiment NAME UOM BETTER
experiment() {
	cat >"$1.yaml" <<-END
	assay: 1
	experiment: $1
	hosts: {here: {local: true, env: {TALLY: $TEST_DIR/tally.$1}}}
	factors:
	  kind:
	    levels:
	      - {name: base, label: plain}
	      - {name: twice, label: with twice}
	      - half
	      - same
	      - noisy
	      - slight
	      - once
	      - never
	design: {replicates: 4, order: {kind: as-written}}
	benchmarks:
	  b:
	    run: |
	$(sed 's/^/      /' numbers.sh)
	    timeout: 20s
	    responses: {v: {regex: 'value (.*)', uom: $2$3}}
	analysis: {baseline: {kind: base}, margin: 1%}
	END
	expect_exit 1 assay run "$1.yaml" --quiet >out 2>err &&
	assay analyze "$1.yaml" --summary 7 >reading
}

test_expect 'a rate: more is faster' '
	experiment rate MiB/s ", better: higher" &&
	cat >expected <<-END &&
	b v: with twice is 2.000 times faster than plain (95 % interval 1.990 to 2.011, n = 4 each)
	b v: half is 2.000 times slower than plain (95 % interval 1.988 to 2.012, n = 4 each)
	b v: same against plain: equal within the margin of 1 % (ratio 1.0005, 95 % interval 0.9950 to 1.0060, n = 4 each)
	b v: noisy against plain: no difference shown (ratio 1.04, 95 % interval 0.70 to 1.38, n = 4 each), nor that they are equal within the margin of 1 %
	b v: slight is 1.0120 times faster than plain (95 % interval 1.0061 to 1.0180, n = 4 each), but that it is more than the margin of 1 % is not shown
	b v: once against plain: the ratio is 3, but there is no interval (n = 1 and 4); left out: 3 failed
	b v: never against plain: it has no run that counts; left out: 4 failed
	END
	expect_same expected reading
'

test_expect 'a time: less is faster' '
	experiment time ms ", better: lower" &&
	expect_line "^b v: with twice is 2.000 times slower than plain (95 % interval 1.990 to 2.011" reading &&
	expect_line "^b v: half is 2.000 times faster than plain (95 % interval 1.988 to 2.012" reading
'

test_expect 'an amount: so many times as much, better or worse' '
	experiment amount MiB ", better: lower" &&
	expect_line "^b v: with twice has 2.000 times the v of plain (worse; 95 % interval 1.990 to 2.011" reading &&
	expect_line "^b v: half has 0.5000 times the v of plain (better; 95 % interval 0.4971 to 0.5030" reading
'

test_expect 'a rate of which less is better is an amount' '
	experiment errors 1/s ", better: lower" &&
	expect_line "^b v: with twice has 2.000 times the v of plain (worse; " reading
'

test_expect 'without a direction neither better nor worse is said' '
	experiment neutral K "" &&
	expect_line "^b v: with twice has 2.000 times the v of plain (95 % interval" reading &&
	expect_no_line "better\|worse" reading
'

# figures NAME BASE OTHER: the runs of a rate, written as they are
figures() {
	cat >"$1.yaml" <<-END
	assay: 1
	experiment: $1
	hosts: {here: {local: true, env: {TALLY: $TEST_DIR/tally.$1}}}
	factors: {kind: [base, other]}
	design: {replicates: $(echo "$2" | wc -w), order: {kind: as-written}}
	benchmarks:
	  b:
	    run: |
	      case \$kind in base) set -- $2 ;; other) set -- $3 ;; esac
	      mkdir -p "\$TALLY"; echo x >>"\$TALLY/\$kind"
	      shift \$((\$(wc -l <"\$TALLY/\$kind") - 1)); echo "value \$1"
	    timeout: 20s
	    responses: {v: {regex: 'value (.*)', uom: 1/s, better: higher}}
	analysis: {baseline: {kind: base}, margin: 1%}
	END
	assay run "$1.yaml" --quiet >out 2>err &&
	assay analyze "$1.yaml" --summary 1 >reading
}

test_expect 'the end of a wide interval is not rounded to the other side of 1' '
	figures wide "30 50 70" "95 100 90" &&
	expect_line "other against base: no difference shown (ratio 1.90, 95 % interval 0.95 to 51, n = 3 each)" reading
'

test_expect 'a ratio has four digits where they suffice' '
	figures sharp "1000 1000.00001 999.99999" "941.7474 941.74741 941.74739" &&
	expect_line "other is 1.062 times slower than base (95 % interval 1.062 to 1.062, n = 3 each)" reading &&
	figures near "1000 1000.00001 999.99999" "1000.4 1000.4001 1000.3999" &&
	expect_line "other against base: equal .*ratio 1.00040, 95 % interval 1.00040 to 1.00040, n = 3 each" reading
'

test_expect 'a warning names the estimates it is about, and a remedy that there is' '
	assay analyze rate.yaml >out &&
	expect_line "^One run has no interval: .* (2 of 15 estimates: b v, kind=once; b v, kind=once against kind=plain)\.$" out &&
	figures zero "-50 50 1 3" "95 100 90 95" &&
	assay analyze zero.yaml >out &&
	expect_line "the ratio has no bounds: make more replicates, or look at the two means (1 of 3 estimates: b v, kind=other against kind=base)" out &&
	expect_no_line "difference" out && expect_no_line "have an interval" out &&
	figures points "1 1 1" "2 2 2" && assay analyze points.yaml >out &&
	expect_line "(3 of 3 estimates: b v, kind=base; b v, kind=other; and 1 more)" out
'

test_expect 'labels are used where there are some' '
	cat >labels.yaml <<-\END &&
	assay: 1
	experiment: labels
	hosts: {here: local}
	factors:
	  place: {levels: [{name: disk, label: on disk}, {name: ram, label: in memory}]}
	  kib: {label: block size (KiB), levels: [16]}
	  n: [1]
	design: {replicates: 2, order: {kind: as-written}}
	benchmarks:
	  rw:
	    label: Random writes, synced every 16 blocks
	    run: case $place in disk) echo 10 ;; ram) echo 20 ;; esac
	    timeout: 20s
	    responses: {v: {label: bandwidth, regex: "[0-9]+", uom: MiB/s, better: higher}}
	analysis: {baseline: {place: disk}}
	tables: {plain: {benchmark: rw, y: v, rows: [place], cell: median-ci95}}
	charts: {bare: {kind: bars, benchmark: rw, x: place, y: v, interval: ci95}}
	END
	assay run labels.yaml --quiet >out 2>err &&
	assay analyze labels.yaml >out &&
	expect_line "^Random writes, synced every 16 blocks: bandwidth, block size (KiB) 16, n=1: in memory is 2.000 times faster than on disk (" out &&
	expect_line "^Random writes, synced every 16 blocks: bandwidth (MiB/s)$" out &&
	expect_line "^place  *block size (KiB)  *n  *n  *mean" out && expect_line "^in memory  *16" out &&
	assay table labels.yaml >out && expect_line "^Random writes, synced every 16 blocks: bandwidth$" out &&
	expect_line "^on disk  *–$" out && expect_no_line "∞" out &&
	expect_line "oo few runs to bound the median (95 % needs 6)" out &&
	assay report labels.yaml --out . >out && expect_no_line "<caption>plain" labels.html &&
	expect_line "Random writes, synced every 16 blocks: bandwidth\. Bars: mean" labels.html
'

test_expect 'the verdicts are in the JSON' '
	assay analyze rate.yaml --json >out &&
	[ "$(jq -c "[.comparisons[].verdict]" out)" = \
		"[\"improved\",\"regressed\",\"equivalent\",\"inconclusive\",\"inconclusive\",null,null]" ]
'

test_expect 'what was left out is counted, and so are the comparisons' '
	assay analyze rate.yaml >out &&
	expect_line "^Runs that gave no number are left out: 7 failed; " out &&
	expect_line "^5 comparisons have an interval; .* about 0.25 of them" out &&
	expect_line "^never  *0  *–  *–  *4 failed" out &&
	expect_line "^once  *1  *300.0 .*3 failed" out
'

test_expect 'without a baseline nothing is compared, and how to is said' '
	sed "s/^analysis:.*/analysis: {margin: 1%}/" rate.yaml >nobase.yaml &&
	assay analyze nobase.yaml >out &&
	expect_line "names no baseline: add analysis: {baseline: {FACTOR: LEVEL}}" out &&
	expect_line "^with twice  *4  *200.1" out
'

test_expect 'a level that the file no longer has is left out, and said so' '
	sed "/- half$/d" rate.yaml >less.yaml &&
	assay analyze less.yaml >out &&
	expect_line "^4 recorded runs of treatments that the file no longer has are left out\." out &&
	expect_no_line "half" out
'

test_done
