#include "stats/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/describe.h"

#define NO_GROUP SIZE_MAX

/* A run's place in time. */
struct place {
	uint32_t sequence;
	uint32_t run;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return x->run < y->run ? -1 : x->run > y->run;
}

/* The frame's runs in the order in which they were made. */
static struct place *places_of(const struct frame *f)
{
	struct place *p = mem_realloc(NULL, f->n_runs, sizeof(*p));

	for (size_t i = 0; i < f->n_runs; i++)
		p[i] = (struct place){ f->runs[i].sequence, (uint32_t)i };
	qsort(p, f->n_runs, sizeof(*p), compare_places);
	return p;
}

/* first[r] .. first[r + 1] are the observations of run r. */
static size_t *first_of_runs(const struct frame *f)
{
	size_t *first = mem_zalloc(f->n_runs + 1, sizeof(*first));

	for (size_t i = 0; i < f->n_values; i++) {
		assert(f->run_of[i] < f->n_runs);
		assert(!i || f->run_of[i - 1] <= f->run_of[i]);
		first[f->run_of[i] + 1]++;
	}
	for (size_t r = 0; r < f->n_runs; r++)
		first[r + 1] += first[r];
	return first;
}

static int check_finite(const struct frame *f, size_t run, size_t first,
			size_t end, struct error *err)
{
	for (size_t i = first; i < end; i++)
		if (!isfinite(f->value[i]))
			return error_set(err, ERROR_USAGE,
					 "%s of %s, %s, replicate %u (attempt "
					 "%lld): observation %zu of %zu is %s; "
					 "correct the extraction, or make it "
					 "fail such a run",
					 f->response, f->benchmark,
					 f->keys[f->runs[run].treatment],
					 f->runs[run].replicate,
					 (long long)f->runs[run].attempt,
					 i - first + 1, end - first,
					 isnan(f->value[i]) ? "not a number"
							    : "infinite");
	return 0;
}

/* Adds a run to its sample, whose array has room for it. */
static int add_run(struct sample *s, const struct frame *f, size_t run,
		   const size_t *first, struct error *err)
{
	size_t from = first[run], end = first[run + 1];

	switch (f->runs[run].status) {
	case RUN_CENSORED:
		s->n_censored++;
		return 0;
	case RUN_INVALID:
		s->n_invalid++;
		return 0;
	case RUN_FAILED:
		s->n_failed++;
		return 0;
	case RUN_OK:
		break;
	}
	if (from == end) {
		s->n_failed++;
		return 0;
	}
	if (check_finite(f, run, from, end, err))
		return -1;
	s->value[s->n++] = describe_mean(f->value + from, end - from);
	s->n_values += end - from;
	return 0;
}

/* The runs of the frame, each to the sample of its key's group. */
static int distribute(struct sample *samples, size_t n_samples,
		      const struct frame *f, const size_t *group,
		      struct error *err)
{
	size_t *room = mem_zalloc(n_samples, sizeof(*room));
	size_t *first = first_of_runs(f);
	struct place *places = places_of(f);
	int rc = 0;

	for (size_t r = 0; r < f->n_runs; r++) {
		assert(f->runs[r].treatment < f->n_keys);
		if (group[f->runs[r].treatment] != NO_GROUP)
			room[group[f->runs[r].treatment]]++;
	}
	memset(samples, 0, n_samples * sizeof(*samples));
	for (size_t g = 0; g < n_samples; g++)
		samples[g].value = mem_realloc(NULL, room[g], sizeof(double));
	for (size_t i = 0; i < f->n_runs && !rc; i++) {
		size_t run = places[i].run;
		size_t g = group[f->runs[run].treatment];

		if (g != NO_GROUP)
			rc = add_run(&samples[g], f, run, first, err);
	}
	free(places);
	free(first);
	free(room);
	return rc;
}

int sample_from_frame(struct sample *s, const struct frame *f,
		      const bool *selected, struct error *err)
{
	size_t *group = mem_realloc(NULL, f->n_keys, sizeof(*group));
	int rc;

	for (size_t k = 0; k < f->n_keys; k++)
		group[k] = selected[k] ? 0 : NO_GROUP;
	rc = distribute(s, 1, f, group, err);
	free(group);
	return rc;
}

int sample_each_key(struct sample *samples, const struct frame *f,
		    struct error *err)
{
	size_t *group = mem_realloc(NULL, f->n_keys, sizeof(*group));
	int rc;

	for (size_t k = 0; k < f->n_keys; k++)
		group[k] = k;
	rc = distribute(samples, f->n_keys, f, group, err);
	free(group);
	return rc;
}

void sample_release(struct sample *s)
{
	free(s->value);
	memset(s, 0, sizeof(*s));
}
