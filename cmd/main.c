#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "cmd/command.h"
#include "cmd/help.h"
#include "cmd/print.h"
#include "stats/setup.h"

static void set_up_process(void)
{
	/* A host that hangs up is an error to report, not the end of us. */
	signal(SIGPIPE, SIG_IGN);
	/* So is a limit on the size of files, met like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	/* Widths of characters on a terminal. Numbers stay in the C locale. */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "");
	stats_setup();
}

/* What the command line got wrong, and how the command is used. */
static void tell_usage(const struct command *c, const struct error *err)
{
	struct buf usage = BUF_INIT;

	help_usage(&usage, c);
	fprintf(stderr, "assay %s: %s\nusage: %s\n", c->name, err->text,
		usage.data);
	buf_release(&usage);
}

static int print_help(const struct command *c, struct error *err)
{
	struct buf out = BUF_INIT;
	int rc;

	if (c)
		help_command(&out, c);
	else
		help_overview(&out);
	rc = print_out(&out, err);
	buf_release(&out);
	return rc;
}

static int run_command(const struct command *c, int argc, char **argv,
		       struct error *err)
{
	struct operands operands = { NULL, 0 };
	void *values = mem_zalloc(1, c->values_size);
	int rc = opt_parse(c->options, c->operands, argc, argv, values,
			   &operands, err);

	if (rc < 0) {
		tell_usage(c, err);
		rc = error_exit_status(err);
	} else if (rc > 0) {
		rc = print_help(c, err);
	} else {
		rc = c->run(values, &operands, err);
	}
	operands_release(&operands);
	opt_release(c->options, values);
	free(values);
	return rc;
}

static int print_version(struct error *err)
{
	struct buf out = BUF_INIT;
	int rc;

	buf_adds(&out, "assay " ASSAY_VERSION "\n");
	rc = print_out(&out, err);
	buf_release(&out);
	return rc;
}

/* Returns an exit status, or -1 with the error. */
static int dispatch(int argc, char **argv, struct error *err)
{
	const struct command *c;
	struct buf overview = BUF_INIT;

	if (argc < 2) {
		help_overview(&overview);
		fputs(overview.data, stderr);
		buf_release(&overview);
		return 2;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return print_version(err);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_help(NULL, err);
	if (argv[1][0] == '-')
		return error_set(err, ERROR_USAGE,
				 "unknown option '%s' before the command; "
				 "'assay help' lists the commands",
				 argv[1]);
	c = command_find(argv[1], err);
	if (!c)
		return -1;
	return run_command(c, argc - 2, argv + 2, err);
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	int rc;

	set_up_process();
	rc = dispatch(argc, argv, &err);
	if (rc < 0) {
		print_error(&err);
		rc = error_exit_status(&err);
	}
	return rc;
}
