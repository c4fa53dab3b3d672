#ifndef SPEC_BINDING_H
#define SPEC_BINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/spec/problem.h"

struct error;
struct experiment;

/*
 * The variables that a script of one run sees, with the origin of every value.
 * One rule of precedence: nearest wins.
 *
 *	run         $replicate, $repeat
 *	benchmark   `with:` of the benchmark (service, monitor)
 *	level       $factor = its name; what the level sets
 *	factor      parameters given with the factor
 *	host        `env:` of the host the script runs on
 *	experiment  `variables:`
 *	library     defaults of the definitions
 *
 * A value that is computed sees the values that win, not those of its own
 * layer; one that needs itself is an error. Two names are nearer, though, for
 * parameters of a treatment and what its levels set, so that these are the
 * same for its scripts and for the benchmark: $level, and the treatment's
 * other parameters.
 *
 * A value that needs an absent factor, or what the present levels do not set,
 * is not there, as if nobody had written it; a look-up by an absent factor has
 * its `else`.
 */
enum binding_layer {
	BINDING_LIBRARY,
	BINDING_EXPERIMENT,
	BINDING_HOST,
	BINDING_FACTOR,
	BINDING_LEVEL,
	BINDING_BENCHMARK,
	BINDING_RUN,
};
const char *binding_layer_name(enum binding_layer layer);

struct binding {
	char *name;
	char *value;        /* computed */
	char *source;       /* as it is written, when that is not the value:
	                     * "= threads * 2"; else NULL */
	enum binding_layer layer;
	struct mark mark;   /* where; line 0: made by assay itself. The file's
	                     * name is borrowed from the experiment */
	bool hidden;        /* a nearer one hides it */
};

/* A longer value is an error: it would not fit into an environment. */
#define BINDING_MAX_VALUE 65536

struct bindings {
	struct binding *items; /* farthest layer first; for a name that is
	                        * there more than once the last one wins */
	size_t n;
	size_t cap;
	const struct experiment *e; /* borrowed */
};
#define BINDINGS_INIT { .items = NULL, .n = 0, .cap = 0, .e = NULL }
void bindings_release(struct bindings *b);
/* The one that wins, or NULL. */
const struct binding *bindings_find(const struct bindings *b,
				    const char *name);

/* Of what run, and where. */
struct binding_run {
	const size_t *levels; /* one for each factor, or DESIGN_ABSENT */
	size_t host;
	size_t benchmark;
	uint32_t replicate;
};

/* What the benchmark's script sees. ERROR_USAGE when a value cannot be
 * computed: file:line:column in the text. */
int bindings_benchmark(struct bindings *b, const struct experiment *e,
		       const struct binding_run *run, struct error *err);
/* The same with the parameters of one of its monitors, which are nearer. */
int bindings_monitor(struct bindings *b, const struct experiment *e,
		     const struct binding_run *run, size_t monitor,
		     struct error *err);
/*
 * What the scripts of a layer of the stack (layers.h) see: of the levels only
 * those of the layers beneath it and its own ($level, $<factor>, what it
 * sets); a set-up also those of the factors it names. Nothing when the layer's
 * factor is absent. A variable of the experiment, a host or a level that needs
 * more than that is left out; a parameter that does is an error.
 */
int bindings_layer(struct bindings *b, const struct experiment *e,
		   const struct binding_run *run, size_t layer,
		   struct error *err);

/* Computes a text such as a role's `count` in the benchmark's variables: caller
 * frees *out. NULL when it needs what is absent. */
int bindings_value(const struct bindings *b, const char *text,
		   struct mark mark, char **out, struct error *err);

#endif
