#include "cmd/cells.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "cmd/subject.h"
#include "orchestrate/store/store_query.h"

/* Finds each key of the frame among the design's treatments. */
static void tie_keys(struct cells *c)
{
	const struct design *d = &c->subject->design;
	struct map index = MAP_INIT;
	struct buf key = BUF_INIT;

	c->treatment = mem_zalloc(c->frame.n_keys + 1, sizeof(ptrdiff_t));
	for (size_t k = 0; k < c->frame.n_keys; k++) {
		c->treatment[k] = -1;
		map_put(&index, c->frame.keys[k], &c->treatment[k]);
	}
	for (size_t t = 0; t < d->n_treatments && c->frame.n_keys; t++) {
		ptrdiff_t *at;

		buf_clear(&key);
		treatment_key(d, t, &key);
		at = map_get(&index, key.data);
		if (at)
			*at = (ptrdiff_t)t;
	}
	for (size_t i = 0; i < c->frame.n_runs; i++)
		if (c->treatment[c->frame.runs[i].treatment] < 0)
			c->n_foreign++;
	buf_release(&key);
	map_release(&index);
}

int cells_load(struct cells *c, const struct subject *s, size_t benchmark,
	       size_t response, struct error *err)
{
	const struct benchmark *b = &s->experiment.benchmarks[benchmark];

	*c = (struct cells){ .subject = s, .benchmark = benchmark,
			     .response = response };
	if (store_frame(s->store, s->campaign.id, b->name,
			b->responses[response].name, &c->frame, err))
		return -1;
	tie_keys(c);
	return 0;
}

void cells_release(struct cells *c)
{
	frame_release(&c->frame);
	free(c->treatment);
	c->treatment = NULL;
}

const struct benchmark *cells_benchmark(const struct cells *c)
{
	return &c->subject->experiment.benchmarks[c->benchmark];
}

const struct response *cells_response(const struct cells *c)
{
	return &cells_benchmark(c)->responses[c->response];
}

static bool matches(const struct design *d, size_t treatment,
		    const struct condition *where, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (design_level(d, treatment, where[i].factor) !=
		    where[i].level)
			return false;
	return true;
}

int cells_sample(const struct cells *c, const struct condition *where,
		 size_t n_where, struct sample *out, struct error *err)
{
	bool *selected = mem_zalloc(c->frame.n_keys + 1, sizeof(bool));
	int rc;

	for (size_t k = 0; k < c->frame.n_keys; k++)
		selected[k] = c->treatment[k] >= 0 &&
			      matches(&c->subject->design,
				      (size_t)c->treatment[k], where, n_where);
	rc = sample_from_frame(out, &c->frame, selected, err);
	free(selected);
	return rc;
}

int cells_treatment(const struct cells *c, size_t treatment,
		    struct sample *out, struct error *err)
{
	bool *selected = mem_zalloc(c->frame.n_keys + 1, sizeof(bool));
	int rc;

	for (size_t k = 0; k < c->frame.n_keys; k++)
		selected[k] = c->treatment[k] == (ptrdiff_t)treatment;
	rc = sample_from_frame(out, &c->frame, selected, err);
	free(selected);
	return rc;
}
