/*
 * Charts on their way into a page: whatever the bytes are, what comes out has
 * no script, no other file and no more closing than opening tags.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/report/svg_inline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	struct svg_source svg = { .name = "f",
				  .data = (const char *)data,
				  .n = size,
				  .alt = "alt",
				  .prefix = "p-" };

	if (svg_inline(&svg, &out, &err) < 0) {
		if (err.kind != ERROR_USAGE)
			abort();
	} else if (strncasecmp(out.data, "<svg role=\"img\"", 15) ||
		   out.data[out.n - 1] != '>') {
		abort();
	}
	buf_release(&out);
	return 0;
}
