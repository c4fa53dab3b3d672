#ifndef SPEC_EXPERIMENT_H
#define SPEC_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/localized.h"
#include "base/strlist.h"
#include "orchestrate/spec/problem.h"
#include "stats/factor.h"
#include "stats/frame.h"

struct resolver;
struct treatment_def;

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
};

/* How a factor is put into effect; parallel to experiment.factors. */
struct factor_use {
	struct mark mark;
	char *definition;   /* name after `use:`, NULL for a plain factor */
	struct treatment_def *def; /* owned; NULL for a plain factor */
	struct variable *params;   /* the definition's parameters: first
	                            * the n_given written here, then the
	                            * defaults of the others, which host
	                            * variables override (nearest wins) */
	size_t n_params;
	size_t n_given;
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
	char *role;             /* the role that runs it */
	double timeout;         /* seconds, > 0 */
	struct variable *params; /* first the n_given of `with:`, then the
	                          * definition's defaults of the others */
	size_t n_params;
	size_t n_given;
	struct strlist needs;   /* programs that must be on the host's PATH */
	struct response *responses;
	size_t n_responses;
};

enum order_kind {
	ORDER_RANDOMIZED,
	ORDER_AS_WRITTEN,
};

enum chart_kind {
	CHART_BARS,
};

/* Fixed levels: {place: disk}. */
struct condition {
	size_t factor;
	size_t level;
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
	struct benchmark *benchmarks;
	size_t n_benchmarks;
	/* design */
	uint32_t replicates;
	bool block_host;         /* each host gets every treatment; no key sets
	                          * it before the analysis knows blocks */
	enum order_kind order;
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
	struct strlist files;    /* every file read: the experiment, then
	                          * definitions; for the snapshot */
	struct strlist warnings; /* "file:line:column: text", nothing fatal */
};

/* Benchmarks times treatments times replicates. */
#define EXPERIMENT_MAX_RUNS 10000000

/*
 * Reads, checks and completes an experiment file. Definitions come from the
 * resolver; experiment_load() in orchestrate/library/library.h, which all
 * commands use, is this with the resolver that finds them in folders.
 * Returns 0, or -1 with at least one problem, sorted by place. The
 * experiment must be released in both cases.
 */
int experiment_read(struct experiment *e, const char *path,
		    const struct resolver *resolver, struct problems *p);
/* The same, with the text at hand; `path` is only its name. */
int experiment_parse(struct experiment *e, const char *path, const char *data,
		     size_t n, const struct resolver *resolver,
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
