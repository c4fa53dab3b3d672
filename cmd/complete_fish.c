#include "cmd/complete.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/command.h"
#include "cmd/words.h"

/* fish quotes with '...' where \' and \\ are escapes. */
static void add_quoted(struct buf *out, const char *text)
{
	buf_addc(out, '\'');
	for (const char *p = text; *p; p++) {
		if (*p == '\'' || *p == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_addc(out, '\'');
}

static void add_words(struct buf *out, const struct opt_word *words)
{
	buf_adds(out, " -x -a '");
	for (const struct opt_word *w = words; w->name; w++)
		buf_addf(out, "%s%s", w == words ? "" : " ", w->name);
	buf_addc(out, '\'');
}

static void add_start(struct buf *out, const struct command *c)
{
	buf_addf(out,
		 "complete -c assay -n '__fish_seen_subcommand_from %s'",
		 c->name);
}

static void add_option(struct buf *out, const struct command *c,
		       const struct opt *o)
{
	add_start(out, c);
	buf_addf(out, " -l %s", o->name);
	if (o->letter)
		buf_addf(out, " -s %c", o->letter);
	if (o->words)
		add_words(out, o->words);
	else if (o->kind == OPT_FILE)
		buf_adds(out, " -r -F");
	else if (o->kind == OPT_DIR)
		buf_adds(out, " -x -a '(__fish_complete_directories)'");
	else if (o->source)
		buf_addf(out, " -x -a '(__assay_names %s)'",
			 words_source_name(o->source));
	else if (o->kind != OPT_FLAG)
		buf_adds(out, " -x");
	buf_adds(out, " -d ");
	add_quoted(out, o->help);
	buf_addc(out, '\n');
}

static void add_operand(struct buf *out, const struct command *c,
			const struct operand *o)
{
	if (o->kind == OPERAND_WORD && !o->source)
		return;
	buf_addf(out,
		 "complete -c assay -n '__fish_seen_subcommand_from %s; and "
		 "__assay_operand %s %d'",
		 c->name, o->many ? "-ge" : "-eq", (int)(o - c->operands));
	if (o->words) {
		add_words(out, o->words);
	} else if (o->kind == OPERAND_EXPERIMENT) {
		buf_adds(out, " -k -x -a '(__fish_complete_suffix .yaml)'");
	} else if (o->kind == OPERAND_DIR) {
		buf_adds(out, " -x -a '(__fish_complete_directories)'");
	} else if (o->kind == OPERAND_COMMAND) {
		buf_adds(out, " -x -a '");
		for (size_t i = 0; commands[i]; i++)
			buf_addf(out, "%s%s", i ? " " : "", commands[i]->name);
		buf_addc(out, '\'');
	} else {
		buf_addf(out, " -x -a '(__assay_names %s)'",
			 words_source_name(o->source));
	}
	buf_addc(out, '\n');
}

/* An option's name stands once, whatever commands have it. */
static bool is_first(size_t command, const struct opt *o)
{
	for (size_t i = 0; i < command; i++)
		for (const struct opt *p = commands[i]->options; p->name; p++)
			if (!strcmp(p->name, o->name))
				return false;
	return true;
}

static void add_functions(struct buf *out)
{
	buf_adds(out,
		 "# what only the experiment file knows\n"
		 "function __assay_names\n"
		 "\tset -l before (commandline -opc)\n"
		 "\tset -l current (commandline -ct)\n"
		 "\t$before[1] complete-words $argv[1] -- \"$current\" "
		 "$before[2..-1] 2>/dev/null\n"
		 "end\n"
		 "# whether so many operands stand before the cursor\n"
		 "function __assay_operand\n"
		 "\tset -l n 0\n"
		 "\tset -l skip 0\n"
		 "\tfor word in (commandline -opc)[3..-1]\n"
		 "\t\tif test $skip -eq 1\n"
		 "\t\t\tset skip 0\n"
		 "\t\t\tcontinue\n"
		 "\t\tend\n"
		 "\t\tswitch $word\n"
		 "\t\t\tcase");
	for (size_t i = 0; commands[i]; i++)
		for (const struct opt *o = commands[i]->options; o->name; o++)
			if (o->kind != OPT_FLAG && is_first(i, o))
				buf_addf(out, " --%s", o->name);
	buf_adds(out, "\n"
		      "\t\t\t\tset skip 1\n"
		      "\t\t\tcase '-*'\n"
		      "\t\t\tcase '*'\n"
		      "\t\t\t\tset n (math $n + 1)\n"
		      "\t\tend\n"
		      "\tend\n"
		      "\ttest $n $argv[1] $argv[2]\n"
		      "end\n");
}

void complete_fish(struct buf *out)
{
	buf_adds(out, "# fish completion for assay; made by 'assay completion "
		      "fish'\n"
		      "complete -c assay -f\n"
		      "complete -c assay -s h -l help -d 'show help'\n");
	add_functions(out);
	for (size_t i = 0; commands[i]; i++) {
		buf_addf(out,
			 "complete -c assay -n __fish_use_subcommand -a %s -d ",
			 commands[i]->name);
		add_quoted(out, commands[i]->summary);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		for (const struct opt *o = c->options; o->name; o++)
			add_option(out, c, o);
		for (const struct operand *o = c->operands; o->name; o++)
			add_operand(out, c, o);
	}
}
