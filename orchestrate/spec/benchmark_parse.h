#ifndef SPEC_BENCHMARK_PARSE_H
#define SPEC_BENCHMARK_PARSE_H

#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/keys.h"

/*
 * The parts of a benchmark. What runs where is said in the same way for the
 * benchmark itself, its services and its monitors.
 */

/* A role, or a look-up of roles by a factor. */
void part_role_read(struct reading *r, const struct yaml_node *node,
		    char **role, struct lookup **by);
/* A script, or a look-up of scripts. `what` it is called in the file: "run". */
void part_script_read(struct reading *r, const struct yaml_node *node,
		      const char *what, char **script, struct lookup **by);
/* The cases of a look-up of scripts, once the role is known. */
void part_script_check(struct reading *r, const char *what,
		       const struct lookup *script_by, const char *role,
		       const struct lookup *role_by);
/* All programs, the definition's first, each once. Takes `definition`. */
void part_take_needs(struct strlist *needs, struct strlist *definition);
extern const struct form part_role_form;

/* What stands under `run`. */
struct run {
	char *role;
	struct lookup *role_by;
	char *script;
	struct mark script_mark;
	struct lookup *script_by;
	double timeout;           /* 0: nobody said */
	struct mark timeout_mark;
};
/* A script, or a mapping. */
void run_read(struct reading *r, const struct yaml_node *node,
	      struct run *out);
void run_release(struct run *run);

/* The list under `services`, `monitors`. */
void services_read(struct reading *r, const struct yaml_node *list,
		   struct benchmark *b);
void monitors_read(struct reading *r, const struct yaml_node *list,
		   struct benchmark *b);
/* Once the benchmark has its own role: those that say none have that. */
void services_finish(struct benchmark *b);
void monitors_finish(struct benchmark *b);

/* The files under `artefacts`. */
void artefacts_read(struct reading *r, const struct yaml_node *node,
		    struct strlist *out);

extern const struct key_table service_keys, ready_keys, monitor_keys;
extern const struct form run_form, services_form, monitors_form, artefacts_form;

#endif
