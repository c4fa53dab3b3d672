#!/bin/sh
# Two families that are files beside the experiment: storage levels supply
# what the platform above them uses, and the platform is entered.
. "$(dirname "$0")/test-lib.sh"

mkdir -p treatments/box treatments/store
cat >treatments/box/none.yaml <<'END'
treatment: box/none
apply: 'true'
verify: 'true'
revert: 'true'
END
cat >treatments/box/toy.yaml <<'END'
treatment: box/toy
params:
  toy_args: {default: nothing, doc: what is handed in}
  state: {type: path, doc: where it says that it is there}
save: '[ ! -e "$state" ] && echo none'
apply: echo "$box $toy_args" >"$state"
verify: '[ "$(cat "$state")" = "$box $toy_args" ]'
show: cat "$state"
revert: rm -f "$state"
enter: |
  echo "entering $level with $toy_args"
  inside=$box exec sh -s
END
for level in near far; do
	cat >treatments/store/$level.yaml <<END
treatment: store/$level
params:
  root: {type: path, default: /tmp, doc: where it is}
set:
  toy_args: --from \${root}/\${level}
apply: 'true'
verify: '[ "\$toy_args" = "--from \$root/\$level" ]'
revert: 'true'
END
done
cat >x.yaml <<END
assay: 1
experiment: x
hosts: {here: local}
factors:
  store: {use: store, root: /data, levels: [near, {name: far, root: /else}]}
  box: {use: box, levels: [none, toy], state: $PWD/state}
design: {order: {kind: as-written}}
benchmarks:
  where:
    run: echo "1 inside=\${inside:-no} args=\$toy_args store=\$store"
    timeout: 10s
    responses: {v: {regex: '^\d', uom: '1', better: higher}}
END

# said STORE BOX: what the run printed
said() {
	assay show x.yaml --raw stdout "where/box=$2,store=$1#1"
}

test_expect 'the levels are the files, and the file is right' '
	assay check x.yaml >out 2>err && expect_line "2 factors, 4 treatments" out
'

test_expect 'every combination runs, and the platform is left again' '
	assay run x.yaml >out 2>err && assay status x.yaml >out &&
	expect_line "^all  *4  *4  *0  *0  *0  *0\$" out && [ ! -e state ]
'

test_expect 'the platform was entered with what the storage supplies' '
	said near toy >out &&
	expect_line "^entering toy with --from /data/near\$" out &&
	expect_line "^1 inside=toy args=--from /data/near store=near\$" out &&
	said far toy >out &&
	expect_line "^entering toy with --from /else/far\$" out &&
	expect_line "^1 inside=toy args=--from /else/far store=far\$" out
'

test_expect 'where there is nothing to enter, nothing is' '
	said near none >out &&
	[ "$(cat out)" = "1 inside=no args=--from /data/near store=near" ]
'

test_expect 'the evidence is kept' '
	assay show x.yaml "where/box=toy,store=far#1" >out &&
	expect_line "toy --from /else/far" out
'

test_expect 'one more file is one more platform' '
	sed "s/box\/toy/box\/other/" treatments/box/toy.yaml >treatments/box/other.yaml &&
	sed "s/levels: \[none, toy\]/levels: [none, toy, other]/" x.yaml >more.yaml &&
	assay check more.yaml >out 2>err && expect_line "6 treatments" out &&
	assay run more.yaml >out 2>err && assay status more.yaml >out &&
	expect_line "^all  *6  *6  *0  *0  *0  *0\$" out
'

test_expect 'a platform that cannot be entered fails the run' '
	sed -i "s/^  inside=.*/  echo no way in >\&2; exit 9/" treatments/box/other.yaml &&
	expect_exit 1 assay run more.yaml >out 2>err
'

test_done
