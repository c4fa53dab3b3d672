#!/bin/sh
# Runs that several hosts take part in.
. "$(dirname "$0")/test-lib.sh"

mkdir -p library/treatments
cat >library/treatments/mark.yaml <<'END'
treatment: mark
doc: Nothing.
applies_to: server
apply: "true"
verify: "true"
revert: "true"
END
cat >exp.yaml <<'END'
assay: 1
experiment: exp
hosts: {left: {ssh: l}, c1: {ssh: c1}, c2: {ssh: c2}, c3: {ssh: c3}}
roles:
  server: left
  client: {hosts: [c1, c2, c3], count: "= clients"}
factors:
  clients: [1, 2, 3]
  tune: {use: mark, levels: [a]}
design: {replicates: 1, order: {kind: as-written}}
benchmarks:
  tcp:
    services:
      - {name: echo, role: server, run: exec cat, ready: {tcp: "5201"}, timeout: 5s}
    run: {role: client, script: "echo v=1"}
    responses: {v: {regex: 'v=([0-9]+)', uom: s, better: lower}}
END
# with_count EXPR: the same file with another count
with_count() {
	sed "s|= clients|= $1|" exp.yaml >other.yaml
}

test_expect 'plan names every host of a run' '
	assay plan exp.yaml >out &&
	expect_line "^ *1 *round 1 *c1 *server: left *tcp/clients=1," out &&
	expect_line "^ *2 *c1, c2 *server: left *tcp/clients=2," out &&
	expect_line "^ *3 *c1, c2, c3 *server: left *tcp/clients=3," out &&
	[ "$(assay plan exp.yaml --json | jq -c ".runs[1] | [.host, .hosts]")" = \
		"[\"c1\",{\"client\":[\"c1\",\"c2\"],\"server\":[\"left\"]}]" ]
'

test_expect 'a plan whose runs have one host has no column for others' '
	sed "/services/,/name: echo/d; /tune/d" exp.yaml >alone.yaml &&
	assay plan alone.yaml >out &&
	expect_line "^ *2 *c1, c2 *tcp/clients=2#1" out && expect_no_line "^run.* with " out
'

test_expect 'explain names them with their roles' '
	assay explain exp.yaml 2 >out &&
	expect_line "^  host       c1 (role client, 2 of its 3 hosts), exp.yaml:3:" out &&
	expect_line "^  host       c2 (role client, 2 of its 3 hosts), " out &&
	expect_line "^  host       left (role server), " out &&
	[ "$(assay explain exp.yaml 3 --json | jq -c .hosts)" = "{\"client\":[\"c1\",\"c2\",\"c3\"],\"server\":[\"left\"]}" ]
'

test_expect '--script says what each host gets' '
	assay plan exp.yaml --script 2 >out &&
	expect_line "^# host left: apply tune=a$" out && expect_no_line "^# host c1: apply" out &&
	expect_line "^# host left: service echo (exp.yaml:14:9): planned, but" out &&
	expect_line "^# host c2: run, at the same time, as role client (exp.yaml:6:[0-9]*): planned" out &&
	expect_line "^# host c1: run tcp/" out && expect_line "^# host left: revert tune=a$" out &&
	expect_no_line "c3" out
'

# refused COUNT TEXT: at its place, by everything that plans
refused() {
	with_count "$1" && for command in check plan "run --dry-run" explain; do
		run=
		[ "$command" = explain ] && run=1
		expect_exit 2 assay $command other.yaml $run 2>err &&
		expect_line "^other.yaml:6:40: $2$" err || return 1
	done
}

test_expect 'a computed count is at least one, whole, and not more than the pool' '
	expect_exit 0 assay check exp.yaml &&
	refused "clients - 2" "role \"client\": \"count\" .*at least 1; got \"-1\", in treatment clients=1,tune=a" &&
	refused "clients - 1" ".*got \"0\", in treatment clients=1,tune=a" &&
	refused "clients / 2" ".*got \"0.5\", in treatment clients=1,tune=a" &&
	refused "clients + 1" "role \"client\" needs 4 hosts at once, but has 3, in treatment clients=3,tune=a" &&
	refused "1 / (clients - 1)" "role \"client\": \"count\": clients - 1 is 0: there is no dividing by it, in treatment clients=1,tune=a" &&
	refused "tune" ".*got \"a\", in treatment clients=1,tune=a"
'

test_done
