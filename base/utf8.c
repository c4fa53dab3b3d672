#include "base/utf8.h"

#include "base/buf.h"

static bool tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Table 3-7 of the Unicode standard: the second byte's range by first byte. */
static bool second_fits(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0 && second <= 0xbf;
	case 0xed:
		return second >= 0x80 && second <= 0x9f;
	case 0xf0:
		return second >= 0x90 && second <= 0xbf;
	case 0xf4:
		return second >= 0x80 && second <= 0x8f;
	default:
		return tail(second);
	}
}

size_t utf8_sequence(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len;

	if (!n)
		return 0;
	if (u[0] < 0x80)
		return 1;
	if (u[0] >= 0xc2 && u[0] <= 0xdf)
		len = 2;
	else if (u[0] >= 0xe0 && u[0] <= 0xef)
		len = 3;
	else if (u[0] >= 0xf0 && u[0] <= 0xf4)
		len = 4;
	else
		return 0;
	if (n < len || !second_fits(u[0], u[1]))
		return 0;
	for (size_t i = 2; i < len; i++)
		if (!tail(u[i]))
			return 0;
	return len;
}

bool utf8_valid(const char *s, size_t n, size_t *bad)
{
	for (size_t i = 0; i < n;) {
		size_t len = utf8_sequence(s + i, n - i);

		if (!len) {
			if (bad)
				*bad = i;
			return false;
		}
		i += len;
	}
	return true;
}

void utf8_add_printable(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)s[i];
		size_t len = utf8_sequence(s + i, n - i);

		if (!len) {
			buf_adds(out, "\xef\xbf\xbd");
			i++;
			continue;
		}
		if (c < 0x20 && c != '\n' && c != '\t')
			buf_addf(out, "\xe2\x90%c", 0x80 + c);
		else if (c == 0x7f)
			buf_adds(out, "\xe2\x90\xa1");
		else if (c == 0xc2 && (unsigned char)s[i + 1] < 0xa0)
			buf_adds(out, "\xef\xbf\xbd");
		else
			buf_add(out, s + i, len);
		i += len;
	}
}
