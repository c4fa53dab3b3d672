#ifndef LIBRARY_LIBRARY_H
#define LIBRARY_LIBRARY_H

#include <stddef.h>

#include "base/strlist.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/yaml_cache.h"

struct benchmark_def;
struct monitor_def;
struct resolver;
struct treatment_def;

/*
 * Definitions are files: treatments/NAME.yaml, benchmarks/NAME.yaml and
 * monitors/NAME.yaml in one of some folders. The first folder that has it
 * wins. A folder treatments/FAMILY/ holds a family: LEVEL.yaml for each
 * level. Its levels may come from several folders, for each the first that
 * has it; so a file beside an experiment adds a level to a family that is
 * shipped, or replaces one.
 */
struct library {
	struct strlist dirs;
	struct strlist faulty; /* files whose problems have been reported */
	struct yaml_cache own;
	struct yaml_cache *cache; /* of the files that are read; borrowed.
	                           * NULL: its own */
};

/*
 * The search path of an experiment: the folder `library` beside the
 * experiment, the experiment's own folder, then `dirs`. `experiment_dir` may
 * be NULL.
 */
void library_init(struct library *l, const char *experiment_dir,
		  const struct strlist *dirs);
void library_release(struct library *l);
/* For experiment_read(); borrows the library. */
struct resolver library_resolver(struct library *l);

/*
 * Reads, checks and completes an experiment file. `library` is a list of
 * directories searched for definitions after those beside the experiment.
 * `options` may be NULL. Returns 0, or -1 with at least one problem. The
 * experiment must be released in both cases.
 */
int experiment_load(struct experiment *e, const char *path,
		    const struct strlist *library,
		    const struct experiment_options *options,
		    struct problems *p);

/* All definitions on a search path, by name; those that an earlier folder
 * hides are left out. Those of a family are called FAMILY/LEVEL and stand
 * together, where the family's name sorts. */
struct library_list {
	struct treatment_def **treatments;
	size_t n_treatments, cap_treatments;
	struct benchmark_def **benchmarks;
	size_t n_benchmarks, cap_benchmarks;
	struct monitor_def **monitors;
	size_t n_monitors, cap_monitors;
	struct strlist families;
	struct strlist files;
};

/* Returns -1 when some are faulty: the problems are in `p`, the others in the
 * list. The list must be released in both cases. */
int library_list(struct library_list *list, const struct library *l,
		 struct problems *p);
void library_list_release(struct library_list *list);

#endif
