#include "cmd/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/print.h"
#include "cmd/subject.h"
#include "cmd/words.h"

struct words_values {
	char none;
};

static const struct opt options[] = { OPTION_END };

static const struct operand operands[] = {
	{ .name = "KIND", .help = "profiles, levels, runs, ...",
	  .kind = OPERAND_WORD },
	{ .name = "CURRENT", .help = "what is typed of the word",
	  .kind = OPERAND_WORD },
	{ .name = "WORD", .help = "the words before it", .kind = OPERAND_WORD,
	  .optional = true, .many = true },
	OPERAND_END,
};

/* What the words say that matters here. */
struct line {
	char *file;
	struct strlist runs; /* what stands behind it: one may be a run */
	struct subject_options from;
};

/* The shell has not expanded it yet. */
static char *expand_home(const char *word)
{
	const char *home = getenv("HOME");

	if (word[0] == '~' && word[1] == '/' && home)
		return path_join(home, word + 2);
	return mem_strdup(word);
}

static void take_file(struct line *l, const char *word)
{
	const char *dot = strrchr(word, '.');
	char *path;

	if (l->file || !dot || (strcmp(dot, ".yaml") && strcmp(dot, ".yml")))
		return;
	path = expand_home(word);
	if (path_exists(path))
		l->file = path;
	else
		free(path);
}

static void take_profile(struct line *l, const char *word)
{
	struct opt_strings *p = &l->from.profiles;

	MEM_GROW(p->items, p->n, p->cap);
	p->items[p->n++] = word;
}

/* Of "write/place" "=" "disk#1" the whole. */
static void take_run(struct line *l, const struct operands *got, size_t i)
{
	struct buf word = BUF_INIT;

	if (!l->file || got->items[i][0] == '-' || got->items[i][0] == '=')
		return;
	buf_adds(&word, got->items[i]);
	while (i + 2 < got->n && !strcmp(got->items[i + 1], "=")) {
		buf_addf(&word, "=%s", got->items[i + 2]);
		i += 2;
	}
	strlist_push(&l->runs, word.data);
	buf_release(&word);
}

/* bash has split "--profile=quick" into three words. */
static void read_line(struct line *l, const struct operands *got)
{
	for (size_t i = 2; i < got->n; i++) {
		const char *word = got->items[i];
		bool equals = i + 1 < got->n && !strcmp(got->items[i + 1], "=");
		size_t value = i + 1 + equals;

		take_run(l, got, i);
		if (!strncmp(word, "--profile=", 10))
			take_profile(l, word + 10);
		else if (!strncmp(word, "--store=", 8))
			l->from.store = word + 8;
		else if (value < got->n &&
			 (!strcmp(word, "--profile") || !strcmp(word, "-p")))
			take_profile(l, got->items[value]);
		else if (value < got->n && !strcmp(word, "--store"))
			l->from.store = got->items[value];
		else
			take_file(l, word);
	}
}

/* What is wrong is no concern of a user who is typing: then there is nothing
 * to offer. */
static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const char *current = operand_get(got, 1);
	struct strlist found = STRLIST_INIT;
	struct line line = { .file = NULL };
	struct buf out = BUF_INIT;
	int rc;

	(void)values;
	/* fish has not split "--only=place" */
	if (!strncmp(current, "--", 2) && strchr(current, '='))
		current = strchr(current, '=') + 1;
	read_line(&line, got);
	words_find(&found, words_source(operand_get(got, 0)), line.file,
		   &line.from, &line.runs, current);
	for (size_t i = 0; i < found.n; i++) {
		print_add(&out, found.items[i]);
		buf_addc(&out, '\n');
	}
	rc = print_out(&out, err);
	buf_release(&out);
	strlist_release(&found);
	free(line.from.profiles.items);
	free(line.file);
	strlist_release(&line.runs);
	return rc;
}

/* Not in the list of commands: only completion scripts use it. */
const struct command command_complete_words = {
	.name = "complete-words",
	.summary = "list words of an experiment file for completion",
	.description =
		"Lists what may stand in a place of the command line that "
		"only the experiment file knows: its profiles, factors and "
		"levels, runs, charts. Completion scripts call it.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct words_values),
	.example = "assay complete-words levels -- place= experiment.yaml",
	.explanation = "Lists the levels of the factor place.",
	.see_also = "completion",
	.run = run,
};
