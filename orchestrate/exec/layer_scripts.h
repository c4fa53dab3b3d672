#ifndef EXEC_LAYER_SCRIPTS_H
#define EXEC_LAYER_SCRIPTS_H

#include <stddef.h>

struct binding_run;
struct error;
struct experiment;

/* The scripts of a layer of the stack, whole, as they are sent. */
struct layer_scripts {
	char *save;     /* NULL: there is no state to save */
	char *apply;
	char *check;    /* verify, then show */
	char *revert;   /* without $saved: script_with_saved() */
	double timeout; /* s, of each script on the host */
};

/*
 * For the levels of the run, at which something serves the layer. ERROR_USAGE
 * when a value cannot be computed: nothing to release then.
 */
int layer_scripts_make(struct layer_scripts *s, const struct experiment *e,
		       const struct binding_run *run, size_t layer,
		       struct error *err);
void layer_scripts_release(struct layer_scripts *s);

#endif
