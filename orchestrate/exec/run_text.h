#ifndef EXEC_RUN_TEXT_H
#define EXEC_RUN_TEXT_H

struct binding_run;
struct buf;
struct error;
struct experiment;

/*
 * The script that makes a run, appended: its benchmark, inside of what the
 * layers in effect at its levels enter (the lowest layer is entered first).
 * ERROR_USAGE when a value cannot be computed.
 */
int run_text(struct buf *out, const struct experiment *e,
	     const struct binding_run *run, const char *place,
	     const char *token, struct error *err);

#endif
