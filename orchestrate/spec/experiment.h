#ifndef SPEC_EXPERIMENT_H
#define SPEC_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/localized.h"
#include "base/strlist.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/variable.h"
#include "stats/design.h"
#include "stats/factor.h"
#include "stats/frame.h"

struct binder;
struct buf;
struct error;
struct filter;
struct parameter;
struct resolver;
struct treatment_def;
struct yaml_cache;

/*
 * The experiment file (DESIGN section 4) as a value tree. Everything is
 * owned by the experiment except where noted. An experiment that
 * experiment_load() returned 0 for has no dangling names: every role names
 * hosts that exist, every chart a benchmark and response that exist, every
 * `use` has its definition attached.
 */
struct host {
	char *name;         /* key in `hosts` */
	struct mark mark;
	bool local;         /* this machine, no SSH */
	char *ssh;          /* a name ssh_config resolves, or NULL */
	char *address;      /* explicit target (with user, port, key), or
	                     * NULL */
	int port;           /* 0 = unsaid */
	char *user, *key, *known_hosts; /* NULL = unsaid; paths are relative
	                                 * to the experiment's directory */
	char *config;       /* ssh_config file for `ssh -F`, NULL = user's */
	char *shares;       /* a resource: hosts that name the same one never
	                     * measure at the same time; NULL = its own */
	struct variable *env; /* host variables for the scripts */
	size_t n_env;
};

struct role {
	char *name;
	struct mark mark;
	size_t *hosts;      /* indexes into experiment.hosts: the pool */
	size_t n_hosts;
	/* hosts of the pool that take part in one run, at the same time; a
	 * value or look-up that may depend on the levels (role.h). Unsaid:
	 * "1" */
	struct variable count;
};

/* A treatment definition put to use. */
struct treatment_use {
	struct treatment_def *def; /* owned; NULL: none */
	struct variable *params;   /* the definition's parameters: first
	                            * the n_given written here, then the
	                            * defaults of the others, which host
	                            * variables override (nearest wins) */
	size_t n_params;
	size_t n_given;
};

/* What stands behind a level. */
struct level_use {
	struct mark mark;
	struct variable *vars; /* what it sets, beside $factor = its name:
	                        * first the n_given written here, then what
	                        * its definition sets */
	size_t n_vars;
	size_t n_given;
	struct treatment_use treatment; /* of this level alone, in place of
	                                 * the factor's */
};

/* How a factor is put into effect; parallel to experiment.factors. Which
 * definition serves a level: layers.h. */
struct factor_use {
	struct mark mark;
	char *definition;   /* name after `use:`, NULL for a plain factor */
	struct treatment_use treatment; /* for all levels; no def for a plain
	                                 * factor, or when each has its own */
	struct level_use *levels; /* one for each level; NULL: none of them
	                           * says more than its name */
};

enum extract_kind {
	EXTRACT_JSON,   /* a jq program over standard output */
	EXTRACT_REGEX,  /* PCRE2; group "value", else group 1, else all */
};

/* What is measured. */
struct response {
	char *name;
	struct mark mark;
	struct localized label; /* may be empty */
	enum extract_kind kind;
	char *pattern;
	char *uom;              /* "" when unsaid */
	enum better better;
};

struct benchmark {
	char *name;
	struct mark mark;
	struct localized label;
	char *definition;       /* after `use:`, or NULL */
	char *definition_file;  /* where it was found, or NULL */
	char *script;           /* POSIX shell */
	struct mark script_mark;
	struct lookup *script_by; /* in place of `script`, by host or factor */
	char *role;             /* the role that runs it */
	struct lookup *role_by; /* in place of `role`, by factor: benchmark.h
	                         * has what is in force */
	double timeout;         /* seconds, > 0: of each execution */
	struct mark timeout_mark; /* line 0: nobody said */
	uint32_t warmup;        /* executions before the measured ones, whose
	                         * output does not count */
	uint32_t repeats;       /* measured executions within a run, >= 1; all
	                         * are observations of one run */
	struct strlist tags;
	struct strlist artefacts; /* files to keep from the run's directory */
	struct service *services;
	size_t n_services;
	struct monitor *monitors;
	size_t n_monitors;
	struct variable *params; /* first the n_given of `with:`, then the
	                          * definition's defaults of the others */
	size_t n_params;
	size_t n_given;
	struct parameter *types; /* of those of a definition */
	size_t n_types;
	struct strlist needs;   /* programs that must be on the host's PATH */
	struct response *responses;
	size_t n_responses;
};

enum ready_kind {
	READY_NOW,
	READY_TCP,     /* a port of the service's host */
	READY_FILE,    /* a path exists */
	READY_COMMAND, /* a script succeeds */
	READY_OUTPUT,  /* a regular expression is found in its output */
};

/* Runs beside the measured command, on the hosts of a role. */
struct service {
	char *name;
	struct mark mark;
	char *role;
	struct lookup *role_by;   /* as in a benchmark */
	char *script;
	struct mark script_mark;
	struct lookup *script_by;
	enum ready_kind ready;
	char *ready_value;        /* computed like a variable's value */
	double timeout;           /* seconds to become ready */
	char *stop;               /* script that ends it; NULL: a signal */
};

/* Watches a host while the command is measured. */
struct monitor {
	char *name;
	struct mark mark;
	char *definition;         /* after `use:`, or NULL */
	char *role;
	struct lookup *role_by;   /* as in a benchmark */
	char *script;             /* runs until it is ended */
	struct mark script_mark;
	double interval;          /* seconds, in $interval */
	struct variable *params;  /* as in a benchmark */
	size_t n_params;
	size_t n_given;
	struct response *responses; /* one observation an output line or
	                             * match: a series */
	size_t n_responses;
	struct strlist needs;
};

/*
 * Work that all runs which agree on some factors share: a build, a data set.
 * It stands in the stack of treatments (layers.h).
 */
struct setup {
	char *name;
	struct mark mark;
	size_t *per;        /* factors, in declared order */
	size_t n_per;
	struct treatment_use treatment; /* `run`, `check` and `clean` as
	                                 * apply, verify and revert */
};

enum order_kind {
	ORDER_RANDOMIZED,
	ORDER_AS_WRITTEN,
};

enum block_kind {
	BLOCK_ROUND,  /* each replicate of everything, in time */
	BLOCK_HOST,   /* every host of the pool gets every treatment */
	BLOCK_DAY,    /* some rounds belong to a day */
};

/* What the rows, columns and letters of a Latin square are. */
enum { LATIN_HOST = -1, LATIN_ROUND = -2 };
struct latin {
	int rows, columns;  /* factor indexes, LATIN_HOST or LATIN_ROUND */
	int letters;        /* factor index */
};

/* An axis that exists under some levels only. */
struct existence {
	size_t factor;
	struct filter *when; /* owned */
};

/* Factors that go along. */
struct zip {
	struct mark mark;
	size_t *factors;
	size_t n;
};

/* More runs until an interval is narrow enough. */
struct stop_rule {
	char *response;     /* NULL: no rule, the number is fixed */
	struct mark mark;
	double half_width;  /* of the interval, relative to the estimate */
	double confidence;
};

/*
 * A matrix: some factors and benchmarks, crossed by a design. A file without
 * `matrices` has one, of all factors and benchmarks, with the name "".
 */
struct matrix {
	char *name;
	struct mark mark;
	struct strlist tags;
	size_t *factors;    /* indexes, in declared order */
	size_t n_factors;
	size_t *benchmarks; /* indexes, in declared order */
	size_t n_benchmarks;
	enum design_kind kind;
	struct mark kind_mark;
	struct zip *zips;
	size_t n_zips;
	struct filter **include; /* owned; none: everything */
	size_t n_include;
	struct filter **exclude;
	size_t n_exclude;
	struct existence *existences;
	size_t n_existences;
	struct condition *base;  /* DESIGN_ONE_AT_A_TIME: the centre, as far
	                          * as it is written: matrix_options.h */
	size_t n_base;
	struct generator *generators; /* DESIGN_FRACTIONAL */
	size_t n_generators;
	uint32_t resolution;     /* at least; 0 unsaid */
	struct latin latin;      /* DESIGN_LATIN_SQUARE */
	uint16_t *list;          /* DESIGN_LIST: n_list rows of a level (or
	                          * DESIGN_ABSENT) for every factor of the
	                          * experiment */
	size_t n_list;
	uint32_t replicates;     /* the least number, when there is a rule */
	uint32_t replicates_max; /* == replicates without a rule */
	struct mark replicates_mark;
	struct stop_rule until;
	enum block_kind blocks;
	uint32_t rounds_a_day;   /* BLOCK_DAY */
	enum order_kind order;
};

enum chart_kind {
	CHART_BARS,
};

/* Fixed levels: {place: disk}. The level may be DESIGN_ABSENT: {storage: "-"}
 * in a chart, a table and the baseline. */
struct condition {
	size_t factor;
	size_t level;
	struct mark mark;   /* of the level */
};

struct chart {
	char *name;
	struct mark mark;
	enum chart_kind kind;
	struct localized title; /* may be empty */
	size_t benchmark;
	size_t response;    /* index into that benchmark's responses */
	size_t x;           /* factor index */
	int series;         /* factor index, -1 = none */
	struct condition *where;
	size_t n_where;
	double level;       /* interval's confidence, 0.95 for ci95 */
};

enum cell_kind {
	CELL_MEAN_SD,
	CELL_MEAN_CI,
	CELL_MEDIAN_CI,
};

struct table_spec {
	char *name;
	struct mark mark;
	struct localized title;
	size_t benchmark;
	size_t response;
	size_t *rows;       /* factor indexes, outermost first */
	size_t n_rows;
	int columns;        /* factor index, -1 = one column */
	struct condition *where;
	size_t n_where;
	enum cell_kind cell;
	double level;
};

/* Something the file wants to know of a host before it can be expanded. */
struct fact_need {
	char *host;
	char *fact;         /* "cpus": facts.h */
	struct mark mark;
	bool known;         /* the source had it; if not, 1 or "" stood in */
	char *value;        /* what it was taken for */
};

struct experiment {
	char *path;              /* as given */
	char *dir;               /* its directory */
	char *name;              /* [A-Za-z0-9][A-Za-z0-9._-]* */
	struct localized title;
	struct localized description; /* optional paragraph */
	struct host *hosts;
	size_t n_hosts;
	struct role *roles;
	size_t n_roles;
	struct factor *factors;
	struct factor_use *uses; /* n_factors entries */
	size_t n_factors;
	struct variable *variables; /* for all scripts */
	size_t n_variables;
	struct setup *setups;
	size_t n_setups;
	struct layer *layers;    /* the stack, lowest first: layers.h */
	size_t n_layers;
	struct benchmark *benchmarks;
	size_t n_benchmarks;
	struct matrix *matrices; /* at least one */
	size_t n_matrices;
	bool seed_given;
	uint64_t seed;
	struct condition *baseline; /* analysis: baseline */
	size_t n_baseline;
	double margin;           /* analysis: margin, 0.01 by default */
	/* what to draw */
	struct chart *charts;
	size_t n_charts;
	struct table_spec *tables;
	size_t n_tables;
	char *report_template;   /* "default" */
	struct mark report_template_mark; /* line 0 when unsaid */
	char *report_language;   /* "en" */
	struct strlist profiles; /* those in force, in the order given */
	struct strlist profile_names; /* all that the file has */
	/* what profiles leave of the planned runs: "factor=level,level" or
	 * "benchmark=name", names escaped as in a treatment's key */
	struct strlist only, skip;
	struct strlist tags;     /* expressions that all hold for what the
	                          * matrices are left with, the options' too */
	struct fact_need *facts; /* of hosts that the file builds upon */
	size_t n_facts;
	struct strlist files;    /* every file read: the experiment, what it
	                          * includes, lists, definitions; for the
	                          * snapshot */
	struct strlist warnings; /* "file:line:column: text", nothing fatal */
	struct binder *binder;   /* what bindings share: binder.h. NULL: the
	                          * experiment is not read yet */
};

/* Benchmarks times treatments times replicates. */
#define EXPERIMENT_MAX_RUNS 10000000

/* What is known of the hosts: a text owned by the source, NULL unknown. */
struct fact_source {
	const char *(*get)(void *ctx, const char *host, const char *fact);
	void *ctx;
};

/* Where files come from that an experiment names: those it includes, lists. At
 * most `max` bytes are wanted. Not definitions: those are the resolver's. */
struct file_source {
	int (*read)(void *ctx, const char *path, size_t max, struct buf *out,
		    struct error *err);
	void *ctx;
};

/* How to read; all may be NULL. */
struct experiment_options {
	const struct strlist *profiles; /* put over the file, in this order */
	const char *tags;               /* an expression over tags: tags.h */
	const struct fact_source *facts;
	const struct file_source *files; /* NULL: from disk */
	struct yaml_cache *cache;       /* of what is read again and again:
	                                 * not what it includes */
};

/*
 * Reads, checks and completes an experiment file. Definitions come from the
 * resolver; experiment_load() in orchestrate/library/library.h, which all
 * commands use, is this with the resolver that finds them in folders.
 * `options` may be NULL.
 * Returns 0, or -1 with at least one problem, sorted by place; one that is in
 * `p` already is not added again, so that a file may be read once for each of
 * its profiles. The experiment must be released in both cases.
 */
int experiment_read(struct experiment *e, const char *path,
		    const struct resolver *resolver,
		    const struct experiment_options *options,
		    struct problems *p);
/* The same, with the text at hand; `path` is its name, and what it includes
 * is looked for beside it. */
int experiment_parse(struct experiment *e, const char *path, const char *data,
		     size_t n, const struct resolver *resolver,
		     const struct experiment_options *options,
		     struct problems *p);
void experiment_release(struct experiment *e);

/*
 * SHA-256 hex over what is measured: for every benchmark its script, role,
 * parameters, timeout and responses; for every factor its name, and its
 * definition's scripts and parameters; the hosts' names, targets and
 * variables; for every level that sets variables its name and those. Not over
 * other levels, replicates, charts or comments: adding a plain level
 * continues a campaign, changing a script starts one. The order in the file
 * matters for factors only: they stand on each other.
 */
void experiment_recipe(const struct experiment *e, char hex[65]);

#endif
