#ifndef EXEC_TARGET_H
#define EXEC_TARGET_H

struct error;
struct host;

/*
 * How to reach a host, as one line of JSON that the store keeps with what has
 * to be put back: it outlives the experiment file. `dir` is what relative
 * paths start from. Caller frees.
 */
char *target_write(const struct host *host, const char *dir);

/* The reverse; `host` and `dir` are the caller's to release. */
int target_parse(const char *text, struct host *host, char **dir,
		 struct error *err);
void target_release(struct host *host);

#endif
