#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/help.h"
#include "cmd/manpage.h"
#include "cmd/print.h"

struct help_values {
	bool commands;
	const char *man;
};

static const struct opt options[] = {
	{ .name = "commands", .kind = OPT_FLAG,
	  .offset = offsetof(struct help_values, commands),
	  .help = "list the commands' names only" },
	{ .name = "man", .kind = OPT_STRING,
	  .offset = offsetof(struct help_values, man), .value = "PAGE",
	  .help = "print the manual page assay or assay-COMMAND as mdoc" },
	OPTION_END,
};

static const struct operand operands[] = {
	{ .name = "COMMAND", .help = "what to explain; without it, all in "
				     "short",
	  .kind = OPERAND_COMMAND, .optional = true },
	OPERAND_END,
};

static int write_help(struct buf *out, const struct help_values *v,
		      const char *name, struct error *err)
{
	const struct command *c;

	if (v->man)
		return manpage_write(out, v->man, err);
	if (v->commands) {
		for (size_t i = 0; commands[i]; i++)
			buf_addf(out, "%s\n", commands[i]->name);
		return 0;
	}
	if (!name) {
		help_overview(out);
		return 0;
	}
	c = command_find(name, err);
	if (!c)
		return -1;
	help_command(out, c);
	return 0;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	struct buf out = BUF_INIT;
	int rc = write_help(&out, values, operand_get(got, 0), err);

	if (!rc)
		rc = print_out(&out, err);
	buf_release(&out);
	return rc;
}

const struct command command_help = {
	.name = "help",
	.summary = "explain assay, or one command",
	.description =
		"Without an operand, says what assay is and lists its "
		"commands. With the name of a command, prints the same as "
		"that command's --help.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct help_values),
	.example = "assay help run",
	.explanation = "Explains the command that makes the runs.",
	.see_also = "completion",
	.run = run,
};
