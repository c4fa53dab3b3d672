#include "cmd/help.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/command.h"

#define WIDTH 78

const struct exit_status exit_statuses[] = {
	{ 0, "yes, or done" },
	{ 1, "a negative answer: runs failed" },
	{ 2, "the command line or a file is wrong" },
	{ 3, "the environment is at fault: a host, the disk, the network, a lock" },
	{ 130, "interrupted" },
	{ 0, NULL },
};

/* A blank line in `text` starts a new paragraph. */
void help_fill(struct buf *out, const char *text, int indent)
{
	int column = 0;

	for (const char *p = text; *p;) {
		size_t n;

		if (p[0] == '\n' && p[1] == '\n') {
			buf_adds(out, "\n\n");
			column = 0;
		}
		p += strspn(p, " \n");
		n = strcspn(p, " \n");
		if (column && column + 1 + (int)n > WIDTH) {
			buf_addc(out, '\n');
			column = 0;
		}
		if (n && !column) {
			buf_addf(out, "%*s", indent, "");
			column = indent;
		} else if (n) {
			buf_addc(out, ' ');
			column++;
		}
		buf_add(out, p, n);
		column += (int)n;
		p += n;
	}
	buf_addc(out, '\n');
}

void help_usage(struct buf *out, const struct command *c)
{
	buf_addf(out, "assay %s [OPTION...]", c->name);
	for (const struct operand *o = c->operands; o->name; o++)
		buf_addf(out, " %s%s%s%s", o->optional ? "[" : "", o->name,
			 o->many ? "..." : "", o->optional ? "]" : "");
}

/* A term, and what it is from column 22 on. */
static void add_item(struct buf *out, const char *term, const char *text)
{
	struct buf filled = BUF_INIT;

	help_fill(&filled, text, 22);
	if (strlen(term) > 19)
		buf_addf(out, "  %s\n%s", term, filled.data);
	else
		buf_addf(out, "  %-20s%s", term, filled.data + 22);
	buf_release(&filled);
}

static void add_option(struct buf *out, const struct opt *o)
{
	struct buf term = BUF_INIT, text = BUF_INIT;

	if (o->letter)
		buf_addf(&term, "-%c, --%s", o->letter, o->name);
	else
		buf_addf(&term, "    --%s", o->name);
	if (o->value)
		buf_addf(&term, "=%s", o->value);
	buf_adds(&text, o->help);
	if (o->fallback)
		buf_addf(&text, " (default: %s)", o->fallback);
	add_item(out, term.data, text.data);
	buf_release(&term);
	buf_release(&text);
}

static void add_operands(struct buf *out, const struct command *c)
{
	if (c->operands->name)
		buf_adds(out, "\nOperands:\n");
	for (const struct operand *o = c->operands; o->name; o++) {
		char term[64];

		snprintf(term, sizeof(term), "%s%s", o->name,
			 o->many ? "..." : "");
		add_item(out, term, o->help);
	}
}

static void add_see_also(struct buf *out, const struct command *c)
{
	const char *before = "\nSee also: ";

	for (const char *p = c->see_also; *p;) {
		size_t n = strcspn(p, " ");

		buf_addf(out, "%sassay %.*s", before, (int)n, p);
		before = ", ";
		p += n + strspn(p + n, " ");
	}
	buf_addf(out, "%sman assay-%s\n", before, c->name);
}

void help_command(struct buf *out, const struct command *c)
{
	buf_adds(out, "usage: ");
	help_usage(out, c);
	buf_addf(out, "\n\n");
	help_fill(out, c->description, 0);
	add_operands(out, c);
	buf_adds(out, "\nOptions:\n");
	for (const struct opt *o = c->options; o->name; o++)
		add_option(out, o);
	add_item(out, "-h, --help", "show this help");
	buf_addf(out, "\nExample:\n  %s\n", c->example);
	help_fill(out, c->explanation, 6);
	add_see_also(out, c);
}

void help_overview(struct buf *out)
{
	buf_adds(out,
		 "usage: assay COMMAND [OPTION...] [FILE]\n"
		 "\n"
		 "assay turns a benchmark question, written in one YAML file, "
		 "into an answer:\n"
		 "it makes the runs over SSH, checks every setting, keeps every "
		 "number, and\n"
		 "draws charts, tables and a report that name their git commit.\n"
		 "\n"
		 "Commands:\n");
	for (size_t i = 0; commands[i]; i++)
		buf_addf(out, "  %-12s%s\n", commands[i]->name,
			 commands[i]->summary);
	buf_adds(out, "\nFirst steps:\n"
		      "  assay init              write a small experiment\n"
		      "  assay run FILE          make its runs\n"
		      "  assay analyze FILE      read the result\n"
		      "\n"
		      "'assay COMMAND --help' explains a command.\n");
}
