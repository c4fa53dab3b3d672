#include "orchestrate/exec/ssh_hostkey.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/known_hosts.h"
#include "orchestrate/exec/ssh_config.h"

#define SSH_PORT 22

/* What libssh2 can check, best first. */
static const char *const algorithms[] = {
	"ssh-ed25519",
	"ecdsa-sha2-nistp256",
	"ecdsa-sha2-nistp384",
	"ecdsa-sha2-nistp521",
	"ssh-rsa",
};
#define N_ALGORITHMS (sizeof(algorithms) / sizeof(*algorithms))

void hostkey_fingerprint(struct buf *out, const void *key, size_t n)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	char text[2 * EVP_MAX_MD_SIZE];
	unsigned int n_digest = 0;
	int length;

	EVP_Digest(key, n, digest, &n_digest, EVP_sha256(), NULL);
	length = EVP_EncodeBlock((unsigned char *)text, digest,
				 (int)n_digest);
	while (length && text[length - 1] == '=')
		length--;
	buf_adds(out, "SHA256:");
	buf_add(out, text, (size_t)length);
}

static char *lower_case(char *name)
{
	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return name;
}

/* The name under which the key is filed. */
static char *lookup_name(const struct ssh_target *t)
{
	if (t->host_key_alias)
		return lower_case(mem_strdup(t->host_key_alias));
	if (t->port == SSH_PORT)
		return lower_case(mem_strdup(t->hostname));
	return lower_case(mem_printf("[%s]:%d", t->hostname, t->port));
}

static void find_keys(struct known_keys *keys, const struct ssh_target *t,
		      const char *name)
{
	char *bare = NULL;

	/* Like ssh: a host known without its port is known. */
	if (!t->host_key_alias && t->port != SSH_PORT)
		bare = lower_case(mem_strdup(t->hostname));
	known_keys_find(keys, &t->known_hosts, name, bare);
	free(bare);
}

static bool same_key(const struct known_key *known, const void *key, size_t n)
{
	return known->n_key == n && !memcmp(known->key, key, n);
}

/* The type is the first string of the wire format. */
static char *key_type(const void *key, size_t n)
{
	const unsigned char *p = key;
	size_t length;

	if (n < 4)
		return mem_strdup("unknown");
	length = (size_t)p[2] << 8 | p[3];
	if (length > n - 4)
		return mem_strdup("unknown");
	return mem_strndup((const char *)p + 4, length);
}

/* What is told about a key that is not accepted. */
struct stranger {
	const struct ssh_target *t;
	const char *filed_as;
	char *type;
	struct buf fingerprint;
};

static int refuse_revoked(const struct stranger *s,
			  const struct known_key *known, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT,
			 "host key of %s (%s), %s, is marked @revoked in %s "
			 "line %zu: do not use this host until you know why",
			 s->t->name, s->filed_as, s->fingerprint.data,
			 known->file, known->line);
}

static int refuse_changed(const struct stranger *s,
			  const struct known_key *known, struct error *err)
{
	struct buf old = BUF_INIT;

	hostkey_fingerprint(&old, known->key, known->n_key);
	error_set(err, ERROR_ENVIRONMENT,
		  "host key of %s (%s) has changed: it shows the %s key %s, "
		  "but %s line %zu holds %s; either the host was installed "
		  "anew or someone is in between: find out which, and only "
		  "then remove the old key with: ssh-keygen -f %s -R '%s'",
		  s->t->name, s->filed_as, s->type, s->fingerprint.data,
		  known->file, known->line, old.data, known->file,
		  s->filed_as);
	buf_release(&old);
	return -1;
}

static void list_files(struct buf *out, const struct ssh_target *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->known_hosts.n; i++)
		if (path_exists(t->known_hosts.items[i]))
			buf_addf(out, "%s%s", n++ ? ", " : "",
				 t->known_hosts.items[i]);
	if (n)
		return;
	buf_adds(out, t->known_hosts.n ? t->known_hosts.items[0]
				       : "any known_hosts file");
	if (t->known_hosts.n)
		buf_adds(out, " (no such file)");
}

static int refuse_unknown(const struct stranger *s,
			  const struct known_keys *keys, struct error *err)
{
	const struct ssh_target *t = s->t;
	struct buf where = BUF_INIT, scan = BUF_INIT;

	list_files(&where, t);
	if (keys->n)
		buf_addf(&where, " (%s line %zu has only its %s key)",
			 keys->items[0].file, keys->items[0].line,
			 keys->items[0].type);
	buf_adds(&scan, "ssh-keyscan ");
	if (t->port != SSH_PORT)
		buf_addf(&scan, "-p %d ", t->port);
	buf_addf(&scan, "%s >>%s", t->hostname,
		 t->known_hosts.n ? t->known_hosts.items[0] : "FILE");
	error_set(err, ERROR_ENVIRONMENT,
		  "host key of %s (%s) is not in %s: add it with `%s` after "
		  "checking on the host that its %s fingerprint is %s%s",
		  t->name, s->filed_as, where.data, scan.data, s->type,
		  s->fingerprint.data,
		  t->lax_host_keys ? " (assay checks it always, whatever "
				     "StrictHostKeyChecking says)"
				   : "");
	buf_release(&where);
	buf_release(&scan);
	return -1;
}

static int judge(const struct stranger *s, const struct known_keys *keys,
		 const void *key, size_t n, struct error *err)
{
	const struct known_key *changed = NULL;
	bool known = false;

	for (size_t i = 0; i < keys->n; i++) {
		const struct known_key *k = &keys->items[i];

		if (k->revoked) {
			if (same_key(k, key, n))
				return refuse_revoked(s, k, err);
		} else if (same_key(k, key, n)) {
			known = true;
		} else if (!changed && k->exact && !strcmp(k->type, s->type)) {
			changed = k;
		}
	}
	if (known)
		return 0;
	if (changed)
		return refuse_changed(s, changed, err);
	return refuse_unknown(s, keys, err);
}

int hostkey_check(const struct ssh_target *t, const void *key, size_t n,
		  struct error *err)
{
	struct known_keys keys = KNOWN_KEYS_INIT;
	char *name = lookup_name(t);
	struct stranger s = { .t = t,
			      .filed_as = name,
			      .type = key_type(key, n),
			      .fingerprint = BUF_INIT };
	int rc;

	hostkey_fingerprint(&s.fingerprint, key, n);
	find_keys(&keys, t, name);
	rc = judge(&s, &keys, key, n, err);
	known_keys_release(&keys);
	buf_release(&s.fingerprint);
	free(s.type);
	free(name);
	return rc;
}

static void prefer(struct buf *out, const char *algorithm)
{
	if (out->n)
		buf_addc(out, ',');
	buf_adds(out, algorithm);
}

void hostkey_preference(const struct ssh_target *t, struct buf *out)
{
	struct known_keys keys = KNOWN_KEYS_INIT;
	char *name = lookup_name(t);
	bool known[N_ALGORITHMS] = { false };

	find_keys(&keys, t, name);
	for (size_t i = 0; i < N_ALGORITHMS; i++)
		for (size_t k = 0; k < keys.n; k++)
			if (!keys.items[k].revoked &&
			    !strcmp(keys.items[k].type, algorithms[i]))
				known[i] = true;
	for (size_t i = 0; i < N_ALGORITHMS; i++)
		if (known[i])
			prefer(out, algorithms[i]);
	for (size_t i = 0; i < N_ALGORITHMS; i++)
		if (!known[i])
			prefer(out, algorithms[i]);
	known_keys_release(&keys);
	free(name);
}
