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

/* Sorted by name; ends with NULL. Those for scripts only are not in it. */
extern const struct command *const commands[];

/* NULL when there is none: then err suggests the nearest. */
const struct command *command_find(const char *name, struct error *err);

extern const struct command command_analyze;
extern const struct command command_check;
extern const struct command command_complete_words;
extern const struct command command_completion;
extern const struct command command_explain;
extern const struct command command_help;
extern const struct command command_init;
extern const struct command command_library;
extern const struct command command_plan;
extern const struct command command_plot;
extern const struct command command_report;
extern const struct command command_restore;
extern const struct command command_run;
extern const struct command command_schema;
extern const struct command command_show;
extern const struct command command_status;
extern const struct command command_table;

/*
 * The options of every command that loads an experiment: they fill in a
 * struct subject_options (subject.h), the member `from` of the command's own.
 */
#define OPTION_PROFILE(type)                                                  \
	{ .name = "profile", .kind = OPT_STRINGS,                             \
	  .offset = offsetof(type, from.profiles), .value = "P",              \
	  .help = "put this profile of the file over it; may be given again", \
	  .source = FROM_PROFILES }
#define OPTION_TAGS(type)                                                     \
	{ .name = "tags", .kind = OPT_STRING,                                 \
	  .offset = offsetof(type, from.tags), .value = "EXPR",               \
	  .help = "only the matrices and benchmarks whose tags fit: "         \
		  "\"net and not slow\"",                                     \
	  .source = FROM_TAGS }
#define OPTION_STORE(type)                                                    \
	{ .name = "store", .kind = OPT_FILE,                                  \
	  .offset = offsetof(type, from.store), .value = "FILE",              \
	  .help = "keep results in FILE instead of "                          \
		  "results/EXPERIMENT.db beside the experiment" }
/* Of those that plan: they take the runs, but leave the file as it is. */
#define OPTION_ONLY(type)                                                     \
	{ .name = "only", .kind = OPT_STRINGS,                                \
	  .offset = offsetof(type, from.only), .value = "F=A,B",              \
	  .help = "only the runs with these levels of the factor F (or "      \
		  "of \"benchmark\"); may be given again",                    \
	  .source = FROM_LEVELS }
#define OPTION_SKIP(type)                                                     \
	{ .name = "skip", .kind = OPT_STRINGS,                                \
	  .offset = offsetof(type, from.skip), .value = "F=A,B",              \
	  .help = "without the runs with these levels; may be given again",   \
	  .source = FROM_LEVELS }
#define OPTION_REPLICATES(type)                                               \
	{ .name = "replicates", .kind = OPT_INTEGER,                          \
	  .offset = offsetof(type, from.replicates), .value = "N",            \
	  .help = "this many runs of each treatment instead of what the "     \
		  "file says",                                                \
	  .min = 1, .max = SUBJECT_MAX_REPLICATES }
#define OPTION_CAMPAIGN(type)                                                 \
	{ .name = "campaign", .kind = OPT_STRING,                             \
	  .offset = offsetof(type, campaign), .value = "ID",                  \
	  .help = "read this campaign (number or start of its id) instead "   \
		  "of the newest that measured what the file says",           \
	  .source = FROM_CAMPAIGNS }
#define OPTION_JSON(type)                                                     \
	{ .name = "json", .kind = OPT_FLAG, .offset = offsetof(type, json),   \
	  .help = "print JSON for scripts" }
#define OPTION_END { .name = NULL }
#define OPERAND_FILE                                                          \
	{ .name = "FILE", .help = "the experiment", .kind = OPERAND_EXPERIMENT }
#define OPERAND_END { .name = NULL }

#endif
