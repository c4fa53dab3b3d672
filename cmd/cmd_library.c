#include "cmd/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/places.h"
#include "cmd/print.h"
#include "cmd/problems_print.h"
#include "cmd/view.h"
#include "cmd/view_json.h"
#include "cmd/view_text.h"
#include "orchestrate/library/library.h"

struct library_values {
	bool json, scripts;
	const char *beside; /* --for */
};

static const struct opt options[] = {
	{ .name = "for", .kind = OPT_FILE,
	  .offset = offsetof(struct library_values, beside), .value = "FILE",
	  .help = "what this experiment can use: definitions beside it, too, "
		  "instead of those in the current directory" },
	OPTION_JSON(struct library_values),
	{ .name = "scripts", .kind = OPT_FLAG,
	  .offset = offsetof(struct library_values, scripts),
	  .help = "show the scripts of NAME as well" },
	OPTION_END,
};

static const struct operand operands[] = {
	{ .name = "NAME", .help = "a definition, or a family of them",
	  .kind = OPERAND_WORD, .optional = true, .source = FROM_LIBRARY },
	OPERAND_END,
};

/* "docker" of "platform/docker"; NULL: it is in no family. */
static const char *level_of(const struct view *v)
{
	const char *slash = strrchr(v->name, '/');

	return slash ? slash + 1 : NULL;
}

/* The family of the level, with all that is in it. */
static int in_family(const struct view *v, const char *level,
		     const struct view *all, size_t n, struct error *err)
{
	size_t length = (size_t)(level_of(v) - v->name);
	struct buf members = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		if (!strncmp(all[i].name, v->name, length))
			buf_addf(&members, "%s%s", members.n ? ", " : "",
				 all[i].name);
	error_set(err, ERROR_USAGE,
		  "there is no definition '%s'; it is a level of the family "
		  "%.*s: %s", level, (int)length - 1, v->name, members.data);
	buf_release(&members);
	return -1;
}

/* The nearest by its name, or by its level alone; else one that the word is a
 * part of. */
static const char *find_near(const char *name, const struct view *all,
			     size_t n, const struct library_list *list)
{
	size_t n_families = list->families.n, n_names = 0;
	size_t most = n_families + 2 * n;
	const char **names = mem_zalloc(most + 1, sizeof(*names));
	const char **full = mem_zalloc(most + 1, sizeof(*full));
	const char *near, *found = NULL;

	for (size_t i = 0; i < n_families; i++)
		names[n_names++] = list->families.items[i];
	for (size_t i = 0; i < n; i++)
		names[n_names++] = all[i].name;
	memcpy(full, names, n_names * sizeof(*full));
	for (size_t i = 0; i < n; i++) {
		if (!level_of(&all[i]))
			continue;
		full[n_names] = all[i].name;
		names[n_names++] = level_of(&all[i]);
	}
	near = strlist_nearest(name, names, n_names);
	for (size_t i = 0; i < n_names && !found; i++)
		if (near ? names[i] == near
			 : *name && strstr(names[i], name))
			found = full[i];
	free(names);
	free(full);
	return found;
}

static int unknown(const char *name, const struct view *all, size_t n,
		   const struct library_list *list, struct error *err)
{
	const char *near;

	for (size_t i = 0; i < n; i++)
		if (level_of(&all[i]) && !strcmp(level_of(&all[i]), name))
			return in_family(&all[i], name, all, n, err);
	near = find_near(name, all, n, list);
	if (near)
		return error_set(err, ERROR_USAGE,
				 "there is no definition '%s'; did you mean "
				 "'%s'?", name, near);
	return error_set(err, ERROR_USAGE,
			 "there is no definition '%s'; 'assay library' lists "
			 "them", name);
}

static void add_texts(struct buf *out, const struct view *views, size_t n,
		      bool scripts)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_adds(out, "\n\n");
		view_text(out, &views[i], scripts);
	}
}

static int show(const struct library *l, const struct library_list *list,
		const char *name, const struct library_values *v, bool faulty,
		struct error *err)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct view *views = NULL, *all = NULL;
	size_t n, n_all;
	int rc = 0;

	views_make(&all, &n_all, list, NULL);
	views_make(&views, &n, list, name);
	/* the one that was meant may be one of the faulty ones */
	if (name && !n && !faulty)
		rc = unknown(name, all, n_all, list, err);
	else if (v->json)
		views_json(&out, views, n, list, &l->dirs);
	else if (name)
		add_texts(&text, views, n, v->scripts);
	else
		views_list(&text, views, n, &l->dirs,
			   print_width(STDOUT_FILENO));
	print_add(&out, text.data);
	if (!rc)
		rc = print_out(&out, err);
	buf_release(&text);
	buf_release(&out);
	free(all);
	free(views);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct library_values *v = values;
	struct problems problems = PROBLEMS_INIT;
	struct strlist dirs = STRLIST_INIT;
	char *beside = path_dir(v->beside ? v->beside : "");
	struct library library;
	struct library_list list;
	bool faulty;
	int rc = 0;

	places_library(&dirs);
	library_init(&library, beside, &dirs);
	faulty = library_list(&list, &library, &problems) < 0;
	if (v->beside && !path_exists(v->beside))
		rc = error_set(err, ERROR_USAGE, "there is no file %s",
			       v->beside);
	if (!rc)
		rc = show(&library, &list, operand_get(got, 0), v, faulty,
			  err);
	if (!rc && faulty) {
		problems_print(&problems);
		rc = 2;
	}
	library_list_release(&list);
	library_release(&library);
	strlist_release(&dirs);
	problems_release(&problems);
	free(beside);
	return rc;
}

const struct command command_library = {
	.name = "library",
	.summary = "list and describe treatments, benchmarks and monitors",
	.description =
		"Lists the definitions that an experiment in this directory "
		"can use: those in the folder library and in the directory "
		"itself, then those that came with assay. Where two have the "
		"same name the first is used, and listed. Of a family, such "
		"as platform, all levels are listed, wherever they are "
		"from.\n\n"
		"With NAME, tells everything about it: what it is for, its "
		"parameters with their types and defaults, what it needs, "
		"what it sets for others, and how an experiment uses it; "
		"--scripts shows what would be run on a host.\n\n"
		"Definitions with mistakes are told as file:line:column, and "
		"the exit status is 2 then.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct library_values),
	.example = "assay library io-scheduler --scripts",
	.explanation = "Tells how to set a disk's I/O scheduler, and shows "
		       "the scripts that do it.",
	.see_also = "check init plan",
	.run = run,
};
