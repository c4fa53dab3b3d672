/* A pattern and an output, divided by the first newline. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "orchestrate/exec/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;
	char *pattern, *text;
	size_t n, rest;

	if (!newline)
		return 0;
	n = (size_t)(newline - data);
	rest = size - n - 1;
	pattern = malloc(n + 1);
	text = malloc(rest ? rest : 1);
	if (pattern && text) {
		memcpy(pattern, data, n);
		pattern[n] = '\0';
		memcpy(text, newline + 1, rest);
		extract_values(EXTRACT_REGEX, pattern, text, rest, &x, &err);
	}
	extracted_release(&x);
	free(pattern);
	free(text);
	return 0;
}
