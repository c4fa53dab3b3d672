#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/complete.h"
#include "cmd/print.h"

struct completion_values {
	char none;
};

static const struct opt options[] = { OPTION_END };

static const struct opt_word shells[] = {
	{ "bash", SHELL_BASH },
	{ "zsh", SHELL_ZSH },
	{ "fish", SHELL_FISH },
	{ NULL, 0 },
};

static const struct operand operands[] = {
	{ .name = "SHELL", .help = "bash, zsh or fish",
	  .kind = OPERAND_SHELL, .words = shells },
	OPERAND_END,
};

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	struct buf out = BUF_INIT;
	int shell = 0, rc;

	(void)values;
	if (opt_word_value(shells, "SHELL", operand_get(got, 0), &shell, err))
		return -1;
	complete_write(&out, (enum shell)shell);
	rc = print_out(&out, err);
	buf_release(&out);
	return rc;
}

const struct command command_completion = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.description =
		"Prints a script that teaches the shell to complete assay's "
		"commands, options, their words, and files. It is made from "
		"the same table as the help, so it always fits this "
		"version.\n\n"
		"bash: source it, or save it as assay in "
		"~/.local/share/bash-completion/completions. zsh: save it as "
		"_assay in a directory of $fpath. fish: save it as assay.fish "
		"in ~/.config/fish/completions.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct completion_values),
	.example = "source <(assay completion bash)",
	.explanation = "Completes assay's words in this bash from now on.",
	.see_also = "help",
	.run = run,
};
