#ifndef SPEC_RESPONSES_H
#define SPEC_RESPONSES_H

#include <stddef.h>

#include "orchestrate/spec/keys.h"

struct response;

/* A mapping of response names to how they are read from the output. */
void responses_read(struct reading *r, const struct yaml_node *map,
		    struct response **out, size_t *n);
void responses_release(struct response *items, size_t n);

extern const struct key_table response_keys;
extern const struct form responses_form;

#endif
