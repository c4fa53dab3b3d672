#include "stats/frame.h"

#include <stdlib.h>
#include <string.h>

static void free_names(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

void frame_release(struct frame *f)
{
	free(f->benchmark);
	free(f->response);
	free(f->uom);
	free_names(f->keys, f->n_keys);
	free_names(f->hosts, f->n_hosts);
	free(f->runs);
	free(f->run_of);
	free(f->value);
	memset(f, 0, sizeof(*f));
}
