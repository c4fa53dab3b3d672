#include "orchestrate/exec/hostfacts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/value.h"

/* Characters shown of what a host says instead. */
#define SAID_MAX 120

/* First and last line of the output: a login shell may say more around it. */
static const char begin_line[] = "assay facts begin";
static const char end_line[] = "assay facts end";

/*
 * Every fact is one line, "key<tab>value"; what a host does not know is left
 * out. Only reads.
 */
static const char facts[] =
	"fact() { [ \"$2\" ] && printf '%s\\t%s\\n' \"$1\" \"$2\"; }\n"
	"first() { v=; read -r v <\"$2\" && fact \"$1\" \"$v\"; } "
	"2>/dev/null\n"
	"field() { fact \"$1\" \"$(sed -n \"/$2/{s/^[^:]*:[ \t]*//p;q}\" "
	"\"$3\" 2>/dev/null)\"; }\n"
	"fact kernel \"$(uname -sr)\"\n"
	"fact machine \"$(uname -m)\"\n"
	"fact hostname \"$(uname -n)\"\n"
	"fact os \"$(. /etc/os-release 2>/dev/null; "
	"printf %s \"$PRETTY_NAME\")\"\n"
	"field cpu '^model name' /proc/cpuinfo\n"
	"fact cores \"$(grep -c '^processor' /proc/cpuinfo 2>/dev/null)\"\n"
	"field memory '^MemTotal' /proc/meminfo\n"
	"first boot_id /proc/sys/kernel/random/boot_id\n"
	"c=/sys/devices/system/clocksource/clocksource0\n"
	"first clocksource \"$c/current_clocksource\"\n"
	"first cpu_governor "
	"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor\n"
	"v=$(systemd-detect-virt 2>/dev/null)\n"
	"if [ -z \"$v\" ]; then\n"
	"	if [ -e /.dockerenv ]; then v=container\n"
	"	elif grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null; "
	"then v=virtual\n"
	"	fi\n"
	"fi\n"
	"fact virtualization \"$v\"\n"
	"first product /sys/class/dmi/id/product_name\n"
	"fact user_id \"$(id -u)\"\n";

/* What a program is found by may be said for the host; what is computed is
 * not known here. */
static void set_host(struct environment *env, const struct host *h)
{
	for (size_t i = 0; i < h->n_env; i++)
		if (h->env[i].value && !value_is_computed(h->env[i].value))
			environment_set(env, h->env[i].name, h->env[i].value);
}

void hostfacts_script(struct buf *out, const struct host *host,
		      const struct strlist *programs)
{
	struct environment env = ENVIRONMENT_INIT;

	set_host(&env, host);
	environment_write(&env, out);
	buf_addf(out, "main() {\necho '%s'\n%sfor p in", begin_line, facts);
	for (size_t i = 0; i < programs->n; i++) {
		buf_addc(out, ' ');
		buf_add_shell(out, programs->items[i]);
	}
	buf_addf(out, "; do\n"
		 "	command -v \"$p\" >/dev/null 2>&1 || "
		 "printf 'missing\\t%%s\\n' \"$p\"\n"
		 "done\necho '%s'\n}\nmain; exit\n", end_line);
	environment_release(&env);
}

void hostfacts_release(struct hostfacts *f)
{
	strlist_release(&f->keys);
	strlist_release(&f->values);
	strlist_release(&f->missing);
}

static void take_fact(struct hostfacts *f, const char *line, size_t n)
{
	const char *tab = memchr(line, '\t', n);
	struct buf value = BUF_INIT;
	char *key;

	if (!tab)
		return;
	key = mem_strndup(line, (size_t)(tab - line));
	utf8_add_printable(&value, tab + 1, n - (size_t)(tab + 1 - line));
	if (strcmp(key, "missing") == 0) {
		strlist_push(&f->missing, value.data);
	} else {
		if (strcmp(key, "user_id") == 0)
			f->root = strcmp(value.data, "0") == 0;
		strlist_push(&f->keys, key);
		strlist_push(&f->values, value.data);
	}
	buf_release(&value);
	free(key);
}

static bool is_line(const char *line, size_t n, const char *text)
{
	return n == strlen(text) && memcmp(line, text, n) == 0;
}

/* The first line that says anything, without the line break. */
static size_t first_line(const char **line, const char *text, size_t n)
{
	const char *end = text + n, *newline;

	while (text < end && strchr(" \t\r\n", *text) && *text)
		text++;
	newline = memchr(text, '\n', (size_t)(end - text));
	end = newline ? newline : end;
	while (end > text && strchr(" \t\r", end[-1]) && end[-1])
		end--;
	*line = text;
	return (size_t)(end - text);
}

/* As many characters as are worth showing. */
static void add_cut(struct buf *out, const char *text, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < SAID_MAX && at < n; i++) {
		size_t len = utf8_sequence(text + at, n - at);

		if (text[at] == '\t')
			buf_addc(out, ' ');
		else
			utf8_add_printable(out, text + at, len ? len : 1);
		at += len ? len : 1;
	}
	if (at < n)
		buf_adds(out, "...");
}

static int not_facts(const char *text, size_t n, struct error *err)
{
	struct buf said = BUF_INIT;
	const char *line;
	size_t len = first_line(&line, text, n);

	add_cut(&said, line, len);
	error_set(err, ERROR_ENVIRONMENT, "it does not run shell scripts from "
		  "standard input (is the login shell a POSIX shell?); it "
		  "printed%s%s", len ? ": " : " nothing", said.data);
	buf_release(&said);
	return -1;
}

int hostfacts_parse(struct hostfacts *f, const char *text, size_t n,
		    struct error *err)
{
	const char *all = text, *end = text + n;
	bool begun = false;

	memset(f, 0, sizeof(*f));
	while (text < end) {
		const char *newline = memchr(text, '\n',
					     (size_t)(end - text));
		size_t len = (size_t)((newline ? newline : end) - text);

		if (is_line(text, len, begin_line))
			begun = true;
		else if (begun && is_line(text, len, end_line))
			return 0;
		else if (begun)
			take_fact(f, text, len);
		text += len + 1;
	}
	return not_facts(all, (size_t)(end - all), err);
}

const char *hostfacts_get(const struct hostfacts *f, const char *key)
{
	for (size_t i = 0; i < f->keys.n; i++)
		if (strcmp(f->keys.items[i], key) == 0)
			return f->values.items[i];
	return NULL;
}
