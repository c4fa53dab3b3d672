#include "orchestrate/exec/place.h"

#include "base/hash.h"
#include "base/mem.h"

/* Two names may mean one machine (the same user on it, even): what one of
 * them sweeps away must not be the other's. */
char *place_name(const char *uuid, const char *host)
{
	struct hash *h = hash_new();
	char hex[HASH_HEX_SIZE];

	hash_add_string(h, host);
	hash_finish(h, hex);
	hash_free(h);
	return mem_printf("%s.%.8s", uuid, hex);
}

char *place_mark(const char *place)
{
	return mem_printf("assay-step.%s", place);
}
