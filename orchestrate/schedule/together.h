#ifndef SCHEDULE_TOGETHER_H
#define SCHEDULE_TOGETHER_H

#include <stddef.h>

struct experiment;

/*
 * Hosts that cannot measure at the same time: those that share a resource
 * (host.shares), and those that one run needs together. A forest of hosts;
 * each tree is a group (union-find: Tarjan 1975).
 */
struct together {
	size_t *parent;
	size_t n;
};

void together_init(struct together *t, const struct experiment *e);
void together_release(struct together *t);

void together_join(struct together *t, size_t a, size_t b);
/* The host that stands for its group. */
size_t together_group(struct together *t, size_t host);

#endif
