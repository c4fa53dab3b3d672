#include "orchestrate/spec/printed.h"

#include <stddef.h>

/* Three bytes are enough: all that is looked for is below U+10000. */
static unsigned code_point(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;

	if (u[0] >= 0xe0 && u[0] < 0xf0)
		return (u[0] & 0xfU) << 12 | (u[1] & 0x3fU) << 6 |
		       (u[2] & 0x3fU);
	if (u[0] >= 0xc0 && u[0] < 0xe0)
		return (u[0] & 0x1fU) << 6 | (u[1] & 0x3fU);
	return u[0] < 0x80 ? u[0] : ' '; /* within or above: harmless */
}

static bool breaks_line(unsigned c)
{
	return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
}

/* Unicode Standard Annex #9, section 2: embeddings, overrides, isolates. */
static bool turns(unsigned c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static const char *fault(unsigned c)
{
	if (breaks_line(c))
		return "a line break";
	if (c == '\t')
		return "a tab";
	if (turns(c))
		return "a character that turns the direction of writing "
		       "(U+202A to U+202E, U+2066 to U+2069)";
	return NULL;
}

const char *printed_fault(const char *text, bool one_line)
{
	for (const char *p = text; *p; p++) {
		unsigned c = code_point(p);

		if (!one_line && (c == '\n' || c == '\t'))
			continue;
		if (fault(c))
			return fault(c);
	}
	return NULL;
}
