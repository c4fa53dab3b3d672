#include "orchestrate/exec/known_hosts.h"

#include <fnmatch.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"

#define FILE_LIMIT ((size_t)64 << 20)
#define SHA1_SIZE 20

/* Decoded length, or -1; `out` has room for strlen(text). */
static int decode_base64(unsigned char *out, const char *text)
{
	size_t length = strlen(text);
	int n;

	if (!length || length % 4 || length > 65536)
		return -1;
	n = EVP_DecodeBlock(out, (const unsigned char *)text, (int)length);
	if (n < 0)
		return -1;
	/* OpenSSL counts the padding as bytes */
	n -= text[length - 1] == '=';
	n -= text[length - 2] == '=';
	return n;
}

/* "|1|salt|hash": HMAC-SHA1 of the name with the salt as key. */
static bool hash_matches(const char *field, const char *name)
{
	const char *salt_text = field + strlen("|1|");
	const char *bar = strchr(salt_text, '|');
	unsigned char salt[256], hash[256], mine[EVP_MAX_MD_SIZE];
	unsigned int n_mine = 0;
	char *copy;
	int n_salt, n_hash;

	if (!bar || strlen(field) > 255)
		return false;
	copy = mem_strndup(salt_text, (size_t)(bar - salt_text));
	n_salt = decode_base64(salt, copy);
	free(copy);
	n_hash = decode_base64(hash, bar + 1);
	if (n_salt <= 0 || n_hash != SHA1_SIZE)
		return false;
	if (!HMAC(EVP_sha1(), salt, n_salt, (const unsigned char *)name,
		  strlen(name), mine, &n_mine))
		return false;
	return n_mine == SHA1_SIZE && !memcmp(mine, hash, SHA1_SIZE);
}

/*
 * One pattern: * and ? only. Brackets belong to names ("[host]:22"), so that
 * they are quoted for fnmatch.
 */
static bool pattern_matches(const char *pattern, const char *name)
{
	struct buf quoted = BUF_INIT;
	bool matches;

	for (const char *p = pattern; *p; p++) {
		if (*p == '[' || *p == ']' || *p == '\\')
			buf_addc(&quoted, '\\');
		buf_addc(&quoted, *p);
	}
	matches = !fnmatch(quoted.data, name, FNM_CASEFOLD);
	buf_release(&quoted);
	return matches;
}

/* "a,*.b,!c.b": any of them, unless a negated one matches as well. */
static bool field_matches(char *field, const char *name)
{
	bool matches = false;
	char *save = NULL;
	char *copy;

	if (!strncmp(field, "|1|", 3))
		return hash_matches(field, name);
	copy = mem_strdup(field);
	for (char *p = strtok_r(copy, ",", &save); p;
	     p = strtok_r(NULL, ",", &save)) {
		bool negated = *p == '!';

		if (!pattern_matches(p + negated, name))
			continue;
		matches = !negated;
		if (negated)
			break;
	}
	free(copy);
	return matches;
}

static void add_key(struct known_keys *keys, struct known_key key,
		    const char *file, const char *type, const char *base64)
{
	int n;

	key.key = mem_alloc(strlen(base64) + 1);
	n = decode_base64(key.key, base64);
	if (n <= 0) {
		free(key.key);
		return;
	}
	key.n_key = (size_t)n;
	key.file = mem_strdup(file);
	key.type = mem_strdup(type);
	MEM_GROW(keys->items, keys->n, keys->cap);
	keys->items[keys->n++] = key;
}

static void read_line(struct known_keys *keys, const char *file,
		      size_t number, char *line, const char *name,
		      const char *fallback)
{
	static const char blank[] = " \t\r";
	struct known_key key = { .line = number };
	char *save = NULL;
	char *field = strtok_r(line, blank, &save);
	char *type, *base64;

	if (!field || *field == '#')
		return;
	if (*field == '@') {
		if (!strcmp(field, "@revoked"))
			key.revoked = true;
		else
			return;
		field = strtok_r(NULL, blank, &save);
	}
	type = strtok_r(NULL, blank, &save);
	base64 = strtok_r(NULL, blank, &save);
	if (!field || !type || !base64)
		return;
	key.exact = field_matches(field, name);
	if (key.exact || (fallback && field_matches(field, fallback)))
		add_key(keys, key, file, type, base64);
}

static void read_file(struct known_keys *keys, const char *file,
		      const char *name, const char *fallback)
{
	struct buf text = BUF_INIT;
	struct error ignored;
	size_t number = 0;
	char *line;

	if (path_read(file, FILE_LIMIT, &text, &ignored)) {
		buf_release(&text);
		return;
	}
	for (line = text.data; line < text.data + text.n;) {
		char *end = line + strcspn(line, "\n");

		*end = '\0';
		read_line(keys, file, ++number, line, name, fallback);
		line = end + 1;
	}
	buf_release(&text);
}

void known_keys_find(struct known_keys *keys, const struct strlist *files,
		     const char *name, const char *fallback)
{
	for (size_t i = 0; i < files->n; i++)
		read_file(keys, files->items[i], name, fallback);
}

void known_keys_release(struct known_keys *keys)
{
	for (size_t i = 0; i < keys->n; i++) {
		free(keys->items[i].file);
		free(keys->items[i].type);
		free(keys->items[i].key);
	}
	free(keys->items);
	*keys = (struct known_keys)KNOWN_KEYS_INIT;
}
