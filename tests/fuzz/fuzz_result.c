/* Any bytes that a host may send instead of a result. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "orchestrate/exec/result.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch(struct slice s)
{
	volatile char sum = 0;

	for (size_t i = 0; i < s.n; i++)
		sum = (char)(sum + s.data[i]);
}

/* The input follows the line that has to be there, in memory of its exact
 * size, so that a read past its end is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char line[] = "\nassay " TOKEN " result\n";
	size_t n = sizeof(line) - 1 + size;
	char *text = malloc(n);
	struct result r;

	if (!text)
		return 0;
	memcpy(text, line, sizeof(line) - 1);
	if (size)
		memcpy(text + sizeof(line) - 1, data, size);
	if (result_parse(&r, text, n, TOKEN) == RESULT_COMPLETE) {
		touch(r.out_head);
		touch(r.out_tail);
		touch(r.err_head);
		touch(r.err_tail);
		touch(r.trouble);
		touch(r.kept);
	}
	free(text);
	return 0;
}
