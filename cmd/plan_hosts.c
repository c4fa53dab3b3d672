#include "cmd/plan_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

void plan_hosts_init(struct plan_hosts *h, const struct schedule *s)
{
	const struct experiment *e = s->experiment;

	*h = (struct plan_hosts){
		.roles = mem_zalloc(e->n_roles + 1, sizeof(*h->roles)),
	};
	partners_init(&h->partners, s, NULL);
	for (size_t r = 0; r < e->n_roles; r++)
		h->roles[r].hosts = mem_zalloc(e->n_hosts + 1,
					       sizeof(size_t));
}

void plan_hosts_release(struct plan_hosts *h)
{
	if (!h->roles)
		return;
	for (size_t r = 0; r < h->partners.s->experiment->n_roles; r++)
		free(h->roles[r].hosts);
	free(h->roles);
	h->roles = NULL;
	partners_release(&h->partners);
}

void plan_hosts_find(struct plan_hosts *h, size_t run)
{
	struct partners *p = &h->partners;

	partners_list(p, run);
	h->n = p->n_roles;
	for (size_t i = 0; i < h->n; i++) {
		struct role_hosts *r = &h->roles[i];

		r->role = p->roles[i];
		r->n = partners_hosts(p, r->role);
		memcpy(r->hosts, p->pool, r->n * sizeof(*r->hosts));
	}
}

static const struct experiment *experiment_of(const struct plan_hosts *h)
{
	return h->partners.s->experiment;
}

static void add_names(const struct plan_hosts *h, size_t i, struct buf *out)
{
	const struct role_hosts *r = &h->roles[i];

	for (size_t k = 0; k < r->n; k++)
		buf_addf(out, "%s%s", k ? ", " : "",
			 experiment_of(h)->hosts[r->hosts[k]].name);
}

void plan_hosts_own(const struct plan_hosts *h, struct buf *out)
{
	add_names(h, 0, out);
}

void plan_hosts_others(const struct plan_hosts *h, struct buf *out)
{
	for (size_t i = 1; i < h->n; i++) {
		buf_addf(out, "%s%s: ", i > 1 ? "; " : "",
			 experiment_of(h)->roles[h->roles[i].role].name);
		add_names(h, i, out);
	}
}

void plan_hosts_json(const struct plan_hosts *h, struct json *j)
{
	const struct experiment *e = experiment_of(h);

	json_object(j);
	for (size_t i = 0; i < h->n; i++) {
		json_key(j, e->roles[h->roles[i].role].name);
		json_array(j);
		for (size_t k = 0; k < h->roles[i].n; k++)
			json_string(j, e->hosts[h->roles[i].hosts[k]].name);
		json_array_end(j);
	}
	json_object_end(j);
}
