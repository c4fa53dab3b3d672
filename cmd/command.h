#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stddef.h>

#include "cmd/opt.h"

struct error;

/*
 * A command is one file that defines one of these, and a row in commands.c.
 * Dispatch, help, manual pages and completion are all made from it.
 *
 * run() returns 0, an exit status when it has told the user why, or -1 with
 * `err` set: main() then tells and chooses the status.
 */
struct command {
	const char *name;
	const char *summary;     /* imperative, no full stop */
	const char *description; /* paragraphs, a blank line between them */
	const struct opt *options;
	const struct operand *operands;
	size_t values_size;      /* of the struct that options fill in */
	const char *example;     /* a command line */
	const char *explanation; /* what it does: sentences */
	const char *see_also;    /* names of commands, a blank between them */
	int (*run)(const void *values, const struct operands *operands,
		   struct error *err);
};

/* Sorted by name; ends with NULL. */
extern const struct command *const commands[];

/* NULL when there is none: then err suggests the nearest. */
const struct command *command_find(const char *name, struct error *err);

extern const struct command command_analyze;
extern const struct command command_check;
extern const struct command command_completion;
extern const struct command command_help;
extern const struct command command_init;
extern const struct command command_plan;
extern const struct command command_plot;
extern const struct command command_report;
extern const struct command command_restore;
extern const struct command command_run;
extern const struct command command_schema;
extern const struct command command_show;
extern const struct command command_status;
extern const struct command command_table;

/* The option that every command with a store has. */
#define OPTION_STORE(type)                                                    \
	{ .name = "store", .kind = OPT_FILE, .offset = offsetof(type, store), \
	  .value = "FILE",                                                    \
	  .help = "keep results in FILE instead of "                          \
		  "results/EXPERIMENT.db beside the experiment" }
#define OPTION_CAMPAIGN(type)                                                 \
	{ .name = "campaign", .kind = OPT_STRING,                             \
	  .offset = offsetof(type, campaign), .value = "ID",                  \
	  .help = "read this campaign (number or start of its id) instead "   \
		  "of the newest that measured what the file says" }
#define OPTION_JSON(type)                                                     \
	{ .name = "json", .kind = OPT_FLAG, .offset = offsetof(type, json),   \
	  .help = "print JSON for scripts" }
#define OPTION_END { .name = NULL }
#define OPERAND_FILE                                                          \
	{ .name = "FILE", .help = "the experiment", .kind = OPERAND_EXPERIMENT }
#define OPERAND_END { .name = NULL }

#endif
