#!/bin/sh
# Completion scripts, tried in the shells themselves.
. "$(dirname "$0")/test-lib.sh"

# complete WORD...: what bash offers for the last word
complete() {
	bash --norc --noprofile -c '
		source ./assay.bash
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_assay 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}" | sort -u
	' bash "$@"
}

touch one.yaml two.yml notes.txt
mkdir sub
assay completion bash >assay.bash
assay completion zsh >_assay
assay completion fish >assay.fish
cat >exp.yaml <<'END'
assay: 1
experiment: exp
hosts: {here: local, there: local}
roles: {sut: [here, there]}
factors:
  place: [disk, memory, in between]
  plain: [1, 2]
design: {replicates: 1}
benchmarks:
  write: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
  copy: {run: echo 1, timeout: 1s, responses: {v: {regex: "[0-9]"}}}
charts:
  rate: {kind: bars, benchmark: write, x: place, series: plain, y: v, interval: ci95}
tables:
  rates: {benchmark: write, y: v, rows: [place, plain], cell: mean-sd}
profiles:
  quick: {}
  quite-long: {}
END

# zsh_complete LINE: what zsh offers at the end of the line
cat >complete.zsh <<'END'
zmodload zsh/zpty
here=$PWD/zsh.$$
mkdir $here
wait_for() {
	local text i
	for ((i = 0; i < 1500; i++)); do
		[[ -e $1 ]] && return
		zpty -r -t z text 2>/dev/null
		sleep 0.02
	done
	print "waited in vain for $1"
}
say() {
	zpty -w z "$1"
}
zpty z zsh -f -i
say "fpath=($PWD \$fpath); autoload -Uz compinit; compinit -u -D"
say "compadd() { local -a hits; builtin compadd -O hits \"\$@\"
print -rl -- \$hits >>$here/hits; builtin compadd \"\$@\" }"
say "bindkey '^I' complete-word; bindkey '^U' kill-whole-line
print >$here/ready"
wait_for $here/ready
zpty -w -n z "$1"$'\t'
wait_for $here/hits
say $'\x15'"print >$here/done"
wait_for $here/done
zpty -d z
grep . $here/hits | sort -u
END
zsh_complete() {
	zsh -f complete.zsh "$1"
}

fish_complete() {
	fish -c "source assay.fish; complete -C '$1'" | cut -f1 | sort -u
}

test_expect 'bash takes the script without a word' '
	bash --norc -n assay.bash && bash --norc -c ". ./assay.bash; complete -p assay"
'

test_expect 'bash completes commands' '
	[ "$(complete assay pl)" = "plan
plot" ] && complete assay "" >all &&
	for name in $(assay help --commands); do
		grep -qx "$name" all || return 1
	done
'

test_expect 'bash completes options, those with a value with =' '
	[ "$(complete assay plan --s)" = "--script=
--seed=
--skip=
--store=" ] && [ "$(complete assay plan --j)" = --json ]
'

test_expect 'bash completes the words of an option' '
	[ "$(complete assay plot x.yaml --format s)" = svg ] &&
	[ "$(complete assay plot x.yaml --format = p)" = "pdf
png" ] && [ "$(complete assay show x.yaml 1 --raw = stde)" = stderr ]
'

test_expect 'bash completes the second word of a list' '
	[ "$(complete assay plot x.yaml --format pdf,s)" = pdf,svg ]
'

test_expect 'bash completes experiments and directories for FILE' '
	[ "$(complete assay check "")" = "exp.yaml
home
one.yaml
sub
two.yml" ] && [ "$(complete assay check one.yaml tw)" = two.yml ] &&
	[ "$(complete assay plan --seed 7 on)" = one.yaml ]
'

test_expect 'bash completes nothing after the last operand' '
	[ -z "$(complete assay plan one.yaml o)" ]
'

test_expect 'bash completes files of every kind for --store' '
	[ "$(complete assay plan --store no)" = notes.txt ]
'

test_expect 'bash completes commands for help, shells for completion' '
	[ "$(complete assay help re)" = "report
restore" ] && [ "$(complete assay completion z)" = zsh ]
'

test_expect 'bash completes factors, then their levels' '
	[ "$(complete assay plan exp.yaml --only pl)" = "place=
plain=" ] && [ "$(complete assay plan exp.yaml --only b)" = benchmark= ] &&
	[ "$(complete assay plan exp.yaml --only place = m)" = memory ] &&
	[ "$(complete assay plan exp.yaml --only = place = m)" = memory ] &&
	[ "$(complete assay run exp.yaml --skip = plain =)" = "1
2" ] && [ "$(complete assay plan exp.yaml --only benchmark = c)" = copy ]
'

test_expect 'bash completes the levels that are not there yet' '
	[ "$(complete assay plan exp.yaml --only place = disk,)" = "disk,in\\ between
disk,memory" ] && [ "$(complete assay plan exp.yaml --only plain = 1,2,)" = "" ]
'

test_expect 'bash completes names from the file, wherever it stands' '
	[ "$(complete assay plan --profile q exp)" = exp.yaml ] &&
	[ "$(complete assay plan exp.yaml --profile q)" = "quick
quite-long" ] && [ "$(complete assay plan exp.yaml --profile = qui)" = "quick
quite-long" ] && [ "$(complete assay plot exp.yaml r)" = rate ] &&
	[ "$(complete assay table --format text exp.yaml rates r)" = rates ] &&
	[ "$(complete assay restore exp.yaml "")" = "here
there" ]
'

test_expect 'bash completes run keys, which readline splits at =' '
	[ "$(complete assay show exp.yaml copy/place = me)" = "memory,plain=1#1
memory,plain=2#1" ] &&
	[ "$(complete assay show exp.yaml copy/place = memory,plain = 2)" = "2#1" ]
'

test_expect 'bash completes run numbers, shorter than keys' '
	[ "$(complete assay explain exp.yaml "" | sort -n | tr "\n" " ")" = "1 2 3 4 5 6 7 8 9 10 11 12 " ] &&
	[ "$(complete assay explain exp.yaml 1 | tr "\n" " ")" = "1 10 11 12 " ] &&
	[ "$(complete assay show exp.yaml co | head -n 1)" = "copy/place=disk,plain=1#1" ]
'

cat >vars.yaml <<'END'
assay: 1
experiment: vars
hosts: {here: local}
factors:
  a: {levels: [{name: x, set: {only_x: 1}}, {name: y, set: {only_y: 1}}]}
design: {replicates: 1, order: {kind: randomized, seed: 1}}
benchmarks:
  b: {run: echo 1, with: {only_b: 1}, responses: {v: {regex: "[0-9]"}}}
  c: {run: echo 1, with: {only_c: 1}, responses: {v: {regex: "[0-9]"}}}
END

test_expect 'bash completes the variables that the run has' '
	[ "$(complete assay explain vars.yaml b/a = y "only" | tr "\n" " ")" = "only_b only_y " ] &&
	[ "$(complete assay explain vars.yaml c/a = x#1 "only" | tr "\n" " ")" = "only_c only_x " ] &&
	n=$(assay explain vars.yaml b/a=x --json | jq .position) &&
	[ "$(complete assay explain vars.yaml $n only | tr "\n" " ")" = "only_b only_x " ] &&
	[ "$(complete assay explain vars.yaml nonsense only | wc -l)" -eq 4 ]
'

test_expect 'without the file, or with a wrong one, nothing is offered or said' '
	[ -z "$(complete assay plan --only pl)" ] &&
	echo "a: [" >wrong.yaml && [ -z "$(complete assay plan wrong.yaml --only pl)" ] &&
	rm wrong.yaml &&
	assay complete-words levels -- pl none.yaml >out 2>err &&
	[ ! -s out ] && [ ! -s err ] &&
	assay complete-words nonsense -- "" exp.yaml >out 2>err &&
	[ ! -s out ] && [ ! -s err ]
'

test_expect 'a file that is wrong elsewhere has its factors all the same' '
	sed "s/^charts:/chart:/" exp.yaml >wrong.yaml &&
	[ "$(complete assay plan wrong.yaml --only pl)" = "place=
plain=" ] && [ -z "$(complete assay show wrong.yaml wri)" ] && rm wrong.yaml
'

test_expect 'the command that completes is told to nobody' '
	! assay help --commands | grep complete-words && ! assay help | grep complete-words
'

if command -v zsh >/dev/null 2>&1; then
	test_expect 'zsh takes the script' 'zsh -n _assay'
	test_expect 'zsh completes commands and options' '
		zsh_complete "assay pl" >out && expect_line "^plan$" out &&
		expect_line "^plot$" out && expect_no_line "^run$" out &&
		[ "$(zsh_complete "assay plan --sk")" = --skip ]
	'
	test_expect 'zsh completes factors, levels and names from the file' '
		[ "$(zsh_complete "assay plan exp.yaml --only pl")" = "place=
plain=" ] && [ "$(zsh_complete "assay plan exp.yaml --only=place=disk,m")" = place=disk,memory ] &&
		[ "$(zsh_complete "assay run exp.yaml --profile=qui")" = "quick
quite-long" ] && [ "$(zsh_complete "assay plot exp.yaml r")" = rate ] &&
		[ "$(zsh_complete "assay show exp.yaml write/place=disk,")" = "write/place=disk,plain=1#1
write/place=disk,plain=2#1" ]
	'
else
	test_skip 'zsh takes the script' 'no zsh'
fi
if command -v fish >/dev/null 2>&1; then
	test_expect 'fish completes options' '
		fish -n assay.fish &&
		[ "$(fish_complete "assay plan --js")" = --json ]
	'
	test_expect 'fish completes factors, levels and names from the file' '
		[ "$(fish_complete "assay plan exp.yaml --only pl")" = "place=
plain=" ] && [ "$(fish_complete "assay plan exp.yaml --only=place=disk,m")" = --only=place=disk,memory ] &&
		[ "$(fish_complete "assay run exp.yaml --profile qui")" = "quick
quite-long" ] && [ "$(fish_complete "assay plot exp.yaml r")" = rate ] &&
		[ "$(fish_complete "assay show exp.yaml write/place=disk,")" = "write/place=disk,plain=1#1
write/place=disk,plain=2#1" ] &&
		[ "$(fish_complete "assay show --store exp.yaml exp.yaml copy/place=m" | head -n 1)" = "copy/place=memory,plain=1#1" ]
	'
else
	test_skip 'fish completes options' 'no fish'
fi

test_expect 'every command and option is in every script' '
	for name in $(assay help --commands); do
		for script in assay.bash _assay assay.fish; do
			grep -q "$name" $script || { echo "$script: $name"; return 1; }
			assay $name --help | sed -n "s/^  .*--\([a-z-]*\)[ =].*/\1/p" |
			while read -r option; do
				grep -q -e "--$option" -e "-l $option" $script ||
					{ echo "$script: $name --$option"; exit 1; }
			done || return 1
		done
	done
'

test_done
