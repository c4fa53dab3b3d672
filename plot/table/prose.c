#include "plot/table/prose.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define NO_BREAK_SPACE "\xc2\xa0"

static const char *const operators[] = { "=", "\xc2\xb1", "\xc3\x97" };

/* Whether an operator with a space on both sides begins at `s`. */
static size_t operator_at(const char *s)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		size_t n = strlen(operators[i]);

		if (!strncmp(s, operators[i], n) && s[n] == ' ')
			return n;
	}
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

char *prose_bind(const char *text)
{
	struct buf b = BUF_INIT;
	char before = '\0';

	for (const char *p = text; *p; before = *p++) {
		size_t n = *p == ' ' ? operator_at(p + 1) : 0;

		if (n) {
			buf_adds(&b, NO_BREAK_SPACE);
			buf_add(&b, p + 1, n);
			buf_adds(&b, NO_BREAK_SPACE);
			p += n + 1;
		} else if (*p == ' ' && p[1] == '%' && is_digit(before)) {
			buf_adds(&b, NO_BREAK_SPACE);
		} else {
			buf_addc(&b, *p);
		}
	}
	return buf_detach(&b);
}
