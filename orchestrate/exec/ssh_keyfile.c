#include "orchestrate/exec/ssh_keyfile.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"

#define KEY_LIMIT ((size_t)1 << 20)

static void say(struct keyfile *k, enum keyfile_state state, const char *why)
{
	k->state = state;
	snprintf(k->why, sizeof(k->why), "%s", why);
}

/* Decodes the base64 text up to `end`, skipping line ends. */
static unsigned char *decode(const char *text, size_t n, size_t *n_out)
{
	struct buf flat = BUF_INIT;
	unsigned char *out = NULL;
	int length;

	for (size_t i = 0; i < n; i++)
		if (!strchr(" \t\r\n", text[i]))
			buf_addc(&flat, text[i]);
	if (flat.n && flat.n % 4 == 0) {
		out = mem_alloc(flat.n);
		length = EVP_DecodeBlock(out,
					 (const unsigned char *)flat.data,
					 (int)flat.n);
		if (length < 0) {
			free(out);
			out = NULL;
		} else {
			/* OpenSSL counts the padding as bytes */
			length -= flat.data[flat.n - 1] == '=';
			length -= flat.data[flat.n - 2] == '=';
			*n_out = (size_t)length;
		}
	}
	buf_release(&flat);
	return out;
}

/* A length-prefixed string of the SSH wire format; false: there is none. */
static bool take_string(const unsigned char **p, size_t *left,
			const unsigned char **s, size_t *n)
{
	size_t length;

	if (*left < 4)
		return false;
	length = (size_t)(*p)[0] << 24 | (size_t)(*p)[1] << 16 |
		 (size_t)(*p)[2] << 8 | (*p)[3];
	if (length > *left - 4)
		return false;
	*s = *p + 4;
	*n = length;
	*p += 4 + length;
	*left -= 4 + length;
	return true;
}

static bool equals(const unsigned char *s, size_t n, const char *text)
{
	return n == strlen(text) && !memcmp(s, text, n);
}

static void inspect_public(struct keyfile *k, const unsigned char *key,
			   size_t n)
{
	static const char *const usable[] = { "ssh-ed25519", "ssh-rsa",
					      "ecdsa-sha2-nistp256",
					      "ecdsa-sha2-nistp384",
					      "ecdsa-sha2-nistp521" };
	const unsigned char *p = key, *type;
	size_t left = n, n_type;

	k->public_key = mem_alloc(n + 1);
	memcpy(k->public_key, key, n);
	k->n_public_key = n;
	if (!take_string(&p, &left, &type, &n_type)) {
		say(k, KEYFILE_UNSUPPORTED, "is damaged");
		return;
	}
	k->is_rsa = equals(type, n_type, "ssh-rsa");
	for (size_t i = 0; i < sizeof(usable) / sizeof(*usable); i++)
		if (equals(type, n_type, usable[i]))
			return;
	snprintf(k->why, sizeof(k->why),
		 "is a %.*s key, which libssh2 cannot use: put it in an "
		 "agent, or use an ed25519 key",
		 (int)(n_type < 40 ? n_type : 40), (const char *)type);
	k->state = KEYFILE_UNSUPPORTED;
}

/*
 * "openssh-key-v1" NUL, cipher, kdf, kdf options, number of keys, public key
 * (OpenSSH's PROTOCOL.key).
 */
static void inspect_openssh(struct keyfile *k, const char *text,
			    const char *end)
{
	static const char magic[] = "openssh-key-v1";
	const unsigned char *p, *cipher, *skipped, *key;
	size_t n = 0, left, n_cipher, n_skipped, n_key;
	unsigned char *data = decode(text, (size_t)(end - text), &n);

	p = data;
	left = n;
	if (!data || n < sizeof(magic) || memcmp(data, magic, sizeof(magic)))
		goto damaged;
	p += sizeof(magic);
	left -= sizeof(magic);
	if (!take_string(&p, &left, &cipher, &n_cipher) ||
	    !take_string(&p, &left, &skipped, &n_skipped) ||
	    !take_string(&p, &left, &skipped, &n_skipped) || left < 4)
		goto damaged;
	p += 4;
	left -= 4;
	if (!take_string(&p, &left, &key, &n_key))
		goto damaged;
	inspect_public(k, key, n_key);
	if (k->state == KEYFILE_USABLE && !equals(cipher, n_cipher, "none"))
		say(k, KEYFILE_LOCKED,
		    "needs a passphrase: load it into an agent (ssh-add)");
	free(data);
	return;
damaged:
	say(k, KEYFILE_UNSUPPORTED, "is damaged");
	free(data);
}

static void inspect_text(struct keyfile *k, const char *text)
{
	static const char begin[] = "-----BEGIN ";
	const char *p = strstr(text, begin);
	const char *end = p ? strstr(p, "\n-----END ") : NULL;

	if (!end) {
		say(k, KEYFILE_UNSUPPORTED, "is no private key");
		return;
	}
	p += strlen(begin);
	if (!strncmp(p, "OPENSSH PRIVATE KEY-----", 24)) {
		inspect_openssh(k, p + 24, end);
		return;
	}
	k->is_rsa = !strncmp(p, "RSA ", 4);
	if (!strncmp(p, "ENCRYPTED ", 10) ||
	    memmem(p, (size_t)(end - p), "Proc-Type: 4,ENCRYPTED", 22))
		say(k, KEYFILE_LOCKED,
		    "needs a passphrase: load it into an agent (ssh-add)");
	else if (!strstr(p, "PRIVATE KEY-----"))
		say(k, KEYFILE_UNSUPPORTED, "is no private key");
}

/* The key of a public key file's one line, or NULL. */
static unsigned char *read_pub(const char *path, size_t *n)
{
	struct buf text = BUF_INIT;
	struct error ignored;
	unsigned char *key = NULL;
	char *p;

	if (!path_read(path, KEY_LIMIT, &text, &ignored) &&
	    (p = strchr(text.data, ' ')))
		key = decode(p + 1, strcspn(p + 1, " \t\r\n"), n);
	buf_release(&text);
	return key;
}

/*
 * FILE.pub (or FILE itself) may name a key whose private part is in an agent
 * alone, or another one by mistake.
 */
static void inspect_pub(struct keyfile *k, const char *path)
{
	char *pub = mem_printf("%s.pub", path);
	size_t n = 0;
	unsigned char *key = read_pub(pub, &n);

	if (!key && !k->public_key)
		key = read_pub(path, &n);
	if (key && !k->public_key) {
		k->public_key = key;
		k->n_public_key = n;
		key = NULL;
	} else if (key) {
		k->pub_differs = n != k->n_public_key ||
				 memcmp(key, k->public_key, n) != 0;
	}
	free(key);
	free(pub);
}

static bool check_file(struct keyfile *k, const char *path)
{
	struct stat st;

	if (stat(path, &st)) {
		say(k, errno == ENOENT ? KEYFILE_MISSING : KEYFILE_UNREADABLE,
		    errno == ENOENT ? "is not there" : strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode) || access(path, R_OK)) {
		say(k, KEYFILE_UNREADABLE,
		    S_ISREG(st.st_mode) ? "cannot be read: check its owner "
					  "and permissions"
					: "is no file");
		return false;
	}
	if (st.st_uid == getuid() && (st.st_mode & 077)) {
		say(k, KEYFILE_OPEN_TO_OTHERS,
		    "can be read by others, as ssh too would refuse: "
		    "chmod 600");
		return false;
	}
	return true;
}

void keyfile_inspect(struct keyfile *k, const char *path)
{
	struct buf text = BUF_INIT;
	struct error err;

	memset(k, 0, sizeof(*k));
	if (check_file(k, path)) {
		if (path_read(path, KEY_LIMIT, &text, &err))
			say(k, KEYFILE_UNREADABLE, "cannot be read");
		else
			inspect_text(k, text.data);
	}
	inspect_pub(k, path);
	buf_release(&text);
}

void keyfile_release(struct keyfile *k)
{
	free(k->public_key);
	memset(k, 0, sizeof(*k));
}
