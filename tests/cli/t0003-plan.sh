#!/bin/sh
# What `assay plan` shows before anything is run.
. "$(dirname "$0")/test-lib.sh"

assay init . >/dev/null
# two hosts that take turns, two factors, two benchmarks
cat >order.yaml <<'END'
assay: 1
experiment: order
hosts: {alpha: {ssh: a}, beta: {ssh: b}}
roles: {sut: [alpha, beta]}
factors:
  place: [disk, memory]
  block_kib: [4, 64]
design: {replicates: 5, order: {kind: randomized, seed: 20261130}}
benchmarks:
  write: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
  copy: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
END

test_expect 'plan says what, in which order, and how much is recorded' '
	assay plan experiment.yaml >out &&
	expect_line "^first: 1 factor, 3 treatments, 1 benchmark, 15 runs on 1 host$" out &&
	expect_line "^  factor    block_kib: 1, 16, 256$" out &&
	expect_line "^  order     randomized, seed 1 (from the file)$" out &&
	expect_line "^  recorded  none in results/first.db$" out &&
	expect_line "^  time      unknown until runs are recorded$" out &&
	[ "$(grep -c "write/block_kib=[0-9]*#[1-5]" out)" -eq 15 ] && [ ! -e results ]
'

test_expect 'each round has every treatment once' '
	assay plan experiment.yaml --json >plan.json &&
	jq -r ".runs[].key" plan.json >keys && [ "$(wc -l <keys)" -eq 15 ] &&
	[ "$(sort -u keys | wc -l)" -eq 15 ] &&
	[ "$(head -3 keys | sed "s/.*#//" | sort -u)" = 1 ] &&
	[ "$(tail -3 keys | sed "s/.*#//" | sort -u)" = 5 ]
'

test_expect 'the same seed gives the same order, another one another' '
	assay plan experiment.yaml >a && assay plan experiment.yaml >b &&
	expect_same a b &&
	assay plan experiment.yaml --seed 1 --json | jq -r ".runs[].key" >b &&
	expect_same keys b &&
	assay plan experiment.yaml --seed 2 --json | jq -r ".runs[].key" >b &&
	! cmp -s keys b && sort keys >a && sort b >c && expect_same a c
'

test_expect 'an order from a seed does not change with versions' '
	assay plan order.yaml --json --store none.db |
		jq -r ".runs[:5][] | .host + \" \" + .key" >first &&
	cat >expected <<-END &&
	alpha copy/block_kib=64,place=memory#1
	alpha copy/block_kib=64,place=disk#1
	alpha write/block_kib=64,place=memory#1
	alpha copy/block_kib=4,place=memory#1
	alpha copy/block_kib=4,place=disk#1
	END
	expect_same expected first
'

test_expect 'a seed of 64 bits comes back whole' '
	assay plan experiment.yaml --seed 18446744073709551615 --json >out &&
	[ "$(jq -r .seed out)" = 18446744073709551615 ]
'

test_expect 'without a seed in the file one is drawn anew' '
	sed "s/, seed: 1//" experiment.yaml >unseeded.yaml &&
	assay plan unseeded.yaml >out && expect_line "seed [0-9]* (drawn now)" out &&
	assay plan unseeded.yaml --json | jq -r .seed >a &&
	assay plan unseeded.yaml --json | jq -r .seed >b && ! cmp -s a b
'

test_expect '--limit and --all choose how many runs are listed' '
	assay plan order.yaml --store none.db >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 20 ] && expect_line "^... and 20 more (--all)" out &&
	assay plan order.yaml --store none.db --limit 2 >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 2 ] &&
	assay plan order.yaml --store none.db --limit 0 >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 0 ] &&
	assay plan order.yaml --store none.db --all >out &&
	[ "$(grep -c "#[0-9]" out)" -eq 40 ]
'

test_expect 'levels and counts are in the JSON' '
	assay plan order.yaml --store none.db --json >out &&
	[ "$(jq -c "[.experiment, .treatments, .missing, .seconds_left]" out)" = \
		"[\"order\",4,40,null]" ] &&
	[ "$(jq -c ".runs[0] | [.position, .host, .benchmark, .replicate, .levels, .recorded]" out)" = \
		"[1,\"alpha\",\"copy\",1,{\"place\":\"memory\",\"block_kib\":\"64\"},null]" ]
'

test_expect 'run --dry-run shows the same and makes nothing' '
	assay plan experiment.yaml >a && assay run --dry-run experiment.yaml >b &&
	expect_same a b && [ ! -e results ]
'

test_expect 'a store that is none is told, exit 3' '
	echo "not a store" >fake.db &&
	expect_exit 3 assay plan experiment.yaml --store fake.db 2>err &&
	expect_line "^assay: fake.db" err
'

test_expect 'what needs results says how to get them' '
	for command in status analyze plot table report; do
		expect_exit 2 assay $command experiment.yaml 2>err &&
		expect_line "^assay: nothing is recorded in results/first.db yet: .*assay run experiment.yaml" err ||
		return 1
	done
'

# a hard factor with a definition, one on top of it, one left out in part
mkdir -p library/treatments
for name in disk cache; do
	cat >library/treatments/$name.yaml <<-END
	treatment: $name
	doc: Nothing.
	apply: "true"
	verify: "true"
	revert: "true"
	END
done
echo "cost: 60" >>library/treatments/disk.yaml
cat >hard.yaml <<'END'
assay: 1
experiment: hard
hosts: {here: local}
factors:
  disk: {use: disk, levels: [a, b], change: hard}
  cache: {use: cache, levels: [x, y]}
  size: {range: [1, 40], step: 1}
design: {replicates: 2, exclude: "size > 2", order: {kind: randomized, seed: 3}}
benchmarks:
  write: {run: 'echo "v=1"', timeout: 5s, responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}}
END

test_expect 'whole plots begin where their number stands' '
	assay plan hard.yaml --all >out &&
	expect_line "^  design    full factorial, 2 replicates in rounds; whole plots by disk$" out &&
	expect_line "^  excluded  152 combinations$" out &&
	expect_line "^  factor    disk (disk): a, b; hard to change$" out &&
	expect_line "^  factor    size: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ..., 40 (40 levels)$" out &&
	assay plan hard.yaml --json >plan.json &&
	[ "$(jq -c "[.runs[].plot] | unique" plan.json)" = "[1,2,3,4]" ] &&
	[ "$(jq -r ".runs[] | \"\(.plot) \(.levels.disk)\"" plan.json | sort -u | wc -l)" -eq 4 ] &&
	[ "$(grep -c "^ *[0-9]*   \(round [12]\)\?  *[1-4]   here" out)" -eq 4 ] &&
	[ "$(grep -c "round [12] " out)" -eq 2 ]
'

test_expect 'what is put anew between two runs is in its column' '
	jq -r ".runs[] | \"\(.levels.disk) \(.levels.cache) \(.changes | join(\",\"))\"" plan.json >changes &&
	awk "{
		wanted = \$1 != disk ? \"disk,cache\" : \$2 != cache ? \"cache\" : \"\"
		if (wanted != \$3) { print NR \": \" \$0; exit 1 }
		disk = \$1; cache = \$2
	}" changes &&
	expect_line "#1   disk, cache" out && expect_line "^run .* changes .* recorded$" out
'

test_expect 'what it costs: runs, changes, and what is declared of their time' '
	n=$(grep -c "cache$" changes) && d=$(grep -c "disk" changes) &&
	expect_line "^  cost      16 runs, $d changes of disk, $n changes of cache, at least $((d + 1)) min 00 s$" out &&
	expect_line "^  time      of runs unknown .*; changes as their definitions declare: disk; not known of changes: cache$" out &&
	[ "$(jq -c ".cost | [.runs, .reboots, .untimed_runs, (.layers[] | [.name, .source])]" plan.json)" = \
		"[16,0,16,[\"disk\",\"declared\"],[\"cache\",\"unknown\"]]" ] &&
	[ "$(jq ".settings_applied == .cost.changes" plan.json)" = true ]
'

test_expect 'once there are records, times are measured' '
	assay run hard.yaml --replicates 1 -q >/dev/null 2>&1 &&
	assay plan hard.yaml >out &&
	expect_line "^  cost      8 runs, [12] changes of disk, [0-9]* changes of cache, about [0-9.]* m\?s$" out &&
	expect_line "^  time      of runs as in 8 recorded ones; changes as recorded: disk, cache$" out &&
	expect_line "^  recorded  8 of 16 in results/hard.db (8 ok; campaign" out
'

test_expect 'when all is recorded nothing is left to do' '
	assay run hard.yaml -q >/dev/null 2>&1 && assay plan hard.yaml >out &&
	expect_line "^  cost      none: every run is recorded$" out
'

test_expect '--diff: new levels, what is missing, what is no longer asked for' '
	sed "s/range: \[1, 40\], step: 1/levels: [1, 3]/" hard.yaml >changed.yaml &&
	sed -i "s/ exclude: \"size > 2\",//; s/replicates: 2/replicates: 3/" changed.yaml &&
	assay plan changed.yaml --diff --limit 3 >out &&
	expect_line "^hard: 8 runs of the plan recorded in campaign [0-9a-f]*, 0 planned before, not made yet, 16 new in the file, 8 recorded that are no longer asked for$" out &&
	expect_line "^size *3 *12 *new level$" out &&
	expect_line "^size *2 *8 *gone$" out &&
	expect_line "^size *1 *8 *4 *$" out &&
	[ "$(grep -c "^+ write/" out)" -eq 3 ] && expect_line "^\.\.\. and 13 more (--all)$" out &&
	[ "$(grep -c "^- write/" out)" -eq 3 ] &&
	assay plan changed.yaml --diff --json >out.json &&
	[ "$(jq -c "[.counts.recorded, .counts.new, .counts.gone, .recipe_differs, (.new | length)]" out.json)" = "[8,16,8,false,16]" ]
'

test_expect '--diff tells what was planned before from what is new, and gone levels by number' '
	cat >levels.yaml <<END &&
assay: 1
experiment: levels
hosts: {here: local}
factors: {size: [10, 9, 2, 1]}
design: {replicates: 1, order: {kind: as-written}}
benchmarks: {b: {run: echo 1, responses: {v: {regex: ".+", uom: s, better: lower}}}}
END
	assay run levels.yaml -q --skip size=1 &&
	sed -i "s/10, 9, 2, 1/1, 3/" levels.yaml &&
	sqlite3 results/levels.db "INSERT INTO run SELECT 99, campaign, replace(key, \"size=10\", \"size=1\"), benchmark, treatment, replicate, host, 99 FROM run LIMIT 1" &&
	assay plan levels.yaml --diff >out &&
	expect_line " 0 runs of the plan recorded in .*, 1 planned before, not made yet, 1 new in the file, 3 recorded" out &&
	expect_line "^factor *level *recorded *not made yet *new *gone" out &&
	[ "$(sed -n "s/^size *\([0-9]*\) .*/\1/p" out | tr "\n" " ")" = "1 3 2 9 10 " ] &&
	expect_line "^new in the file:$" out && expect_line "^planned before, not made yet:$" out &&
	[ "$(assay plan levels.yaml --diff --json | jq -c "[.counts.not_made, .counts.new, .not_made]")" = "[1,1,[\"b/size=1#1\"]]" ]
'

test_expect '--diff says when a new campaign would begin' '
	sed "s/v=1/v=2/" hard.yaml >other.yaml && assay plan other.yaml --diff >out &&
	expect_line "^the file measures something else than campaign [0-9a-f]* did: a new campaign would begin, and make all 16 runs$" out &&
	[ "$(assay plan other.yaml --diff --json | jq .recipe_differs)" = true ] &&
	assay plan order.yaml --store none.db --diff >out &&
	expect_line "^order: nothing is recorded in none.db; all 40 runs are new$" out
'

cat >fraction.yaml <<'END'
assay: 1
experiment: fraction
hosts: {here: local}
factors: {a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1]}
design: {kind: fractional, generators: {d: a*b*c}, replicates: 2}
benchmarks:
  write: {run: 'echo "v=1"', timeout: 5s, responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}}
END

test_expect 'a fraction shows its resolution and what cannot be told apart' '
	assay plan fraction.yaml >out &&
	expect_line "^  design    fractional factorial, 2 replicates in rounds$" out &&
	expect_line "^effects that cannot be told apart (resolution IV; I = a\*b\*c\*d):$" out &&
	expect_line "^  a\*b = c\*d$" out && expect_line "^  clear of one another: a, b, c, d$" out &&
	[ "$(assay plan fraction.yaml --json | jq -c ".matrices[0].fraction | [.resolution, .relation, .aliases[4]]")" = \
		"[4,\"I = a*b*c*d\",\"a*b = c*d\"]" ]
'

cat >suite.yaml <<'END'
assay: 1
experiment: suite
hosts: {here: local}
factors: {a: [0, 1], b: [x, y, z]}
benchmarks:
  write: {run: 'echo "v=1"', timeout: 5s, responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}}
  copy: {run: 'echo "v=1"', timeout: 5s, responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}}
design: {replicates: 2, order: {kind: randomized, seed: 1}}
matrices:
  one: {factors: [a], benchmarks: [write]}
  two: {factors: [b], benchmarks: [copy], design: {replicates: 3, order: {kind: as-written}}}
END

test_expect 'matrices are counted one by one, absent factors are no levels' '
	assay plan suite.yaml --all >out &&
	expect_line "^suite: 2 factors, 5 treatments, 2 benchmarks, 13 runs on 1 host$" out &&
	expect_line "^  matrix    one: full factorial of 1 factor, 2 treatments, 1 benchmark, 4 runs, 2 replicates in rounds$" out &&
	expect_line "^  matrix    two: full factorial of 1 factor, 3 treatments, 1 benchmark, 9 runs, 3 replicates in rounds$" out &&
	expect_line "^  order     randomized, seed 1 (from the file); of some matrices as written$" out &&
	expect_line "^ *[0-9]*   0   -$" out &&
	assay plan suite.yaml --json >out &&
	[ "$(jq -c "[.matrices[].name], .runs[0].levels.b, [.runs[].matrix] | tostring" out | sort -u | wc -l)" -eq 3 ] &&
	[ "$(jq -c ".runs[0].levels.b" out)" = null ]
'

test_expect 'levels that depend on the host are asked for, and kept with the campaign' '
	sed "s/levels: \[1, 16, 256\]/levels: [1, \"= here.cpus * 1000\"]/" experiment.yaml >cpus.yaml &&
	n=$(($(grep -c ^processor /proc/cpuinfo) * 1000)) &&
	assay plan cpus.yaml --store cpus.db >out 2>err &&
	expect_line "^  factor    block_kib: 1, $n$" out &&
	expect_line "^  fact      cpus of here is $((n / 1000))$" out && expect_line "^here: asked" err &&
	assay check cpus.yaml >out 2>err && expect_line "cpus of here, which is not known yet: counted as if it were 1" err &&
	assay run cpus.yaml --store cpus.db --replicates 1 -q >out 2>err &&
	assay plan cpus.yaml --store cpus.db >out 2>err && expect_no_line "asked" err &&
	expect_line "^  recorded  2 of 10 " out &&
	assay analyze cpus.yaml --store cpus.db >out 2>err && expect_line "$n" out
'

test_expect 'the first line of a large plan comes at once' '
	cat >large.yaml <<-END &&
	assay: 1
	experiment: large
	hosts: {here: local}
	factors: {a: {range: [1, 100], step: 1}, b: {range: [1, 100], step: 1}}
	design: {replicates: 10}
	benchmarks:
	  write: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
	END
	assay plan large.yaml --all | head -n 1 >out &&
	expect_line "^large: 2 factors, 10000 treatments, 1 benchmark, 100000 runs on 1 host$" out
'

test_expect 'fewer replicates than the file plans are shown as asked for' '
	assay plan suite.yaml --replicates 1 >out &&
	expect_line "^  matrix .* 1 replicate of the 2 that the file plans in rounds$" out &&
	[ "$(assay plan suite.yaml --replicates 1 --json | jq -c "[.matrices[0].replicates, .matrices[0].replicates_most]")" = "[1,1]" ] &&
	assay plan suite.yaml --replicates 3 >out && expect_line "^  matrix .* 3 replicates in rounds$" out
'

test_expect 'help names every key of the JSON, and seconds are whole milliseconds' '
	assay help plan >help && assay plan fraction.yaml --json >a && assay plan levels.yaml --json >b &&
	for key in $(jq -r "del(.treatment_levels, .runs[].levels, .runs[].hosts) | paths | .[-1] | strings" a b | sort -u); do
		grep -qw "$key" help || { echo "no $key"; return 1; }
	done &&
	printf "%s\n" "treatment: tenth" "doc: Nothing." "cost: 100ms" "apply: \"true\"" "verify: \"true\"" "revert: \"true\"" >tenth.yaml &&
	mkdir -p library/treatments && mv tenth.yaml library/treatments &&
	printf "%s\n" "assay: 1" "experiment: ms" "hosts: {here: local}" "factors: {f: {use: tenth, levels: [a, b]}}" \
		"design: {replicates: 1, order: {kind: as-written}}" \
		"benchmarks: {b: {run: echo 1, responses: {v: {regex: \".+\"}}}}" >ms.yaml &&
	[ "$(assay plan ms.yaml --json | jq -c "[.cost.seconds, .cost.seconds_most, .cost.layers[0].seconds]" )" = "[0.3,0.3,0.3]" ]
'

test_done
