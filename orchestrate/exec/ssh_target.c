#include <ctype.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/spec/experiment.h"

#define SSH_PORT 22
#define CONNECT_TIMEOUT 15.0

void ssh_target_init(struct ssh_target *t)
{
	memset(t, 0, sizeof(*t));
	t->port = SSH_PORT;
	t->connect_timeout = CONNECT_TIMEOUT;
}

void ssh_target_release(struct ssh_target *t)
{
	free(t->name);
	free(t->hostname);
	free(t->user);
	free(t->agent);
	free(t->host_key_alias);
	strlist_release(&t->identities);
	strlist_release(&t->known_hosts);
	ssh_target_init(t);
}

static void replace(char **where, const char *with)
{
	char *copy = mem_strdup(with);

	free(*where);
	*where = copy;
}

static const char *home_directory(void)
{
	const char *home = getenv("HOME");
	const struct passwd *pw;

	if (home && *home)
		return home;
	pw = getpwuid(getuid());
	return pw ? pw->pw_dir : "/";
}

static const char *user_name(void)
{
	const struct passwd *pw = getpwuid(getuid());
	const char *user = pw ? pw->pw_name : getenv("USER");

	return user ? user : "";
}

static void push_agent_of_environment(struct ssh_target *t)
{
	const char *sock = getenv("SSH_AUTH_SOCK");

	free(t->agent);
	t->agent = sock && *sock ? mem_strdup(sock) : NULL;
}

void ssh_target_defaults(struct ssh_target *t)
{
	static const char *const keys[] = { "id_ed25519", "id_ecdsa",
					    "id_rsa" };

	replace(&t->user, user_name());
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		strlist_push_nodup(&t->identities,
				   mem_printf("%s/.ssh/%s", home_directory(),
					      keys[i]));
	strlist_push_nodup(&t->known_hosts,
			   mem_printf("%s/.ssh/known_hosts",
				      home_directory()));
	push_agent_of_environment(t);
}

static void add_token(struct buf *out, const struct ssh_target *t, char c)
{
	switch (c) {
	case 'd':
		buf_adds(out, home_directory());
		break;
	case 'h':
		buf_adds(out, t->hostname ? t->hostname : "");
		break;
	case 'i':
		buf_addf(out, "%lu", (unsigned long)getuid());
		break;
	case 'p':
		buf_addf(out, "%d", t->port);
		break;
	case 'r':
		buf_adds(out, t->user ? t->user : "");
		break;
	case 'u':
		buf_adds(out, user_name());
		break;
	case '%':
		buf_addc(out, '%');
		break;
	default:
		buf_addc(out, '%');
		buf_addc(out, c);
	}
}

/* "${NAME}" at `s`; returns what follows, or NULL when there is none. */
static const char *add_variable(struct buf *out, const char *s)
{
	const char *end = strncmp(s, "${", 2) ? NULL : strchr(s, '}');
	const char *value;
	char *name;

	if (!end)
		return NULL;
	name = mem_strndup(s + 2, (size_t)(end - s - 2));
	value = getenv(name);
	buf_adds(out, value ? value : "");
	free(name);
	return end + 1;
}

static const char *add_home(struct buf *out, const char *s)
{
	size_t n = strcspn(s, "/");
	char *name = mem_strndup(s + 1, n - 1);
	const struct passwd *pw = *name ? getpwnam(name) : NULL;

	if (!*name)
		buf_adds(out, home_directory());
	else if (pw)
		buf_adds(out, pw->pw_dir);
	else
		buf_add(out, s, n);
	free(name);
	return s + n;
}

/* What `ssh -G` leaves to be expanded: ~, %-tokens and ${variables}. */
static char *expand(const struct ssh_target *t, const char *s)
{
	struct buf out = BUF_INIT;
	const char *next;

	if (*s == '~')
		s = add_home(&out, s);
	while (*s) {
		next = add_variable(&out, s);
		if (next) {
			s = next;
		} else if (*s == '%' && s[1]) {
			add_token(&out, t, s[1]);
			s += 2;
		} else {
			buf_addc(&out, *s++);
		}
	}
	return buf_detach(&out);
}

/*
 * `ssh -G` prints a list of files with spaces between and no quotes; a
 * space within a name is told from one between by what follows it.
 */
static void push_files(struct ssh_target *t, const char *value)
{
	const char *start = value;

	for (const char *p = value;; p++) {
		char *one;

		if (*p && !(*p == ' ' && p[1] && strchr("/~%$", p[1])))
			continue;
		one = mem_strndup(start, (size_t)(p - start));
		if (*one && strcmp(one, "none"))
			strlist_push_nodup(&t->known_hosts, expand(t, one));
		free(one);
		if (!*p)
			return;
		start = p + 1;
	}
}

static void set_agent(struct ssh_target *t, const char *value)
{
	const char *variable;

	free(t->agent);
	t->agent = NULL;
	if (!strcmp(value, "none"))
		return;
	if (!strcmp(value, "SSH_AUTH_SOCK")) {
		push_agent_of_environment(t);
	} else if (*value == '$' && value[1] != '{') {
		variable = getenv(value + 1);
		t->agent = mem_strdup(variable);
	} else {
		t->agent = expand(t, value);
	}
}

/* The settings that others refer to by tokens; they come first. */
static void parse_basic(struct ssh_target *t, const char *key,
			const char *value)
{
	if (!strcmp(key, "hostname"))
		replace(&t->hostname, value);
	else if (!strcmp(key, "port"))
		t->port = (int)strtol(value, NULL, 10);
	else if (!strcmp(key, "user"))
		replace(&t->user, value);
}

static void parse_rest(struct ssh_target *t, const char *key,
		       const char *value)
{
	if (!strcmp(key, "identityfile") && strcmp(value, "none"))
		strlist_push_nodup(&t->identities, expand(t, value));
	else if (!strcmp(key, "identitiesonly"))
		t->identities_only = !strcmp(value, "yes");
	else if (!strcmp(key, "identityagent"))
		set_agent(t, value);
	else if (!strcmp(key, "userknownhostsfile") ||
		 !strcmp(key, "globalknownhostsfile"))
		push_files(t, value);
	else if (!strcmp(key, "hostkeyalias"))
		replace(&t->host_key_alias, value);
	else if (!strcmp(key, "connecttimeout") && strtol(value, NULL, 10) > 0)
		t->connect_timeout = (double)strtol(value, NULL, 10);
	else if (!strcmp(key, "stricthostkeychecking"))
		t->lax_host_keys = !strcmp(value, "false") ||
				   !strcmp(value, "accept-new");
}

static int check_proxy(const char *key, const char *value, struct error *err)
{
	if ((strcmp(key, "proxyjump") && strcmp(key, "proxycommand")) ||
	    !strcmp(value, "none"))
		return 0;
	return error_set(err, ERROR_USAGE,
			 "ssh_config sends this host through %s %s, which is "
			 "not supported yet: run assay on the jump host, or "
			 "forward a port (ssh -L 2222:HOST:22 JUMP) and give "
			 "the host as {address: 127.0.0.1, port: 2222, ...}",
			 !strcmp(key, "proxyjump") ? "ProxyJump"
						   : "ProxyCommand",
			 value);
}

enum pass { PASS_BASIC, PASS_GLOBAL_LAST, PASS_GLOBAL };

static int parse_line(struct ssh_target *t, enum pass pass, char *line,
		      struct error *err)
{
	char *value = strchr(line, ' ');
	bool global;

	if (!value)
		return 0;
	*value++ = '\0';
	for (char *p = line; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	global = !strcmp(line, "globalknownhostsfile");
	if (pass == PASS_BASIC) {
		parse_basic(t, line, value);
		return check_proxy(line, value, err);
	}
	if (global == (pass == PASS_GLOBAL))
		parse_rest(t, line, value);
	return 0;
}

static int parse_pass(struct ssh_target *t, enum pass pass, const char *text,
		      struct error *err)
{
	int rc = 0;

	while (*text && !rc) {
		size_t n = strcspn(text, "\n");
		char *line = mem_strndup(text, n);

		rc = parse_line(t, pass, line, err);
		free(line);
		text += n + (text[n] == '\n');
	}
	return rc;
}

int ssh_target_parse(struct ssh_target *t, const char *text,
		     struct error *err)
{
	strlist_release(&t->identities);
	strlist_release(&t->known_hosts);
	if (parse_pass(t, PASS_BASIC, text, err))
		return -1;
	if (!t->hostname || t->port < 1 || t->port > 65535)
		return error_set(err, ERROR_ENVIRONMENT,
				 "ssh -G printed no usable host name and "
				 "port; assay needs OpenSSH 6.8 or newer");
	/* the user's known_hosts files before the machine's */
	parse_pass(t, PASS_GLOBAL_LAST, text, err);
	parse_pass(t, PASS_GLOBAL, text, err);
	return 0;
}

/* A path of the experiment file: ~ is home, else from its directory. */
static char *experiment_path(const struct ssh_target *t, const char *dir,
			     const char *name)
{
	char *expanded = *name == '~' ? expand(t, name) : mem_strdup(name);
	char *path = path_join(dir, expanded);

	free(expanded);
	return path;
}

void ssh_target_override(struct ssh_target *t, const struct host *host,
			 const char *dir)
{
	replace(&t->name, host->name);
	if (host->address)
		replace(&t->hostname, host->address);
	if (host->port)
		t->port = host->port;
	if (host->user)
		replace(&t->user, host->user);
	if (host->key) {
		strlist_release(&t->identities);
		strlist_push_nodup(&t->identities,
				   experiment_path(t, dir, host->key));
		t->identities_only = true;
		t->key_given = true;
	}
	if (host->known_hosts) {
		strlist_release(&t->known_hosts);
		strlist_push_nodup(&t->known_hosts,
				   experiment_path(t, dir,
						   host->known_hosts));
	}
}
