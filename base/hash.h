#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>

/* SHA-256 (OpenSSL libcrypto), streamed; digests are lower-case hex. */
#define HASH_HEX_SIZE 65

struct hash;

struct hash *hash_new(void);
void hash_free(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t n);
/* Adds the string and its terminating NUL, so that ("a","bc") and ("ab","c")
 * differ; NULL counts as "". */
void hash_add_string(struct hash *h, const char *s);
void hash_finish(struct hash *h, char hex[HASH_HEX_SIZE]);

/* Random bytes from the kernel as lower-case hex; `hex` holds 2n + 1. */
void hash_random_hex(char *hex, size_t n);

#endif
