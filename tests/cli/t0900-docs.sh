#!/bin/sh
# What the manual shows must work: the files in the tutorial and in the
# format's manual page are taken out of them and checked.
. "$(dirname "$0")/test-lib.sh"

# Writes the code block after each "<!-- file: NAME -->" into NAME.
take_files() {
	awk '
		/^<!-- file: .* -->$/ { name = $3; next }
		name && !inside && /^```/ { inside = 1; printf "" >name; next }
		inside && /^```/ { close(name); inside = 0; name = ""; next }
		inside { print >name }
	' "$1"
}

# The text of the display in the manual page that begins with the line $2.
take_display() {
	awk -v first="$2" '
		$0 == first { inside = 1 }
		/^\.Ed/ { inside = 0 }
		inside { gsub(/\\en/, "\\n"); print }
	' "$1"
}

mkdir reference
test_expect 'the experiment of the reference is right, its profile too' '
	(cd reference && take_files "$TEST_TOP/docs/experiment-file.md" &&
		assay check experiment.yaml) >out &&
	expect_line "^experiment.yaml: ok: 3 factors" out &&
	expect_line "profile quick: ok" out
'

test_expect 'the reference of all keys is that of the tables' '
	ASSAY=assay "$TEST_TOP/docs/keys.sh" >keys &&
	sed "1,/^<!-- keys:/d" "$TEST_TOP/docs/experiment-file.md" >written &&
	diff written keys
'

test_expect 'all pieces of YAML in the reference are YAML' '
	awk "/^\`\`\`yaml/ { n++; f = \"piece\" n \".yaml\"; next }
		/^\`\`\`/ { f = \"\"; next }
		f { print >f }" "$TEST_TOP/docs/experiment-file.md" &&
	[ "$(ls piece*.yaml | wc -l)" -gt 100 ] &&
	for piece in piece*.yaml; do
		python3 -c "import sys, yaml; yaml.safe_load(open(sys.argv[1]))" \
			$piece || { cat $piece; return 1; }
	done
'

mkdir -p library/treatments
test_expect 'the tutorial has five files' '
	take_files "$TEST_TOP/docs/tutorial.md" &&
	test -s experiment.yaml && test -s .gitignore &&
	test -s corpus.yaml && test -s matrix.yaml &&
	test -s library/treatments/corpus.yaml
'

test_expect 'the first experiment of the tutorial is right' '
	assay check experiment.yaml
'

test_expect 'the second experiment of the tutorial is right' '
	assay check corpus.yaml
'

test_expect 'the matrix of the tutorial is right, and so is its profile' '
	assay check matrix.yaml >out && expect_line "^matrix.yaml: ok: 3 factors, 7 treatments" out &&
	expect_line "profile quick: ok" out
'

test_expect 'the slip in the tutorial is recognised' '
	sed "s/replicates: 10/replicate: 10/" experiment.yaml >slip.yaml &&
	! assay check slip.yaml >out 2>&1 &&
	grep "replicates" out
'

test_expect 'the experiment of the manual page is right' '
	take_display "$TEST_TOP/docs/assay-experiment.5" "assay: 1" >man.yaml &&
	assay check man.yaml
'

test_expect 'the treatment of the manual page is right' '
	take_display "$TEST_TOP/docs/assay-experiment.5" \
		"treatment: swappiness" \
		>library/treatments/swappiness.yaml &&
	sed "s/^  effort: .*/&\n  swap: {use: swappiness, levels: [0, 100]}/
		s/x: effort/&, series: swap/" man.yaml >swap.yaml &&
	assay check swap.yaml
'

test_expect 'the first experiment of the tutorial ends in charts' '
	git init -q . && git add experiment.yaml .gitignore && git commit -q -m first &&
	sed -i "s/replicates: 10/replicates: 2/" experiment.yaml &&
	assay run experiment.yaml && assay report experiment.yaml &&
	assay plot experiment.yaml && test -s results/gzip-effort/time.svg &&
	[ -z "$(git status --porcelain -- results)" ]
'

test_expect 'the second experiment of the tutorial leaves nothing behind' '
	sed -i "s/replicates: 5/replicates: 2/
		s,{use: corpus,&\, corpus: $TEST_DIR/corpus," corpus.yaml &&
	assay run corpus.yaml && assay report corpus.yaml &&
	! test -e "$TEST_DIR/corpus"
'

test_done
