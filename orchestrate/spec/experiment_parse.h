#ifndef SPEC_EXPERIMENT_PARSE_H
#define SPEC_EXPERIMENT_PARSE_H

#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/keys.h"

/*
 * The sections of an experiment file. Each reader fills its part of the
 * experiment `into`, and relies on the sections read before it: the order is
 * that of experiment_keys.
 */
typedef void section_read(struct reading *r, void *into,
			  const struct yaml_node *value);
section_read hosts_read, roles_read, factors_read, setups_read,
	benchmarks_read, design_read, matrices_read, charts_read, tables_read;
/* The one matrix that there is without `matrices`, when nothing is said of its
 * design. */
void design_absent(struct reading *r, void *into);

extern const struct key_table experiment_keys, host_keys, role_keys,
	factor_keys, level_keys, setup_keys, matrix_keys, benchmark_keys,
	run_keys, analysis_keys, chart_keys, table_keys, report_keys;
extern const struct form hosts_form, roles_form, setups_form, benchmarks_form;

/* Indexes by name; -1 after reporting that there is none. */
int find_host(struct reading *r, struct mark at, const char *name);
int find_role(struct reading *r, struct mark at, const char *name);
int find_factor(struct reading *r, struct mark at, const char *name);
int find_level(struct reading *r, struct mark at, size_t factor,
	       const char *name);
int find_benchmark(struct reading *r, struct mark at, const char *name);
int find_response(struct reading *r, struct mark at, size_t benchmark,
		  const char *name);

/* Whether it is ABSENT_NAME (absence.h), and not the name of a level. */
bool is_absence(const struct reading *r, size_t factor, const char *name);
/* {factor: level}: those that exist. `absent`: the level may be the factor's
 * absence; whether there is one is seen once all is read. */
void conditions_read(struct reading *r, const struct yaml_node *map,
		     bool absent, struct condition **out, size_t *n);

/* What can only be seen once all is read. */
void experiment_check(struct reading *r);
/* What of matrices is too large; what is legal, but unwise. */
void matrices_check(struct reading *r);
void matrices_warn(struct reading *r);

/* The role that exists when none is written down. */
void roles_default(struct reading *r);
/* What of roles depends on factors; what is legal, but unwise. */
void roles_check(struct reading *r);
void roles_warn(struct reading *r);
/* Look-ups without an `else`, of a factor that some runs do not have; what is
 * said of the absence of one that all runs have. */
void absent_check(struct reading *r);

#endif
