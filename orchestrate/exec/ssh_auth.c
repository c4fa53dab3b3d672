#include "orchestrate/exec/ssh_auth.h"

#include <libssh2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "orchestrate/exec/ssh_agent.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_keyfile.h"

/* A person may have to touch a key or confirm. */
#define AGENT_TIMEOUT 30.0

enum phase {
	PHASE_METHODS,   /* which methods does the server accept? */
	PHASE_LIST_KEYS, /* which keys does the agent have? */
	PHASE_TRY,
};

/* One key to try: from a file when `path` is set, else from the agent. */
struct candidate {
	const char *path;
	const struct agent_key *agent_key;
	bool is_rsa;
	bool pub_differs;
};

struct ssh_auth {
	struct loop *loop;
	LIBSSH2_SESSION *lib;
	const struct ssh_target *t;
	const bool *ended;
	void (*wake)(void *ctx);
	void *ctx;
	enum phase phase;
	char *methods;
	struct ssh_agent *agent;
	struct keyfile *files;       /* one for each identity */
	struct candidate *candidates;
	size_t n, cap, next;
	bool sign_asked, sign_waits; /* of the agent */
	struct buf tried, skipped;
};

struct ssh_auth *ssh_auth_new(struct loop *l, LIBSSH2_SESSION *lib,
			      const struct ssh_target *t, const bool *ended,
			      void (*wake)(void *ctx), void *ctx)
{
	struct ssh_auth *a = mem_zalloc(1, sizeof(*a));

	a->loop = l;
	a->lib = lib;
	a->t = t;
	a->ended = ended;
	a->wake = wake;
	a->ctx = ctx;
	buf_init(&a->tried);
	buf_init(&a->skipped);
	a->files = mem_zalloc(t->identities.n + 1, sizeof(*a->files));
	for (size_t i = 0; i < t->identities.n; i++)
		keyfile_inspect(&a->files[i], t->identities.items[i]);
	return a;
}

void ssh_auth_free(struct ssh_auth *a)
{
	if (!a)
		return;
	ssh_agent_close(a->agent);
	for (size_t i = 0; i < a->t->identities.n; i++)
		keyfile_release(&a->files[i]);
	free(a->files);
	free(a->candidates);
	free(a->methods);
	buf_release(&a->tried);
	buf_release(&a->skipped);
	free(a);
}

static void add_item(struct buf *list, const char *text)
{
	if (list->n)
		buf_adds(list, ", ");
	buf_adds(list, text);
}

static void add_candidate(struct ssh_auth *a, struct candidate c)
{
	MEM_GROW(a->candidates, a->n, a->cap);
	a->candidates[a->n++] = c;
}

static bool same_key(const struct keyfile *file, const struct agent_key *key)
{
	return file->public_key && file->n_public_key == key->n_key &&
	       !memcmp(file->public_key, key->key, key->n_key);
}

static bool is_rsa(const struct agent_key *key)
{
	return key->n_key > 11 && !memcmp(key->key, "\0\0\0\7ssh-rsa", 11);
}

static bool is_wanted(const struct ssh_auth *a, const struct agent_key *key)
{
	if (!a->t->identities_only)
		return true;
	for (size_t i = 0; i < a->t->identities.n; i++)
		if (same_key(&a->files[i], key))
			return true;
	return false;
}

static bool agent_has(const struct ssh_auth *a, const struct keyfile *file)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->candidates[i].agent_key &&
		    same_key(file, a->candidates[i].agent_key))
			return true;
	return false;
}

/*
 * RSA keys come last: servers count refusals, and libssh2 can sign with
 * those only in the way (SHA-1) that today's servers refuse.
 */
static void choose_agent_keys(struct ssh_auth *a)
{
	const struct agent_key *keys;
	size_t n;

	if (!a->agent || ssh_agent_state(a->agent) != AGENT_READY)
		return;
	keys = ssh_agent_keys(a->agent, &n);
	for (int rsa = 0; rsa <= 1; rsa++)
		for (size_t i = 0; i < n; i++)
			if (is_rsa(&keys[i]) == rsa && is_wanted(a, &keys[i]))
				add_candidate(a, (struct candidate){
							 .agent_key = &keys[i],
							 .is_rsa = rsa });
}

static void choose_files(struct ssh_auth *a)
{
	for (size_t i = 0; i < a->t->identities.n; i++) {
		const struct keyfile *file = &a->files[i];
		const char *path = a->t->identities.items[i];
		char *text;

		if (agent_has(a, file))
			continue;
		if (file->state == KEYFILE_USABLE) {
			add_candidate(a, (struct candidate){
						 .path = path,
						 .is_rsa = file->is_rsa,
						 .pub_differs =
							 file->pub_differs });
		} else if (file->state != KEYFILE_MISSING ||
			   a->t->key_given) {
			text = mem_printf("%s %s", path, file->why);
			add_item(&a->skipped, text);
			free(text);
		}
	}
}

static bool needs_agent(const struct ssh_auth *a)
{
	return a->t->agent && !(a->t->key_given &&
				a->files[0].state == KEYFILE_USABLE);
}

static enum auth_step refuse_methods(struct ssh_auth *a, struct error *err)
{
	error_set(err, ERROR_ENVIRONMENT,
		  "%s accepts only %s for user %s, and assay can log in only "
		  "with a key: allow publickey in its sshd_config",
		  a->t->name, a->methods, a->t->user);
	return AUTH_REFUSED;
}

static enum auth_step step_methods(struct ssh_auth *a, struct error *err)
{
	const char *methods = libssh2_userauth_list(
		a->lib, a->t->user, (unsigned)strlen(a->t->user));

	if (!methods) {
		if (libssh2_userauth_authenticated(a->lib))
			return AUTH_DONE;
		return libssh2_session_last_errno(a->lib) ==
				       LIBSSH2_ERROR_EAGAIN
			       ? AUTH_WAIT_SOCKET
			       : AUTH_BROKEN;
	}
	a->methods = mem_strdup(methods);
	if (!strstr(methods, "publickey"))
		return refuse_methods(a, err);
	if (needs_agent(a))
		a->agent = ssh_agent_open(a->loop, a->t->agent, AGENT_TIMEOUT,
					  a->wake, a->ctx);
	a->phase = PHASE_LIST_KEYS;
	return ssh_auth_step(a, err);
}

static enum auth_step step_list_keys(struct ssh_auth *a, struct error *err)
{
	char *text;

	if (a->agent && ssh_agent_state(a->agent) == AGENT_BUSY)
		return AUTH_WAIT_AGENT;
	if (a->agent && ssh_agent_state(a->agent) == AGENT_FAILED) {
		text = mem_printf("the agent at %s (%s)", a->t->agent,
				  ssh_agent_problem(a->agent));
		add_item(&a->skipped, text);
		free(text);
	}
	choose_agent_keys(a);
	choose_files(a);
	a->phase = PHASE_TRY;
	return ssh_auth_step(a, err);
}

/* libssh2 calls this again until it does not say EAGAIN. */
static int sign_by_agent(LIBSSH2_SESSION *lib, unsigned char **sig,
			 size_t *n_sig, const unsigned char *data,
			 size_t n_data, void **abstract)
{
	struct ssh_auth *a = (void *)abstract;
	const unsigned char *signature;

	(void)lib;
	a->sign_waits = false;
	if (!a->sign_asked) {
		a->sign_asked = true;
		ssh_agent_sign(a->agent, a->candidates[a->next].agent_key,
			       data, n_data);
	}
	if (ssh_agent_state(a->agent) == AGENT_BUSY) {
		a->sign_waits = true;
		return LIBSSH2_ERROR_EAGAIN;
	}
	signature = ssh_agent_signature(a->agent, n_sig);
	if (!signature)
		return -1;
	*sig = mem_alloc(*n_sig); /* libssh2 frees it */
	memcpy(*sig, signature, *n_sig);
	return 0;
}

static int try_key(struct ssh_auth *a, const struct candidate *c)
{
	if (c->agent_key)
		return libssh2_userauth_publickey(
			a->lib, a->t->user, c->agent_key->key,
			c->agent_key->n_key, sign_by_agent, (void **)a);
	/* The empty passphrase keeps OpenSSL from asking the terminal. */
	return libssh2_userauth_publickey_fromfile_ex(
		a->lib, a->t->user, (unsigned)strlen(a->t->user), NULL,
		c->path, "");
}

static bool is_broken(int rc)
{
	return rc == LIBSSH2_ERROR_SOCKET_SEND ||
	       rc == LIBSSH2_ERROR_SOCKET_RECV ||
	       rc == LIBSSH2_ERROR_SOCKET_DISCONNECT ||
	       rc == LIBSSH2_ERROR_TIMEOUT;
}

static void note_refusal(struct ssh_auth *a, const struct candidate *c)
{
	struct buf text = BUF_INIT;

	if (c->path) {
		buf_adds(&text, c->path);
	} else {
		buf_adds(&text, "the agent's key ");
		utf8_add_printable(&text, c->agent_key->comment,
				   strlen(c->agent_key->comment));
	}
	if (c->is_rsa)
		buf_adds(&text, " (RSA: libssh2 here can sign only with "
				"SHA-1, which servers refuse today; use an "
				"ed25519 key)");
	if (c->pub_differs)
		buf_adds(&text, " (its .pub file holds another key)");
	add_item(&a->tried, text.data);
	buf_release(&text);
}

static enum auth_step all_refused(struct ssh_auth *a, struct error *err)
{
	const struct ssh_target *t = a->t;

	if (a->tried.n)
		error_set(err, ERROR_ENVIRONMENT,
			  "%s refuses the login of %s with %s%s%s; it accepts "
			  "%s: add the public key to ~%s/.ssh/"
			  "authorized_keys there, or name the right one with "
			  "`key:`",
			  t->name, t->user, a->tried.data,
			  a->skipped.n ? "; not tried: " : "",
			  a->skipped.data, a->methods, t->user);
	else
		error_set(err, ERROR_ENVIRONMENT,
			  "no key to log in to %s as %s: %s; name one with "
			  "`key:` or load one into an agent",
			  t->name, t->user,
			  a->skipped.n ? a->skipped.data
				       : "there is none in ~/.ssh and no "
					 "agent has one");
	return AUTH_REFUSED;
}

static enum auth_step step_try(struct ssh_auth *a, struct error *err)
{
	int rc;

	while (a->next < a->n) {
		const struct candidate *c = &a->candidates[a->next];

		a->sign_waits = false;
		rc = try_key(a, c);
		if (rc == 0)
			return AUTH_DONE;
		if (rc == LIBSSH2_ERROR_EAGAIN)
			return a->sign_waits ? AUTH_WAIT_AGENT
					     : AUTH_WAIT_SOCKET;
		/* libssh2 calls a hang-up a refusal, often */
		if (is_broken(rc) || *a->ended)
			return AUTH_BROKEN;
		note_refusal(a, c);
		a->sign_asked = false;
		a->next++;
	}
	return all_refused(a, err);
}

enum auth_step ssh_auth_step(struct ssh_auth *a, struct error *err)
{
	switch (a->phase) {
	case PHASE_METHODS:
		return step_methods(a, err);
	case PHASE_LIST_KEYS:
		return step_list_keys(a, err);
	case PHASE_TRY:
		break;
	}
	return step_try(a, err);
}

const char *ssh_auth_tried(const struct ssh_auth *a)
{
	return a->tried.data;
}
