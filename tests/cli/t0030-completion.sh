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
		printf "%s\n" "${COMPREPLY[@]}" | sort
	' bash "$@"
}

touch one.yaml two.yml notes.txt
mkdir sub
assay completion bash >assay.bash
assay completion zsh >_assay
assay completion fish >assay.fish

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
	[ "$(complete assay plan --s)" = "--seed=
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
	[ "$(complete assay check "")" = "home
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

if command -v zsh >/dev/null 2>&1; then
	test_expect 'zsh takes the script' 'zsh -n _assay'
else
	test_skip 'zsh takes the script' 'no zsh'
fi
if command -v fish >/dev/null 2>&1; then
	test_expect 'fish completes options' '
		fish -n assay.fish &&
		[ "$(fish -c "source assay.fish; complete -C \"assay plan --js\"" | cut -f1)" = --json ]
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
