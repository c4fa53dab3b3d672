/*
 * Runs a fuzz target on the files that it is given: what has been found before
 * is tried again without libFuzzer.
 */
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct buf data = BUF_INIT;

	for (int i = 1; i < argc; i++) {
		if (path_read(argv[i], 1 << 24, &data, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			return 2;
		}
		/* the last one seen is the one that ends it */
		printf("%s\n", argv[i]);
		fflush(stdout);
		LLVMFuzzerTestOneInput((const uint8_t *)data.data, data.n);
	}
	buf_release(&data);
	return 0;
}
