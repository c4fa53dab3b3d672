#include "orchestrate/exec/saved_text.h"

#include <stdbool.h>

#include "base/buf.h"
#include "base/utf8.h"

#define SHOWN_BYTES 120

void saved_text_add(struct buf *out, const char *text, size_t n)
{
	struct buf shown = BUF_INIT;
	bool cut = n > SHOWN_BYTES;

	if (cut)
		n = SHOWN_BYTES;
	/* not within a character */
	while (cut && n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	utf8_add_printable(&shown, text, n);
	for (size_t i = 0; i < shown.n; i++)
		if (shown.data[i] == '\t' || shown.data[i] == '\n')
			shown.data[i] = ' ';
	buf_addf(out, "\"%s%s\"", shown.data, cut ? "..." : "");
	buf_release(&shown);
}
