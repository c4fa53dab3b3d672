#include "cmd/complete.h"

#include "base/buf.h"
#include "cmd/command.h"
#include "cmd/words.h"

/* Text inside '...' of an _arguments specification. */
static void add_text(struct buf *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (*p == '\'')
			buf_adds(out, "'\\''");
		else if (*p == '[' || *p == ']' || *p == ':' || *p == '\\')
			buf_addf(out, "\\%c", *p);
		else
			buf_addc(out, *p);
	}
}

static void add_words(struct buf *out, const struct opt_word *words)
{
	for (const struct opt_word *w = words; w->name; w++)
		buf_addf(out, "%s%s", w == words ? "" : " ", w->name);
}

static void add_option(struct buf *out, const struct opt *o)
{
	buf_addf(out, "\t\t'%s--%s%s[", o->kind == OPT_STRINGS ? "*" : "",
		 o->name,
		 o->kind == OPT_FLAG ? "" : "=");
	add_text(out, o->help);
	buf_adds(out, "]");
	if (o->kind != OPT_FLAG)
		buf_addf(out, ":%s:", o->value);
	if (o->kind == OPT_CHOICES) {
		buf_adds(out, "_values -s , word ");
		add_words(out, o->words);
	} else if (o->words) {
		buf_adds(out, "(");
		add_words(out, o->words);
		buf_adds(out, ")");
	} else if (o->kind == OPT_FILE) {
		buf_adds(out, "_files");
	} else if (o->kind == OPT_DIR) {
		buf_adds(out, "_files -/");
	} else if (o->source) {
		buf_addf(out, " _assay_names %s",
			 words_source_name(o->source));
	}
	buf_adds(out, "' \\\n");
}

static void add_operand(struct buf *out, const struct operand *o)
{
	buf_addf(out, "\t\t'%s:%s:", o->many ? "*" : o->optional ? ":" : "",
		 o->name);
	if (o->words) {
		buf_adds(out, "(");
		add_words(out, o->words);
		buf_adds(out, ")");
	} else if (o->kind == OPERAND_EXPERIMENT) {
		buf_adds(out, "_files -g \"*.(yaml|yml)\"");
	} else if (o->kind == OPERAND_DIR) {
		buf_adds(out, "_files -/");
	} else if (o->kind == OPERAND_COMMAND) {
		buf_adds(out, "(");
		for (size_t i = 0; commands[i]; i++)
			buf_addf(out, "%s%s", i ? " " : "", commands[i]->name);
		buf_adds(out, ")");
	} else if (o->source) {
		buf_addf(out, " _assay_names %s",
			 words_source_name(o->source));
	}
	buf_adds(out, "' \\\n");
}

void complete_zsh(struct buf *out)
{
	buf_adds(out, "#compdef assay\n"
		      "# made by 'assay completion zsh'\n"
		      "# what only the experiment file knows\n"
		      "_assay_names() {\n"
		      "\tlocal -a found\n"
		      "\tfound=(\"${(@f)$(assay complete-words $1 -- "
		      "\"$PREFIX\" \"${words[@]}\" 2>/dev/null)}\")\n"
		      "\tfound=(${found:#})\n"
		      "\t(( $#found )) || return 1\n"
		      "\tif [[ $1 == levels ]]; then\n"
		      "\t\tcompadd -S '' -- $found\n"
		      "\telse\n"
		      "\t\tcompadd -- $found\n"
		      "\tfi\n"
		      "}\n"
		      "_assay() {\n"
		      "\tif (( CURRENT == 2 )); then\n"
		      "\t\tlocal -a names=(\n");
	for (size_t i = 0; commands[i]; i++) {
		buf_addf(out, "\t\t\t'%s:", commands[i]->name);
		add_text(out, commands[i]->summary);
		buf_adds(out, "'\n");
	}
	buf_adds(out, "\t\t)\n"
		      "\t\t_describe command names\n"
		      "\t\treturn\n"
		      "\tfi\n"
		      "\tlocal name=$words[2]\n"
		      "\tshift words\n"
		      "\t(( CURRENT-- ))\n"
		      "\tcase $name in\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		buf_addf(out, "\t%s)\n\t\t_arguments -s -S \\\n", c->name);
		for (const struct opt *o = c->options; o->name; o++)
			add_option(out, o);
		for (const struct operand *o = c->operands; o->name; o++)
			add_operand(out, o);
		buf_adds(out, "\t\t'--help[show help]' ;;\n");
	}
	buf_adds(out, "\tesac\n"
		      "}\n"
		      "_assay \"$@\"\n");
}
