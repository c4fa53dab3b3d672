#include "orchestrate/exec/reason.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES 200

static size_t without_blanks(const char *text, size_t n)
{
	while (n && strchr(" \t\r\n", text[n - 1]) && text[n - 1])
		n--;
	return n;
}

void reason_add_last_line(struct buf *out, const char *text, size_t n)
{
	struct buf shown = BUF_INIT;
	const char *newline;
	bool cut = false;

	n = without_blanks(text, n);
	if (!n)
		return;
	newline = memrchr(text, '\n', n);
	if (newline) {
		n -= (size_t)(newline + 1 - text);
		text = newline + 1;
	}
	if (n > LINE_MAX_BYTES) {
		n = LINE_MAX_BYTES;
		cut = true;
	}
	utf8_add_printable(&shown, text, n);
	for (size_t i = 0; i < shown.n; i++)
		if (shown.data[i] == '\t')
			shown.data[i] = ' ';
	buf_addf(out, ": %s%s", shown.data, cut ? "..." : "");
	buf_release(&shown);
}
