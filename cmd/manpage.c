#include "cmd/manpage.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cmd/command.h"
#include "cmd/help.h"

/* Fixed, so that the same source gives the same pages. */
#define PAGE_DATE "November 30, 2026"
#define LINE 78

static void add_word(struct buf *out, const char *word, size_t n, bool first)
{
	/* a dot or a quote at the start of a line would be a macro */
	if (first && (word[0] == '.' || word[0] == '\''))
		buf_adds(out, "\\&");
	for (size_t i = 0; i < n; i++) {
		if (word[i] == '\\')
			buf_adds(out, "\\e");
		else
			buf_addc(out, word[i]);
	}
}

/* mdoc wants a line for each sentence, and lines shorter than 80. */
static void add_text(struct buf *out, const char *text)
{
	size_t column = 0;

	for (const char *p = text; *p;) {
		size_t n;

		if (p[0] == '\n' && p[1] == '\n')
			buf_adds(out, column ? "\n.Pp\n" : ".Pp\n");
		if (p[0] == '\n' && p[1] == '\n')
			column = 0;
		p += strspn(p, " \n");
		n = strcspn(p, " \n");
		if (column && column + 1 + n > LINE) {
			buf_addc(out, '\n');
			column = 0;
		}
		if (n && column)
			buf_addc(out, ' ');
		add_word(out, p, n, !column);
		column += n + 1;
		if (n && strchr(".?!", p[n - 1])) {
			buf_addc(out, '\n');
			column = 0;
		}
		p += n;
	}
	if (column)
		buf_addc(out, '\n');
}

/* Help texts are sentences without their full stop. */
static void add_sentence(struct buf *out, const char *text)
{
	struct buf sentence = BUF_INIT;

	buf_addf(&sentence, "%s.", text);
	add_text(out, sentence.data);
	buf_release(&sentence);
}

static void add_head(struct buf *out, const char *name, const char *summary)
{
	buf_adds(out, ".Dd " PAGE_DATE "\n.Dt ");
	for (const char *p = name; *p; p++)
		buf_addc(out, (char)toupper((unsigned char)*p));
	buf_addf(out, " 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n.Sh SYNOPSIS\n",
		 name, summary);
}

static void add_option(struct buf *out, const struct opt *o)
{
	buf_adds(out, ".It ");
	if (o->letter)
		buf_addf(out, "Fl %c , ", o->letter);
	buf_addf(out, "Fl Fl %s", o->name);
	if (o->value)
		buf_addf(out, " Ns = Ns Ar %s", o->value);
	buf_addc(out, '\n');
	add_sentence(out, o->help);
	if (o->fallback)
		buf_addf(out, "The default is\n.Cm %s .\n", o->fallback);
}

static void add_options(struct buf *out, const struct command *c)
{
	buf_adds(out, ".Pp\nThe options are as follows:\n"
		      ".Bl -tag -width Ds\n");
	for (const struct opt *o = c->options; o->name; o++)
		add_option(out, o);
	buf_adds(out, ".It Fl h , Fl Fl help\nshow a summary of this page.\n"
		      ".El\n");
}

static void add_operands(struct buf *out, const struct command *c)
{
	if (!c->operands->name)
		return;
	buf_adds(out, ".Pp\nThe operands are as follows:\n"
		      ".Bl -tag -width Ds\n");
	for (const struct operand *o = c->operands; o->name; o++) {
		buf_addf(out, ".It Ar %s%s\n", o->name,
			 o->many ? " ..." : "");
		add_sentence(out, o->help);
	}
	buf_adds(out, ".El\n");
}

static void add_exit_status(struct buf *out)
{
	buf_adds(out, ".Sh EXIT STATUS\n.Bl -tag -width Ds\n");
	for (const struct exit_status *s = exit_statuses; s->meaning; s++)
		buf_addf(out, ".It %d\n%s\n", s->status, s->meaning);
	buf_adds(out, ".El\n");
}

static bool names_it(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = names; (p = strstr(p, name)); p += n)
		if ((p == names || p[-1] == ' ') &&
		    (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

/* In the order of the command table: mdoc wants it sorted. */
static void add_see_also(struct buf *out, const char *names)
{
	buf_adds(out, ".Sh SEE ALSO\n.Xr assay 1");
	for (size_t i = 0; commands[i]; i++)
		if (names_it(names, commands[i]->name))
			buf_addf(out, " ,\n.Xr assay-%s 1",
				 commands[i]->name);
	buf_addc(out, '\n');
}

static void command_page(struct buf *out, const struct command *c)
{
	struct buf name = BUF_INIT;

	buf_addf(&name, "assay-%s", c->name);
	add_head(out, name.data, c->summary);
	buf_addf(out, ".Nm assay %s\n.Op Ar option ...\n", c->name);
	for (const struct operand *o = c->operands; o->name; o++)
		buf_addf(out, ".%sAr %s%s\n", o->optional ? "Op " : "",
			 o->name, o->many ? " ..." : "");
	buf_adds(out, ".Sh DESCRIPTION\n");
	add_text(out, c->description);
	add_operands(out, c);
	add_options(out, c);
	add_exit_status(out);
	buf_addf(out, ".Sh EXAMPLES\n.Dl %s\n.Pp\n", c->example);
	add_text(out, c->explanation);
	add_see_also(out, c->see_also);
	buf_release(&name);
}

static void main_page(struct buf *out)
{
	add_head(out, "assay", "benchmark experiments from question to "
			       "published answer");
	buf_adds(out, ".Nm\n.Ar command\n.Op Ar option ...\n"
		      ".Op Ar operand ...\n.Sh DESCRIPTION\n");
	add_text(out,
		 "One YAML file says what to vary, where to measure and what "
		 "to draw. assay expands it into runs, makes them over SSH, "
		 "reads back every setting and puts it back afterwards, keeps "
		 "every observation in one SQLite file, and turns them into "
		 "estimates with intervals, charts, tables and a report that "
		 "name the git commit they come from.");
	buf_adds(out, ".Pp\nThe commands are as follows:\n"
		      ".Bl -tag -width completion\n");
	for (size_t i = 0; commands[i]; i++)
		buf_addf(out, ".It Cm %s\n%s\n", commands[i]->name,
			 commands[i]->summary);
	buf_adds(out, ".El\n.Sh ENVIRONMENT\n.Bl -tag -width ASSAY_DATADIR\n"
		      ".It Ev ASSAY_LIBRARY\n");
	add_text(out, "Directories, a colon between them, that are searched "
		      "for treatment and benchmark definitions after the "
		      "folder library beside the experiment, and before the "
		      "installed library.");
	buf_adds(out, ".It Ev ASSAY_DATADIR\n");
	add_text(out, "Where the library and the report templates are, "
		      "instead of where assay was installed.");
	buf_adds(out, ".El\n.Sh FILES\n.Bl -tag -width Ds\n"
		      ".It Pa results/EXPERIMENT.db\n");
	add_text(out, "The results of an experiment, beside its file. It is "
		      "append-only.");
	buf_adds(out, ".El\n");
	add_exit_status(out);
	buf_adds(out, ".Sh EXAMPLES\n.Dl assay init\n.Dl assay run "
		      "experiment.yaml\n.Dl assay analyze experiment.yaml\n"
		      ".Pp\n");
	add_text(out, "Write a small experiment, make its runs on this "
		      "machine, and read the result.");
	buf_adds(out, ".Sh SEE ALSO\n");
	for (size_t i = 0; commands[i]; i++)
		buf_addf(out, ".Xr assay-%s 1 ,\n", commands[i]->name);
	buf_adds(out, ".Xr assay-experiment 5\n");
}

int manpage_write(struct buf *out, const char *page, struct error *err)
{
	const struct command *c;

	if (!strcmp(page, "assay")) {
		main_page(out);
		return 0;
	}
	if (strncmp(page, "assay-", 6) != 0)
		return error_set(err, ERROR_USAGE,
				 "--man: the pages are assay and "
				 "assay-COMMAND, not '%s'",
				 page);
	c = command_find(page + 6, err);
	if (!c)
		return -1;
	command_page(out, c);
	return 0;
}
