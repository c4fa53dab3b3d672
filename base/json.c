#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

void json_init(struct json *j, struct buf *out)
{
	*j = (struct json){ .out = out };
}

static void before_value(struct json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (j->started & (UINT32_C(1) << j->depth))
		buf_addc(j->out, ',');
	j->started |= UINT32_C(1) << j->depth;
}

static void open_with(struct json *j, char c)
{
	before_value(j);
	buf_addc(j->out, c);
	j->depth++;
	assert(j->depth < 32);
	j->started &= ~(UINT32_C(1) << j->depth);
}

static void close_with(struct json *j, char c)
{
	assert(j->depth > 0 && !j->after_key);
	j->depth--;
	buf_addc(j->out, c);
}

void json_object(struct json *j)
{
	open_with(j, '{');
}

void json_object_end(struct json *j)
{
	close_with(j, '}');
}

void json_array(struct json *j)
{
	open_with(j, '[');
}

void json_array_end(struct json *j)
{
	close_with(j, ']');
}

/* How much stands for itself: most of it, as a rule. */
static size_t plain_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (unsigned char)(s[i] - 0x20) < 0x7f - 0x20 &&
	       s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

static void add_quoted(struct buf *out, const char *s, size_t n)
{
	buf_addc(out, '"');
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)s[i];
		size_t len = plain_length(s + i, n - i);

		if (len) {
			buf_add(out, s + i, len);
			i += len;
			continue;
		}
		len = utf8_sequence(s + i, n - i);

		if (!len) {
			buf_adds(out, "\xef\xbf\xbd");
			i++;
			continue;
		}
		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", c);
		else if (c == '\n')
			buf_adds(out, "\\n");
		else if (c == '\t')
			buf_adds(out, "\\t");
		else if (c < 0x20 || c == 0x7f)
			buf_addf(out, "\\u%04x", c);
		else
			buf_add(out, s + i, len);
		i += len;
	}
	buf_addc(out, '"');
}

void json_key(struct json *j, const char *key)
{
	before_value(j);
	add_quoted(j->out, key, strlen(key));
	buf_addc(j->out, ':');
	j->after_key = true;
}

void json_string_n(struct json *j, const char *s, size_t n)
{
	before_value(j);
	add_quoted(j->out, s, n);
}

void json_string(struct json *j, const char *s)
{
	if (s)
		json_string_n(j, s, strlen(s));
	else
		json_null(j);
}

void json_int(struct json *j, int64_t v)
{
	before_value(j);
	buf_addf(j->out, "%" PRId64, v);
}

/* What printf wrote, with a point whatever the locale has in its place. */
static void add_number(struct buf *out, const char *text)
{
	size_t n = strspn(text, "-0123456789");

	buf_add(out, text, n);
	text += n;
	if (*text && *text != 'e') {
		buf_addc(out, '.');
		while (*text && !strchr("0123456789e", *text))
			text++;
	}
	buf_adds(out, text);
}

void json_double(struct json *j, double v)
{
	char text[32];

	before_value(j);
	if (!isfinite(v)) {
		buf_adds(j->out, "null");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	add_number(j->out, text);
}

void json_bool(struct json *j, bool v)
{
	before_value(j);
	buf_adds(j->out, v ? "true" : "false");
}

void json_null(struct json *j)
{
	before_value(j);
	buf_adds(j->out, "null");
}

void json_put_string(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_string(j, s);
}

void json_put_int(struct json *j, const char *key, int64_t v)
{
	json_key(j, key);
	json_int(j, v);
}

void json_put_double(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_double(j, v);
}

void json_put_bool(struct json *j, const char *key, bool v)
{
	json_key(j, key);
	json_bool(j, v);
}
