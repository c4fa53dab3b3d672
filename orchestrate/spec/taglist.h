#ifndef SPEC_TAGLIST_H
#define SPEC_TAGLIST_H

#include "orchestrate/spec/keys.h"

/* Words that benchmarks (and matrices) are selected by: one, or a list. */
void tags_read(struct reading *r, const struct yaml_node *node,
	       struct strlist *out);
extern const struct form tags_form;

#endif
