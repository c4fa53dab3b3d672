#ifndef SCHEDULE_GROUPS_H
#define SCHEDULE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Numbers codes 0, 1, 2, ... in the order of their first appearance. A hash
 * table with open addressing: memory grows with the different codes only.
 */
struct groups {
	struct groups_slot *slots;
	size_t cap;
	uint32_t n;      /* different codes so far */
};

#define GROUPS_INIT { .slots = NULL, .cap = 0, .n = 0 }

uint32_t groups_id(struct groups *g, uint64_t code);
void groups_release(struct groups *g);

#endif
