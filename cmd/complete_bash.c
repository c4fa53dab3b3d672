#include "cmd/complete.h"

#include "base/buf.h"
#include "cmd/command.h"
#include "cmd/words.h"

static void add_words(struct buf *out, const struct opt_word *words)
{
	for (const struct opt_word *w = words; w->name; w++)
		buf_addf(out, "%s%s", w == words ? "" : " ", w->name);
}

/* The case that completes the value of an option. */
static void add_value(struct buf *out, const struct command *c,
		      const struct opt *o)
{
	buf_addf(out, "\t%s:--%s)", c->name, o->name);
	if (o->words) {
		buf_adds(out, " _assay_words \"");
		add_words(out, o->words);
		buf_adds(out, "\" ;;\n");
	} else if (o->kind == OPT_FILE) {
		buf_adds(out, " _assay_files '*' ;;\n");
	} else if (o->kind == OPT_DIR) {
		buf_adds(out, " _assay_dirs ;;\n");
	} else if (o->source) {
		buf_addf(out, " _assay_names %s ;;\n",
			 words_source_name(o->source));
	} else {
		buf_adds(out, " ;;\n");
	}
}

static void add_operand(struct buf *out, const struct operand *o)
{
	if (o->words) {
		buf_adds(out, " _assay_words \"");
		add_words(out, o->words);
		buf_adds(out, "\"");
	} else if (o->kind == OPERAND_EXPERIMENT) {
		buf_adds(out, " _assay_files '*.@(yaml|yml)'");
	} else if (o->kind == OPERAND_DIR) {
		buf_adds(out, " _assay_dirs");
	} else if (o->kind == OPERAND_COMMAND) {
		buf_adds(out, " _assay_words \"$commands\"");
	} else if (o->source) {
		buf_addf(out, " _assay_names %s",
			 words_source_name(o->source));
	}
	buf_adds(out, " ;;\n");
}

static void add_operands(struct buf *out, const struct command *c)
{
	int i = 0;

	for (const struct operand *o = c->operands; o->name; o++, i++) {
		if (o->many)
			buf_addf(out, "\t%s:*)", c->name);
		else
			buf_addf(out, "\t%s:%d)", c->name, i);
		add_operand(out, o);
	}
}

static void add_option_lists(struct buf *out)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		buf_addf(out, "\t%s) options=\"", c->name);
		for (const struct opt *o = c->options; o->name; o++)
			buf_addf(out, "--%s%s ", o->name,
				 o->kind == OPT_FLAG ? "" : "=");
		buf_adds(out, "--help\" ;;\n");
	}
}

static void add_values(struct buf *out)
{
	for (size_t i = 0; commands[i]; i++)
		for (const struct opt *o = commands[i]->options; o->name; o++)
			if (o->kind != OPT_FLAG)
				add_value(out, commands[i], o);
}

static const char helpers[] =
	"# bash completion for assay; made by 'assay completion bash'\n"
	"_assay_words() {\n"
	"\tlocal list=\n"
	"\t[[ $current == *,* ]] && list=${current%,*},\n"
	"\tmapfile -t COMPREPLY < <(compgen -P \"$list\" -W \"$1\" -- "
	"\"${current##*,}\")\n"
	"}\n"
	"_assay_files() {\n"
	"\tlocal glob\n"
	"\tglob=$(shopt -p extglob)\n"
	"\tshopt -s extglob\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tmapfile -t COMPREPLY < <(compgen -f -X \"!$1\" -- \"$current\"; "
	"compgen -d -- \"$current\")\n"
	"\t$glob\n"
	"}\n"
	"_assay_dirs() {\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tmapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n"
	"}\n"
	"# what only the experiment file knows\n"
	"_assay_names() {\n"
	"\tlocal word behind=\n"
	"\t[[ $value == *=* ]] && behind=${value%=*}=\n"
	"\twhile IFS= read -r word; do\n"
	"\t\tword=${word#\"$behind\"}\n"
	"\t\tprintf -v word %q \"$word\"\n"
	"\t\tword=${word//\\\\,/,}\n"
	"\t\tCOMPREPLY+=(\"$word\")\n"
	"\tdone < <(\"${COMP_WORDS[0]}\" complete-words \"$1\" -- \"$value\" "
	"\"${COMP_WORDS[@]:1}\" 2>/dev/null)\n"
	"\t[[ $1 == levels ]] && compopt -o nospace 2>/dev/null\n"
	"\treturn 0\n"
	"}\n";

/* Where on the line we are: the option, if any, and what is typed of a
 * word that readline has split. */
static const char place[] =
	"\tlocal current=${COMP_WORDS[COMP_CWORD]}\n"
	"\tlocal command=${COMP_WORDS[1]} option= options= i word n=0\n"
	"\tlocal at=$COMP_CWORD value\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $COMP_CWORD -eq 1 ]]; then\n"
	"\t\t_assay_words \"$commands --help --version\"\n"
	"\t\treturn\n"
	"\tfi\n"
	"\t# readline splits words at '='\n"
	"\tvalue=$current\n"
	"\tif [[ $current == = ]]; then\n"
	"\t\tvalue=${COMP_WORDS[--at]}= current=\n"
	"\tfi\n"
	"\twhile [[ at -gt 2 && ${COMP_WORDS[at - 1]} == = ]]; do\n"
	"\t\t((at -= 2))\n"
	"\t\tvalue=${COMP_WORDS[at]}=$value\n"
	"\tdone\n"
	"\tif [[ $value == --*=* ]]; then\n"
	"\t\toption=${value%%=*} value=${value#*=}\n"
	"\telif [[ ${COMP_WORDS[at - 1]} == --* ]]; then\n"
	"\t\toption=${COMP_WORDS[at - 1]}\n"
	"\tfi\n";

static const char options_and_count[] =
	"\tif [[ $current == -* ]]; then\n"
	"\t\t_assay_words \"$options\"\n"
	"\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tfor ((i = 2; i < at; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif [[ $word == = ]]; then\n"
	"\t\t\t((i++))\n"
	"\t\telif [[ $word == --* && \" $options \" == *\" $word= \"* && "
	"${COMP_WORDS[i + 1]} != = ]]; then\n"
	"\t\t\t((i++))\n"
	"\t\telif [[ $word != -* ]]; then\n"
	"\t\t\t((n++))\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tcase $command:$n in\n";

void complete_bash(struct buf *out)
{
	buf_adds(out, helpers);
	buf_adds(out, "_assay() {\n\tlocal commands=\"");
	for (size_t i = 0; commands[i]; i++)
		buf_addf(out, "%s%s", i ? " " : "", commands[i]->name);
	buf_adds(out, "\"\n");
	buf_adds(out, place);
	buf_adds(out, "\tcase $command:$option in\n");
	add_values(out);
	buf_adds(out, "\t*) option= ;;\n"
		      "\tesac\n"
		      "\t[[ -n $option ]] && return\n"
		      "\tcase $command in\n");
	add_option_lists(out);
	buf_adds(out, "\tesac\n");
	buf_adds(out, options_and_count);
	for (size_t i = 0; commands[i]; i++)
		add_operands(out, commands[i]);
	buf_adds(out, "\tesac\n"
		      "\treturn 0\n"
		      "}\n"
		      "complete -F _assay assay\n");
}
