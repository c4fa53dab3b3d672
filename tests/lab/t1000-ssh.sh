#!/bin/sh
# The whole pipeline over real SSH, and what can be wrong with a host.
. "$(dirname "$0")/../cli/test-lib.sh"
. "$TEST_TOP/tests/lab/lab-lib.sh"

lab_start alpha beta
git init -q . && printf 'lab/\nresults/\nhome/\n.out\n' >.gitignore
lab_experiment x.yaml 2 0
git add .gitignore x.yaml && git commit -qm 'an experiment'
head=$(git rev-parse HEAD)
lab_host_state >before

test_expect 'eight runs over two hosts' '
	expect_exit 0 assay run x.yaml >run.log 2>&1 &&
	[ "$(wc -l <measured)" -eq 8 ] &&
	assay status x.yaml --json >status.json &&
	[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 8 ] &&
	[ "$(jq -r "[.runs[].host] | unique | join(\" \")" status.json)" = "alpha beta" ]
'
test_expect 'the hosts are as they were found' '
	lab_host_state >after && expect_same before after
'
test_expect 'the file system was what the level says, in every run' '
	for i in 1 2 3 4 5 6 7 8; do
		assay show x.yaml $i --raw stdout >out || return 1
		assay show x.yaml $i >text || return 1
		if grep -q place=memory text; then
			expect_line "^tmpfs" out || return 1
		else
			expect_no_line "^tmpfs" out || return 1
		fi
	done
'
# the definition of work-dir lies outside this repository: a snapshot of both
test_expect 'the figure names the commit that the run was tied to' '
	commit=$(sed -n "s/^commit \([0-9a-f]*\).*/\1/p" run.log) &&
	[ -n "$commit" ] && full=$(git rev-parse "$commit") &&
	[ "$(git rev-parse "$full^")" = "$head" ] &&
	git cat-file -e "$full:x.yaml" &&
	assay plot x.yaml --out figs --format pdf,svg &&
	grep -q "$full" figs/rates.svg &&
	pdfinfo figs/rates.pdf | grep -q "$full"
'
test_expect 'the same results give the same bytes' '
	assay plot x.yaml --out figs2 --format pdf,svg &&
	cmp figs/rates.svg figs2/rates.svg && cmp figs/rates.pdf figs2/rates.pdf
'
test_expect 'branch, index and work tree are untouched by a dirty run' '
	echo "# changed" >>x.yaml && git status --porcelain >s1 &&
	expect_exit 0 assay run x.yaml &&
	git status --porcelain >s2 && grep -v " s[12]$" s1 >a; grep -v " s[12]$" s2 >b
	expect_same a b && [ "$(git rev-parse HEAD)" = "$head" ] &&
	git for-each-ref refs/assay | grep -q refs/assay/
'

bad_host() {
	sed "s/experiment: lab/experiment: $1/" x.yaml >"$1.yaml"
}

test_expect 'a changed host key is refused, with file and line' '
	bad_host changed && cp lab/known_hosts known_hosts.good &&
	ssh-keygen -q -t ed25519 -N "" -f other &&
	{ echo "# a comment"; awk -v key="$(cut -d" " -f2 other.pub)" "
		{ \$3 = key; print }" known_hosts.good; } >lab/known_hosts &&
	expect_exit 3 assay run changed.yaml 2>err
	cp known_hosts.good lab/known_hosts
	expect_line "alpha.*changed\|changed.*alpha" err && expect_line "known_hosts line 2" err
'
test_expect 'an unknown host key is refused, with a fingerprint' '
	: >lab/known_hosts; bad_host unknown
	expect_exit 3 assay run unknown.yaml 2>err
	cp known_hosts.good lab/known_hosts
	expect_line "SHA256:" err && expect_line "known_hosts" err
'
test_expect 'a refused key is named' '
	bad_host refused &&
	ssh-keygen -q -t ed25519 -N "" -f stranger &&
	sed "s|IdentityFile .*|IdentityFile $PWD/stranger|" lab/ssh_config >lab/ssh_config.stranger &&
	sed -i "s|lab/ssh_config|lab/ssh_config.stranger|" refused.yaml &&
	expect_exit 3 assay run refused.yaml 2>err
	expect_line "stranger" err
'
test_expect 'an unreachable host does not stop the other' '
	bad_host gone && "$TEST_TOP/tests/lab/sshd.sh" start "$TEST_DIR/lab2" gamma &&
	cat lab2/ssh_config >>lab/ssh_config &&
	"$TEST_TOP/tests/lab/sshd.sh" stop "$TEST_DIR/lab2" &&
	sed -i "s/ssh: assay-beta/ssh: assay-gamma/" gone.yaml &&
	expect_exit 3 assay run gone.yaml 2>err
	expect_line "beta.*refused" err &&
	assay status gone.yaml --json >status.json &&
	[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 4 ]
'
test_expect 'nothing was measured on a host that was refused' '
	for x in changed unknown refused; do
		assay status $x.yaml --json >status.json || return 1
		[ "$(jq -r "[.runs[] | select(.outcome == \"ok\")] | length" status.json)" = 0 ] || return 1
	done
'

test_done
