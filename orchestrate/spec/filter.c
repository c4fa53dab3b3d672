#include "orchestrate/spec/filter.h"

#include <stdlib.h>

void filter_free(struct filter *f)
{
	free(f);
}
