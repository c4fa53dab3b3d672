#ifndef EXEC_CHILD_H
#define EXEC_CHILD_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct loop;

/*
 * A program on this machine, in a session and process group of its own (the
 * terminal's Ctrl-C does not reach it), with pipes for its standard input,
 * output and error. It has ended when it exited and both outputs were
 * closed, like a channel of sshd.
 */
struct child;

struct child_options {
	const char *const *args; /* args[0] is the program; NULL ends them */
	char **env;              /* NULL = ours */
	const char *cwd;         /* NULL = ours */
	void (*on_read)(void *ctx, bool is_err, const void *data, size_t n);
	/* Once, from the loop; 128 + signal; -1 when it was killed by
	 * child_kill() or did not start. The child is gone then. */
	void (*on_end)(void *ctx, int exit_status);
	void *ctx;
};

/* When it cannot be started `err` is set; on_end(-1) comes all the same. */
struct child *child_start(struct loop *l, const struct child_options *o,
			  struct error *err);

/* Unless `copy`, `data` must stay until on_end. */
void child_write(struct child *c, const void *data, size_t n, bool copy);
void child_end_input(struct child *c);

/* Kills the process group and drops what it still says. */
void child_kill(struct child *c);

#endif
