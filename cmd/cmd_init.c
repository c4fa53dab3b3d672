#include "cmd/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "cmd/print.h"
#include "cmd/program.h"
#include "cmd/starter.h"
#include "orchestrate/vcs/repo.h"

struct init_values {
	int kind;
};

static const struct opt_word kinds[] = {
	{ "local", STARTER_LOCAL },
	{ "pair", STARTER_PAIR },
	{ "storage", STARTER_STORAGE },
	{ NULL, 0 },
};

static const struct opt options[] = {
	{ .name = "kind", .kind = OPT_CHOICE,
	  .offset = offsetof(struct init_values, kind), .value = "KIND",
	  .help = "local: a tool on this machine, no SSH; pair: a server and "
		  "a client; storage: file systems and I/O schedulers",
	  .fallback = "local", .words = kinds },
	OPTION_END,
};

static const struct operand operands[] = {
	{ .name = "DIR", .help = "where to write it; made when missing, the "
				 "current directory when not given",
	  .kind = OPERAND_DIR, .optional = true },
	OPERAND_END,
};

static int write_starter(const char *path, enum starter kind,
			 struct error *err)
{
	const char *text = starter_text(kind);

	if (path_exists(path))
		return error_set(err, ERROR_USAGE,
				 "%s exists and is left as it is; name another "
				 "directory",
				 path);
	return path_write(path, text, strlen(text), err);
}

/* What cannot be looked up is not said. */
static bool is_outside_git(const char *dir)
{
	struct repo repo = REPO_INIT;
	struct error ignored = ERROR_INIT;
	bool outside = repo_open(&repo, dir, &ignored) > 0;

	repo_release(&repo);
	return outside;
}

/* Hosts of your own have to be named first. */
static void add_next(struct buf *out, const char *path, const char *dir,
		     enum starter kind)
{
	const char *us = program_name();

	buf_addf(out, "%s: written\n", path);
	if (is_outside_git(dir)) {
		buf_adds(out, "not in a git repository, so that no result will "
			      "name a commit; to change that: git init");
		if (strcmp(dir, ".") != 0) {
			buf_addc(out, ' ');
			buf_add_shell(out, dir);
		}
		buf_addc(out, '\n');
	}
	if (kind == STARTER_PAIR)
		buf_addf(out,
			 "next: name your hosts in it, then %s check %s\n"
			 "then: %s plan %s ('%s run' cannot start services "
			 "yet)\n",
			 us, path, us, path, us);
	else if (kind == STARTER_LOCAL)
		buf_addf(out, "next: %s run %s\nthen: %s analyze %s\n", us,
			 path, us, path);
	else
		buf_addf(out,
			 "next: name your hosts in it, then %s check %s\n"
			 "then: %s plan %s\n",
			 us, path, us, path);
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct init_values *v = values;
	const char *dir = operand_get(got, 0);
	char *path = dir && strcmp(dir, ".") ? path_join(dir, STARTER_FILE)
			 : mem_strdup(STARTER_FILE);
	struct buf out = BUF_INIT;
	int rc = -1;

	if (dir && path_make_dirs(dir, err))
		goto out;
	if (write_starter(path, (enum starter)v->kind, err))
		goto out;
	add_next(&out, path, dir ? dir : ".", (enum starter)v->kind);
	rc = print_out(&out, err);
out:
	buf_release(&out);
	free(path);
	return rc;
}

const struct command command_init = {
	.name = "init",
	.summary = "write a small experiment to start from",
	.description =
		"Writes " STARTER_FILE ", a commented experiment to change "
		"into your own question. A file that is there already is never "
		"overwritten.\n\n"
		"local runs on this machine within a minute: a plain factor, "
		"an inline benchmark, a chart and a table. pair has two hosts, "
		"a service on one of them and a client on the other. storage "
		"is a matrix of settings from the library, one of them hard to "
		"change, with combinations left out, and a profile for a quick "
		"try.\n\n"
		"The results will be tied to a git commit when the directory "
		"lies in a git repository.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct init_values),
	.example = "assay init --kind storage disk-speed",
	.explanation = "Makes the directory disk-speed with " STARTER_FILE
		       " in it.",
	.see_also = "check run",
	.run = run,
};
