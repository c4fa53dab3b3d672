#ifndef SPEC_BINDING_SCOPE_H
#define SPEC_BINDING_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/variable.h"

struct binder;
struct treatment_use;

/* Of no layer of the stack; of a scope: a benchmark's. */
#define SCOPE_NO_LAYER ((size_t)-1)
/* Variables that need each other, one after the other. */
#define SCOPE_MAX_DEPTH 64

enum candidate_state {
	CANDIDATE_WAITING,
	CANDIDATE_BUSY,     /* being computed */
	CANDIDATE_DONE,
	CANDIDATE_ABSENT,   /* it needs what is absent */
};

/* A value that a name may have. */
struct candidate {
	const char *name;
	const struct variable *variable; /* NULL: made by assay */
	enum binding_layer layer;
	/* of a parameter or of what a level sets */
	size_t owner;                    /* layer of the stack, or none */
	const char *level;               /* its $level, or NULL */
	const struct treatment_use *use; /* whose parameters it sees first */
	bool silent;                     /* seen by those of its owner only */
	/* what was found */
	enum candidate_state state;
	const char *text;                /* as it is written, or NULL */
	struct mark mark;                /* of it */
	int text_at;
	char *value;                     /* CANDIDATE_DONE */
};

/*
 * All values that the scripts of one run may see, farthest layer first. They
 * are computed when they are asked for.
 */
struct scope {
	const struct experiment *e;
	const struct binding_run *run;
	size_t layer;                    /* whose scripts see it */
	struct candidate *items;
	size_t n, cap;
	struct binder *binder;           /* the experiment's, or own */
	struct binder *own;
	struct candidate *chain[SCOPE_MAX_DEPTH];
	size_t depth;
};

void scope_init(struct scope *s, const struct experiment *e,
		const struct binding_run *run, size_t layer);
void scope_release(struct scope *s);

/* Adds what stands behind the names; `like` says all but name and value. */
void scope_add(struct scope *s, const struct variable *items, size_t n,
	       const struct candidate *like);
/* Adds a value that is as it is. */
void scope_add_text(struct scope *s, const char *name, const char *value,
		    struct mark mark, const struct candidate *like);

/* Computes it, if that has not been done. Its state is DONE or ABSENT then. */
int scope_compute(struct scope *s, struct candidate *c, struct error *err);

/* Computes a text that sees all that the scripts see. *out is NULL when it
 * needs what is absent; caller frees it. */
int scope_text(struct scope *s, const char *text, struct mark mark,
	       int text_at, char **out, struct error *err);

#endif
