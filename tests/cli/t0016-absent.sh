#!/bin/sh
# Factors that some treatments do not have: in charts and tables, on the
# command line, in what is said.
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
		    run: |
		      case \${platform:-}\${storage:-} in
		      native*) v=100 ;; *dir) v=50 ;; *tmpfs) v=80 ;; *) v=40 ;;
		      esac
		      echo "value \$v"
		    timeout: 20s
		    responses: {v: {regex: 'value (.*)', uom: MiB/s, better: higher}}
		END
		cat
	} >"$1.yaml"
}

experiment only <<END
factors:
  platform: [native, bwrap, lxc]
  storage: {label: Storage driver, levels: [dir, tmpfs, zvol, unused]}
design:
  only: {storage: {when: {platform: [bwrap, lxc]}}}
  exclude: [{storage: unused}, {platform: bwrap, storage: zvol}]
  replicates: 3
analysis: {baseline: {platform: native}}
charts:
  c: {kind: bars, y: v, x: platform, series: storage}
  d: {kind: bars, y: v, x: storage, series: platform}
  native: {kind: bars, y: v, x: platform, where: {storage: "-"}}
tables:
  cross: {y: v, rows: platform, columns: storage}
  nested: {y: v, rows: [storage, platform], cell: mean-sd}
  without: {y: v, rows: platform, where: {storage: "-"}}
END

test_expect 'a table has a place for the absence, last, and none for what is not there' '
	assay run only.yaml --quiet >out 2>err &&
	assay table only.yaml nested >text &&
	sed -n "4,9p" text | tr -s " " | sed "s/\.0*//; s/ ±.*//" >got &&
	cat >expected <<-\END &&
	dir bwrap 50
	dir lxc 50
	tmpfs bwrap 80
	tmpfs lxc 80
	zvol lxc 40
	– native 100
	END
	expect_same expected got &&
	expect_line "^Mean ± standard deviation of the runs; MiB/s; n = 3$" text
'

test_expect 'across, too; a place without a treatment is empty, not missing' '
	assay table only.yaml cross >text &&
	expect_line "^platform  *dir  *tmpfs  *zvol  *–$" text &&
	expect_line "^native  *100[^ ]* \[[^]]*\]$" text &&
	expect_line "^bwrap  *50[^ ]* \[[^]]*\]  *80[^ ]* \[[^]]*\]$" text &&
	assay table only.yaml without >text &&
	expect_line "^native  *100" text && expect_no_line "lxc\|bwrap" text
'

test_expect 'a chart has a bar for it, and no mark where nothing is asked for' '
	assay plot only.yaml --out charts --format svg >out 2>err &&
	expect_line "<desc.*dir, tmpfs, zvol, –" charts/c.svg &&
	expect_line "<desc.*native, bwrap, lxc" charts/d.svg &&
	expect_no_line "no run to draw" err
'

test_expect 'what is asked for and not made yet is missing still' '
	assay run only.yaml --store few.db --only storage=-,dir --quiet >out 2>err &&
	expect_line "^only: 9 runs: 9 ok$" out &&
	assay table only.yaml nested --store few.db >text &&
	expect_line "^zvol  *lxc  *–$" text &&
	assay plot only.yaml --store few.db --out few >out 2>err &&
	expect_line "chart .c.: 3 places have no run to draw" err
'

test_expect '--only and --skip know the absence' '
	assay plan only.yaml --only storage=- >out &&
	expect_line "^  part  *only storage=-$" out &&
	expect_line "native#1" out && expect_no_line "=bwrap\|=lxc" out &&
	assay plan only.yaml --skip storage=- >out && expect_no_line "native#" out &&
	expect_exit 2 assay plan only.yaml --only platform=- 2>err &&
	expect_line "only platform=-: there is no level \"-\" in factor platform" err
'

test_expect 'what the base lacks is said' '
	assay analyze only.yaml >text &&
	expect_line "^read v, Storage driver tmpfs: bwrap is 1.250 times slower than native, which has no Storage driver (95 %" text
'

test_expect 'a baseline may be the absence' '
	sed "s/baseline: {.*/baseline: {platform: native, storage: \"-\"}}/" only.yaml >absent.yaml &&
	assay analyze absent.yaml --store results/only.db --summary 5 >text &&
	expect_line "^read v: bwrap, tmpfs is 1.250 times slower than native, no Storage driver (95 %" text &&
	[ "$(wc -l <text)" = 5 ]
'

test_expect 'a condition that no treatment meets is told by check, and when it is drawn' '
	sed "s/where: {storage: \"-\"}}/where: {storage: unused}}/" only.yaml >unmet.yaml &&
	assay check unmet.yaml 2>err &&
	expect_line "chart \"native\": no treatment of benchmark \"read\" has what it fixes" err &&
	expect_exit 2 assay table unmet.yaml without --store results/only.db 2>err &&
	expect_line "table .without.: no treatment of benchmark .read. has what \"where\" fixes: fix other levels" err
'

test_expect 'a list has a row for each treatment' '
	experiment list <<-\END &&
	factors: {a: [1, 2, 3, 4], b: [x, y, z]}
	design:
	  kind: list
	  list: [{a: 3, b: y}, {a: 1}, {a: 2, b: x}]
	  replicates: 2
	tables: {t: {y: v, rows: [a, b]}}
	END
	assay run list.yaml --quiet >out 2>err &&
	assay table list.yaml >text &&
	grep "^[0-9]" text | cut -c1-7 >got &&
	printf "1   –\n2   x  \n3   y  \n" >expected &&
	expect_same expected got
'

test_expect 'one-at-a-time is compared with its centre when no baseline is given' '
	experiment centre <<-\END &&
	factors: {platform: [native, lxc], storage: [dir, tmpfs], threads: [1, 2]}
	design:
	  kind: one-at-a-time
	  base: {platform: lxc}
	  only: {storage: {when: {platform: lxc}}}
	  replicates: 3
	END
	assay run centre.yaml --quiet >out 2>err &&
	assay analyze centre.yaml --summary 9 >text &&
	cat >expected <<-\END &&
	read v, threads=1: native, no storage is 2 times faster than lxc, dir
	read v, platform=lxc, threads=1: tmpfs is 1.6 times faster than dir
	read v, platform=lxc, storage=dir: threads=2 against threads=1: equal within the margin of 1 %
	END
	sed "s/ (.*//; s/\([1-9]\)\.\([0-9]*[1-9]\)\{0,1\}0* times/\1.\2 times/; s/\. times/ times/" text >got &&
	expect_same expected got &&
	expect_no_line "baseline" text
'

test_expect 'nothing compared: why, in the first line' '
	experiment unsaid <<-\END &&
	factors: {platform: [native, lxc]}
	design: {replicates: 2}
	END
	assay run unsaid.yaml --quiet >out 2>err &&
	assay analyze unsaid.yaml >text &&
	[ "$(sed 1q text)" = "Nothing is compared, because the file names no baseline: add analysis: {baseline: {FACTOR: LEVEL}}." ] &&
	assay analyze unsaid.yaml --summary 3 >short &&
	sed 1q text >expected && expect_same expected short &&
	experiment part <<-\END &&
	factors: {a: [1, 2], b: [1, 2], c: [1, 2]}
	design: {kind: fractional, generators: {c: a*b}, replicates: 2}
	analysis: {baseline: {a: 1}}
	END
	assay run part.yaml --quiet >out 2>err &&
	assay analyze part.yaml --summary 3 >short &&
	expect_line "^Nothing is compared: in a fraction treatments differ in several factors, so that none has a counterpart at the baseline; assay does not estimate effects of a fractional design yet\.$" short &&
	assay analyze part.yaml --json | grep -q "\"remarks\":\[\"Nothing is compared: in a fraction"
'

test_done
