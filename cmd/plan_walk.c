#include "cmd/plan_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/matrix.h"

/* Of the host's last run. */
struct walk_host {
	bool begun;
	uint32_t matrix, block;
	size_t plot;
};

static bool has_hard_factor(const struct experiment *e, const struct matrix *m)
{
	for (size_t i = 0; i < m->n_factors; i++)
		if (e->factors[m->factors[i]].hard)
			return true;
	return false;
}

void walk_init(struct walk *w, const struct schedule *s)
{
	const struct experiment *e = s->experiment;

	*w = (struct walk){
		.schedule = s,
		.hosts = mem_zalloc(e->n_hosts + 1, sizeof(*w->hosts)),
		.levels = mem_zalloc(e->n_hosts * e->n_factors + 1,
				     sizeof(*w->levels)),
		.wanted = mem_zalloc(e->n_factors + 1, sizeof(*w->wanted)),
		.first_block = mem_zalloc(e->n_matrices + 1,
					  sizeof(*w->first_block)),
		.has_plots = mem_zalloc(e->n_matrices + 1, sizeof(bool)),
	};
	for (size_t m = 0; m < e->n_matrices; m++) {
		w->first_block[m] = UINT32_MAX;
		w->has_plots[m] = has_hard_factor(e, &e->matrices[m]);
	}
	for (size_t i = 0; i < s->n_runs; i++) {
		const struct run *r = &s->runs[i];

		if (r->block < w->first_block[r->matrix])
			w->first_block[r->matrix] = r->block;
	}
}

void walk_release(struct walk *w)
{
	free(w->hosts);
	free(w->levels);
	free(w->wanted);
	free(w->first_block);
	free(w->has_plots);
}

static bool hard_differs(const struct walk *w, const size_t *from)
{
	const struct experiment *e = w->schedule->experiment;

	for (size_t f = 0; f < e->n_factors; f++)
		if (e->factors[f].hard && from[f] != w->wanted[f])
			return true;
	return false;
}

static void find_plot(struct walk *w, const struct run *run,
		      struct walk_step *step, const size_t *from)
{
	struct walk_host *h = &w->hosts[run->host];

	step->begins_plot = !h->begun || h->matrix != run->matrix ||
			    h->block != run->block || hard_differs(w, from);
	if (!w->has_plots[run->matrix])
		step->begins_plot = false;
	else
		h->plot += step->begins_plot;
	step->plot = w->has_plots[run->matrix] ? h->plot : 0;
}

void walk_next(struct walk *w, size_t i, struct walk_step *step)
{
	const struct schedule *s = w->schedule;
	const struct experiment *e = s->experiment;
	const struct run *run = &s->runs[i];
	struct walk_host *h = &w->hosts[run->host];
	size_t *from = &w->levels[run->host * e->n_factors];

	for (size_t f = 0; f < e->n_factors; f++)
		w->wanted[f] = design_level(s->design, run->treatment, f);
	*step = (struct walk_step){
		.run = run,
		.lowest = layers_lowest_change(e, h->begun ? from : NULL,
					       w->wanted),
		.levels = from,
	};
	find_plot(w, run, step, from);
	memcpy(from, w->wanted, e->n_factors * sizeof(*from));
	h->begun = true;
	h->matrix = run->matrix;
	h->block = run->block;
}

void walk_changes(const struct walk *w, const struct walk_step *step,
		  struct strlist *out)
{
	const struct experiment *e = w->schedule->experiment;

	for (size_t l = step->lowest; l < e->n_layers; l++)
		if (layer_treatment(e, l, step->levels))
			strlist_push(out, layer_name(e, l));
}

void walk_block(const struct walk *w, const struct run *run, struct buf *out)
{
	const struct experiment *e = w->schedule->experiment;
	uint32_t number = run->block - w->first_block[run->matrix] + 1;

	switch (e->matrices[run->matrix].blocks) {
	case BLOCK_ROUND:
		buf_addf(out, "round %" PRIu32, number);
		return;
	case BLOCK_HOST:
		buf_addf(out, "host %s", e->hosts[run->host].name);
		return;
	case BLOCK_DAY:
		buf_addf(out, "day %" PRIu32, number);
		return;
	}
}
