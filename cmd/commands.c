#include "cmd/command.h"

#include <string.h>

#include "base/error.h"
#include "base/strlist.h"

/* Keep sorted: help lists them in this order. */
const struct command *const commands[] = {
	&command_analyze,
	&command_check,
	&command_completion,
	&command_explain,
	&command_help,
	&command_init,
	&command_library,
	&command_plan,
	&command_plot,
	&command_report,
	&command_restore,
	&command_run,
	&command_schema,
	&command_show,
	&command_status,
	&command_table,
	NULL,
};

/* Found by name, told to nobody. */
static const struct command *const hidden[] = {
	&command_complete_words,
};

#define N_HIDDEN (sizeof(hidden) / sizeof(hidden[0]))
#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]) - 1)

const struct command *command_find(const char *name, struct error *err)
{
	const char *names[N_COMMANDS];
	const char *near;

	for (size_t i = 0; i < N_HIDDEN; i++)
		if (!strcmp(hidden[i]->name, name))
			return hidden[i];
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
		names[i] = commands[i]->name;
	}
	near = strlist_nearest(name, names, N_COMMANDS);
	if (near)
		error_set(err, ERROR_USAGE,
			  "there is no command '%s'; did you mean '%s'?", name,
			  near);
	else
		error_set(err, ERROR_USAGE,
			  "there is no command '%s'; 'assay help' lists them",
			  name);
	return NULL;
}
