#ifndef EXEC_KNOWN_HOSTS_H
#define EXEC_KNOWN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

struct strlist;

/* A line of a known_hosts file that speaks of the host asked for. */
struct known_key {
	char *file;
	size_t line;
	bool revoked;
	bool exact;             /* named with its port, not by host alone */
	char *type;             /* "ssh-ed25519" */
	unsigned char *key;     /* SSH wire format */
	size_t n_key;
};

struct known_keys {
	struct known_key *items;
	size_t n;
	size_t cap;
};

#define KNOWN_KEYS_INIT { .items = NULL, .n = 0, .cap = 0 }

/*
 * The lines of these files for `name` (exact), and for `fallback` when it
 * is not NULL. Files that are not there, and lines that are no such thing,
 * hold nothing; @cert-authority lines are left out.
 */
void known_keys_find(struct known_keys *keys, const struct strlist *files,
		     const char *name, const char *fallback);
void known_keys_release(struct known_keys *keys);

#endif
