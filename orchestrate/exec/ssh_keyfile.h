#ifndef EXEC_SSH_KEYFILE_H
#define EXEC_SSH_KEYFILE_H

#include <stdbool.h>
#include <stddef.h>

/* What can be told of a private key file without its passphrase. */
enum keyfile_state {
	KEYFILE_USABLE,
	KEYFILE_MISSING,
	KEYFILE_UNREADABLE,
	KEYFILE_OPEN_TO_OTHERS, /* its permissions let others read it */
	KEYFILE_LOCKED,         /* needs a passphrase */
	KEYFILE_UNSUPPORTED,    /* not a private key, or of a kind that
	                         * libssh2 cannot use */
};

struct keyfile {
	enum keyfile_state state;
	bool is_rsa;
	char why[128];          /* what to do, unless usable */
	unsigned char *public_key; /* wire format, NULL = not known */
	size_t n_public_key;
	bool pub_differs;       /* FILE.pub holds another key */
};

void keyfile_inspect(struct keyfile *k, const char *path);
void keyfile_release(struct keyfile *k);

#endif
