#include "orchestrate/exec/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

char *target_write(const struct host *host, const char *dir)
{
	struct buf text = BUF_INIT;
	char *absolute = realpath(dir, NULL);
	struct json j;

	json_init(&j, &text);
	json_object(&j);
	json_put_string(&j, "name", host->name);
	json_put_string(&j, "dir", absolute ? absolute : dir);
	if (host->local)
		json_put_string(&j, "local", "yes");
	if (host->ssh)
		json_put_string(&j, "ssh", host->ssh);
	if (host->address)
		json_put_string(&j, "address", host->address);
	if (host->port) {
		char port[20];

		snprintf(port, sizeof(port), "%d", host->port);
		json_put_string(&j, "port", port);
	}
	if (host->user)
		json_put_string(&j, "user", host->user);
	if (host->key)
		json_put_string(&j, "key", host->key);
	if (host->known_hosts)
		json_put_string(&j, "known_hosts", host->known_hosts);
	if (host->config)
		json_put_string(&j, "config", host->config);
	json_object_end(&j);
	free(absolute);
	return buf_detach(&text);
}

static void skip_blanks(const char **at)
{
	*at += strspn(*at, " \t\r\n");
}

static bool take(const char **at, char c)
{
	skip_blanks(at);
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* \u0000 to \u007f: all that the writer escapes. */
static bool take_code(const char **at, struct buf *out)
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef";
		const char *d = **at ? strchr(digits, **at | 0x20) : NULL;

		if (!d)
			return false;
		code = code * 16 + (unsigned)(d - digits);
		(*at)++;
	}
	if (!code || code > 0x7f)
		return false;
	buf_addc(out, (char)code);
	return true;
}

static bool take_string(const char **at, struct buf *out)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";

	buf_clear(out);
	if (!take(at, '"'))
		return false;
	while (**at && **at != '"') {
		const char *e;

		if (**at != '\\') {
			buf_addc(out, *(*at)++);
			continue;
		}
		(*at)++;
		if (**at == 'u') {
			(*at)++;
			if (!take_code(at, out))
				return false;
			continue;
		}
		e = **at ? strchr(escapes, **at) : NULL;
		if (!e)
			return false;
		buf_addc(out, meant[e - escapes]);
		(*at)++;
	}
	return take(at, '"');
}

static void keep(struct host *h, char **dir, const char *key,
		 const char *value)
{
	const struct {
		const char *key;
		char **to;
	} texts[] = {
		{ "name", &h->name }, { "dir", dir },
		{ "ssh", &h->ssh }, { "address", &h->address },
		{ "user", &h->user }, { "key", &h->key },
		{ "known_hosts", &h->known_hosts }, { "config", &h->config },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (strcmp(key, texts[i].key) == 0) {
			free(*texts[i].to);
			*texts[i].to = mem_strdup(value);
		}
	if (strcmp(key, "local") == 0)
		h->local = true;
	if (strcmp(key, "port") == 0)
		h->port = (int)strtol(value, NULL, 10);
}

void target_release(struct host *h)
{
	free(h->name);
	free(h->ssh);
	free(h->address);
	free(h->user);
	free(h->key);
	free(h->known_hosts);
	free(h->config);
	memset(h, 0, sizeof(*h));
}

int target_parse(const char *text, struct host *host, char **dir,
		 struct error *err)
{
	struct buf key = BUF_INIT, value = BUF_INIT;
	const char *at = text;
	bool good = take(&at, '{');

	memset(host, 0, sizeof(*host));
	*dir = NULL;
	while (good) {
		good = take_string(&at, &key) && take(&at, ':') &&
		       take_string(&at, &value);
		if (good)
			keep(host, dir, key.data, value.data);
		if (!take(&at, ','))
			break;
	}
	good = good && take(&at, '}') && host->name && *dir &&
	       (host->local || host->ssh || host->address);
	buf_release(&key);
	buf_release(&value);
	if (good)
		return 0;
	target_release(host);
	free(*dir);
	*dir = NULL;
	return error_set(err, ERROR_ENVIRONMENT, "the store does not say how "
			 "to reach the host (%.100s)", text);
}
