#ifndef CMD_HELP_H
#define CMD_HELP_H

struct buf;
struct command;

/* Appends "assay plan [OPTION...] FILE". */
void help_usage(struct buf *out, const struct command *c);
/* `assay COMMAND --help` */
void help_command(struct buf *out, const struct command *c);
/* `assay` alone, and `assay help` */
void help_overview(struct buf *out);

/* What exit statuses mean, for --help and the manual. */
struct exit_status {
	int status;
	const char *meaning;
};
extern const struct exit_status exit_statuses[]; /* ends with meaning NULL */

/* Appends the paragraphs of `text`, filled to 78 columns, each line after
 * `indent` blanks. */
void help_fill(struct buf *out, const char *text, int indent);

#endif
