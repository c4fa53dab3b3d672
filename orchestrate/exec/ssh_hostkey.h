#ifndef EXEC_SSH_HOSTKEY_H
#define EXEC_SSH_HOSTKEY_H

#include <stddef.h>

struct buf;
struct error;
struct ssh_target;

/*
 * Whether the key (SSH wire format) that the server shows is the one that
 * the target's known_hosts files hold for it, read as OpenSSH reads them:
 * [host]:port, hashed names, patterns, negation, @revoked. Certificate
 * authorities are not trusted. ERROR_ENVIRONMENT says which file and line
 * holds something else, and both fingerprints.
 */
int hostkey_check(const struct ssh_target *t, const void *key, size_t n,
		  struct error *err);

/*
 * Appends the host key algorithms to offer, best first: those of the keys
 * known for this host, so that a server with several keys shows one that
 * can be checked.
 */
void hostkey_preference(const struct ssh_target *t, struct buf *out);

/* Appends "SHA256:..." as ssh-keygen -l prints it. */
void hostkey_fingerprint(struct buf *out, const void *key, size_t n);

#endif
