#ifndef CMD_OPT_H
#define CMD_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/*
 * Typed option tables. One table drives parsing, usage, --help, the manual
 * page and completion. Values land in a zeroed struct of the command's own,
 * at `offset`; text becomes an enum here and nowhere below.
 */
enum opt_kind {
	OPT_FLAG,    /* bool */
	OPT_STRING,  /* const char *, NULL when not given */
	OPT_STRINGS, /* struct opt_strings: may be given more than once */
	OPT_FILE,    /* the same; completes file names */
	OPT_DIR,     /* the same; completes directories */
	OPT_INTEGER, /* struct opt_integer */
	OPT_REAL,    /* struct opt_real */
	OPT_CHOICE,  /* int: the word's value */
	OPT_CHOICES, /* unsigned: 1 << value of each word, or-ed */
};

struct opt_integer {
	bool given;
	uint64_t value;
};

struct opt_real {
	bool given;
	double value;
};

/* In the order given; borrowed from argv. opt_release() frees the list. */
struct opt_strings {
	const char **items;
	size_t n, cap;
};

/* A word and what it stands for; a table of them ends with name NULL. */
struct opt_word {
	const char *name;
	int value;
};

/* Words that only the experiment file knows, for completion. */
enum opt_source {
	FROM_NOWHERE,
	FROM_PROFILES,
	FROM_TAGS,
	FROM_LEVELS,  /* factor=level,level */
	FROM_HOSTS,
	FROM_CHARTS,
	FROM_TABLES,
	FROM_RUNS,
	FROM_VARIABLES,
	FROM_CAMPAIGNS,
	FROM_LIBRARY, /* names of definitions */
};

struct opt {
	const char *name;     /* without the dashes; NULL ends the table */
	char letter;          /* 0: none */
	enum opt_kind kind;
	size_t offset;
	const char *value;    /* what usage calls the value: "N", "DIR" */
	const char *help;     /* one sentence, no full stop */
	const char *fallback; /* read as the value when it is not given */
	uint64_t min, max;    /* OPT_INTEGER */
	double low, high;     /* OPT_REAL, both allowed */
	const struct opt_word *words; /* OPT_CHOICE, OPT_CHOICES */
	enum opt_source source;
};

/* What operands are, for completion. */
enum operand_kind {
	OPERAND_EXPERIMENT, /* a YAML file */
	OPERAND_DIR,
	OPERAND_WORD,       /* a name that only the file knows */
	OPERAND_COMMAND,
	OPERAND_SHELL,
};

/* Operands in order; the table ends with name NULL. Only the last may be
 * optional or repeated. */
struct operand {
	const char *name;
	const char *help;
	enum operand_kind kind;
	bool optional;
	bool many;
	const struct opt_word *words; /* what is allowed, or NULL */
	enum opt_source source;       /* OPERAND_WORD */
};

struct operands {
	const char **items; /* borrowed from argv */
	size_t n;
};

/*
 * Reads the words after the command's name. `values` is the command's zeroed
 * struct. Options may follow operands; "--" ends them. Returns 0; 1 when
 * --help was asked for (nothing else is checked then); -1 with ERROR_USAGE.
 * The operands and the values must be released in every case.
 */
int opt_parse(const struct opt *options, const struct operand *wanted,
	      int argc, char **argv, void *values, struct operands *operands,
	      struct error *err);
void operands_release(struct operands *operands);
/* What opt_parse() allocated in `values`. */
void opt_release(const struct opt *options, void *values);

/* The operand at `i`, or NULL. */
const char *operand_get(const struct operands *operands, size_t i);

/* The value of the word, or -1: then err suggests the nearest. */
int opt_word_value(const struct opt_word *words, const char *what,
		   const char *word, int *value, struct error *err);

#endif
