#include "base/hash.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"

struct hash {
	EVP_MD_CTX *ctx;
};

static void hex_of(char *hex, const unsigned char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[2 * n] = '\0';
}

static void must(int ok)
{
	if (ok == 1)
		return;
	fputs("assay: libcrypto cannot compute SHA-256\n", stderr);
	exit(3);
}

struct hash *hash_new(void)
{
	struct hash *h = mem_zalloc(1, sizeof(*h));

	h->ctx = EVP_MD_CTX_new();
	must(h->ctx && EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL));
	return h;
}

void hash_free(struct hash *h)
{
	if (!h)
		return;
	EVP_MD_CTX_free(h->ctx);
	free(h);
}

void hash_add(struct hash *h, const void *data, size_t n)
{
	must(EVP_DigestUpdate(h->ctx, data, n));
}

void hash_add_string(struct hash *h, const char *s)
{
	s = s ? s : "";
	hash_add(h, s, strlen(s) + 1);
}

void hash_finish(struct hash *h, char hex[HASH_HEX_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int n = 0;

	must(EVP_DigestFinal_ex(h->ctx, digest, &n));
	hex_of(hex, digest, n);
}

void hash_random_hex(char *hex, size_t n)
{
	unsigned char bytes[64];

	*hex = '\0';
	while (n) {
		size_t some = n < sizeof(bytes) ? n : sizeof(bytes);

		must(getrandom(bytes, some, 0) == (ssize_t)some);
		hex_of(hex, bytes, some);
		hex += 2 * some;
		n -= some;
	}
}
