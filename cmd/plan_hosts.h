#ifndef CMD_PLAN_HOSTS_H
#define CMD_PLAN_HOSTS_H

#include <stddef.h>

#include "orchestrate/schedule/partners.h"

struct buf;
struct json;

/* The hosts that take part in one run, by their roles. */
struct plan_hosts {
	struct partners partners;
	struct role_hosts {
		size_t role;
		size_t *hosts;
		size_t n;
	} *roles; /* the benchmark's own first */
	size_t n;
};

void plan_hosts_init(struct plan_hosts *h, const struct schedule *s);
void plan_hosts_release(struct plan_hosts *h);
void plan_hosts_find(struct plan_hosts *h, size_t run);

/* "node1, node2": of the role that runs the benchmark; appended. */
void plan_hosts_own(const struct plan_hosts *h, struct buf *out);
/* "server: left; load: c, d", of the others; nothing when there are none. */
void plan_hosts_others(const struct plan_hosts *h, struct buf *out);
/* An object: for each role the names. */
void plan_hosts_json(const struct plan_hosts *h, struct json *j);

#endif
