#include "orchestrate/spec/yaml_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

/* Well-formed UTF-8 of `len` bytes to its code point. */
static uint32_t decode(const char *s, size_t len)
{
	static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t c = (unsigned char)s[0] & first[len];

	for (size_t i = 1; i < len; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

/* YAML 1.1, production c-printable, without NEL; a byte order mark inside a
 * text is refused as libyaml does. */
static bool printable(uint32_t c)
{
	if (c < 0x20)
		return c == '\n' || c == '\t' || c == '\r';
	return !(c >= 0x7f && c < 0xa0) && c != 0xfeff && c != 0xfffe &&
	       c != 0xffff;
}

size_t yaml_text_order_mark(const char *data, size_t n)
{
	return n >= 3 && !memcmp(data, "\xef\xbb\xbf", 3) ? 3 : 0;
}

static struct mark mark_at(const char *file, const char *data, size_t offset)
{
	struct mark at = { .file = file, .line = 1, .column = 1 };

	for (size_t i = yaml_text_order_mark(data, offset); i < offset; i++) {
		unsigned char c = (unsigned char)data[i];

		if (c == '\n') {
			at.line++;
			at.column = 1;
		} else if ((c & 0xc0) != 0x80) {
			at.column++;
		}
	}
	return at;
}

static bool starts_with(const char *data, size_t n, const char *prefix,
			size_t n_prefix)
{
	return n >= n_prefix && !memcmp(data, prefix, n_prefix);
}

static int check_order_mark(const char *file, const char *data, size_t n,
			    struct problems *p)
{
	struct mark whole = { .file = file };

	if (starts_with(data, n, "\xff\xfe", 2) ||
	    starts_with(data, n, "\xfe\xff", 2) ||
	    starts_with(data, n, "\0\0\xfe\xff", 4))
		return problems_add(p, whole,
				    "the file is UTF-16 or UTF-32; save it as "
				    "UTF-8");
	return 0;
}

int yaml_text_check(const char *file, const char *data, size_t n,
		    struct problems *p)
{
	if (check_order_mark(file, data, n, p) < 0)
		return -1;
	for (size_t i = yaml_text_order_mark(data, n); i < n;) {
		size_t len = utf8_sequence(data + i, n - i);

		if (!len)
			return problems_add(
				p, mark_at(file, data, i),
				"byte 0x%02x at offset %zu is not UTF-8; save "
				"the file as UTF-8",
				(unsigned char)data[i], i);
		if (!printable(decode(data + i, len)))
			return problems_add(
				p, mark_at(file, data, i),
				"character U+%04X at offset %zu does not "
				"belong in a text file; remove it",
				(unsigned)decode(data + i, len), i);
		i += len;
	}
	return 0;
}

int yaml_text_check_value(struct mark at, const char *value, size_t n,
			  struct problems *p)
{
	for (size_t i = 0; i < n;) {
		size_t len = utf8_sequence(value + i, n - i);

		if (!len)
			return problems_add(p, at, "this text is not UTF-8");
		if (!printable(decode(value + i, len)))
			return problems_add(
				p, at,
				"this text holds the character U+%04X, which "
				"can be neither shown nor passed to a script",
				(unsigned)decode(value + i, len));
		i += len;
	}
	return 0;
}
