#ifndef SCHEDULE_COST_H
#define SCHEDULE_COST_H

#include <stdbool.h>
#include <stddef.h>

struct schedule;

/*
 * What a plan costs. Between two runs that follow one another on a host, the
 * lowest layer of the stack that differs (spec/layers.h: factors with a
 * definition, and set-ups) and all above it are reverted and applied anew.
 * Before a host's first run everything is applied, after its last everything
 * is reverted. Plain factors are variables: they are in no layer.
 *
 * Where `count` hosts of a role take part in a run, all of them are changed. A
 * definition that applies_to another role than the one that runs the benchmark
 * changes that role's hosts: each is followed by itself, the run waits for
 * them.
 */
struct layer_cost {
	const char *name;     /* borrowed from the experiment */
	bool is_reboot;       /* of some level: each apply and each revert of
	                       * such a level restarts the host */
	size_t applied;       /* over all hosts */
	size_t reverted;
	size_t reboots;
	double seconds;       /* what its changes take */
};

/* Seconds; every array may be NULL, every item NaN: not known. */
struct cost_times {
	const double *layers;     /* a change of the layer, as measured: in
	                           * place of what its definition declares */
	const double *runs;       /* a run of the benchmark, as measured: with
	                           * warm-up and repeats */
	const double *executions; /* one execution of the benchmark, where its
	                           * runs are not known: times warm-up and
	                           * repeats */
};

struct cost {
	struct layer_cost *layers; /* as in the experiment, lowest first */
	size_t n_layers;
	size_t n_runs;       /* that are surely made; all below are of them */
	size_t n_untimed;    /* runs of benchmarks whose time is not known: it
	                      * is not in the seconds */
	size_t n_hosts;      /* hosts that have runs */
	size_t applied, reverted, reboots; /* of all layers */
	double seconds;      /* the hosts' times, added up */
	double longest;      /* time of the busiest host, or of the hosts that
	                      * take turns because they share a resource or
	                      * are needed by one run: the duration when the
	                      * others work side by side */
	/* with the optional runs (stop rules) */
	size_t n_runs_most;
	double longest_most;
};

/*
 * Of the runs with these indexes, in this order (runs = NULL: of all the
 * schedule's; n is ignored). A change is one reverting, applying, or both in
 * succession; it takes what `times` says, else the cost that the definition
 * declares: of the level that is applied, or else of the one reverted.
 * Linear in n.
 */
void cost_of_runs(struct cost *c, const struct schedule *s,
		  const size_t *runs, size_t n, const struct cost_times *times);
void cost_release(struct cost *c);

#endif
