#ifndef EXEC_SSH_CONFIG_H
#define EXEC_SSH_CONFIG_H

#include <stdbool.h>

#include "base/strlist.h"

struct error;
struct host;
struct loop;

/* Where and how to log in, whatever it came from. */
struct ssh_target {
	char *name;             /* the experiment's name for the host */
	char *hostname;
	int port;
	char *user;
	struct strlist identities; /* private key files, in order */
	bool identities_only;   /* no other key of the agent */
	bool key_given;         /* the experiment names the key */
	char *agent;            /* socket; NULL = none */
	struct strlist known_hosts;
	char *host_key_alias;   /* NULL = hostname and port */
	double connect_timeout; /* s */
	bool lax_host_keys;     /* StrictHostKeyChecking is off there */
};

void ssh_target_init(struct ssh_target *t);
void ssh_target_release(struct ssh_target *t);

/* What OpenSSH would do without any configuration file. */
void ssh_target_defaults(struct ssh_target *t);

/*
 * Reads what `ssh -G` printed, over the defaults. ERROR_ENVIRONMENT when it
 * is not that; ERROR_USAGE when it asks for what we cannot do (ProxyJump).
 */
int ssh_target_parse(struct ssh_target *t, const char *text,
		     struct error *err);

/* The experiment's own address, port, user, key and known_hosts win. */
void ssh_target_override(struct ssh_target *t, const struct host *host,
			 const char *dir);

/*
 * Finds the target of a host: through `ssh -G` when it is a name, else from
 * the host alone. done() is called once, from the loop; the target is the
 * callee's to release when err->kind is NONE.
 */
struct ssh_query;
struct ssh_query *ssh_query_start(struct loop *l, const struct host *host,
				  const char *dir,
				  void (*done)(void *ctx,
					       struct ssh_target *target,
					       const struct error *err),
				  void *ctx);
void ssh_query_cancel(struct ssh_query *q); /* NULL-safe; no done() */

#endif
