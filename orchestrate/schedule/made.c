#include "orchestrate/schedule/made.h"

#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/rounds.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

/* The benchmark's place in the matrix; n_benchmarks: it is not in it. */
static size_t place_of(const struct matrix *m, size_t benchmark)
{
	size_t i = 0;

	while (i < m->n_benchmarks && m->benchmarks[i] != benchmark)
		i++;
	return i;
}

/* The matrix's items about the benchmark, or NULL. */
static struct made *items_of(struct made **made, const struct schedule *s,
			     size_t matrix, size_t benchmark)
{
	const struct matrix *m = &s->experiment->matrices[matrix];
	size_t place = place_of(m, benchmark);

	if (place == m->n_benchmarks)
		return NULL;
	return made[matrix] + place * s->expansion->shares[matrix].n_treatments;
}

static void meet(struct made *item, struct made *so_far,
		 const struct rounds *r, uint32_t role)
{
	uint32_t sure = (uint32_t)rounds_replicates(r, role, false);
	uint32_t most = (uint32_t)rounds_replicates(r, role, true);

	item->earlier = so_far->earlier;
	if (most > so_far->earlier)
		so_far->earlier = most;
	if (sure > so_far->sure)
		so_far->sure = sure;
}

/* Through the matrices in their order; so_far has an entry for each treatment
 * of the design, all zero before and after. */
static void follow(struct made **made, const struct schedule *s,
		   const struct rounds *rounds, size_t benchmark,
		   struct made *so_far)
{
	const struct expansion *x = s->expansion;
	size_t n = s->experiment->n_matrices;

	for (size_t m = 0; m < n; m++) {
		struct made *items = items_of(made, s, m, benchmark);

		for (size_t i = 0; items && i < x->shares[m].n_treatments; i++) {
			size_t t = expansion_treatment(x, m, i);

			meet(&items[i], &so_far[t], &rounds[m],
			     role_choose(&s->choices[benchmark], s->design, t));
		}
	}
	for (size_t m = 0; m < n; m++) {
		struct made *items = items_of(made, s, m, benchmark);

		for (size_t i = 0; items && i < x->shares[m].n_treatments; i++)
			items[i].sure =
				so_far[expansion_treatment(x, m, i)].sure;
	}
	for (size_t m = 0; m < n; m++)
		for (size_t i = 0; items_of(made, s, m, benchmark) &&
				   i < x->shares[m].n_treatments; i++)
			so_far[expansion_treatment(x, m, i)] =
				(struct made){ 0, 0 };
}

struct made **made_find(const struct schedule *s,
			const struct rounds *rounds)
{
	const struct experiment *e = s->experiment;
	struct made *so_far, **made;

	if (e->n_matrices < 2)
		return NULL;
	so_far = mem_zalloc(s->design->n_treatments, sizeof(*so_far));
	made = mem_zalloc(e->n_matrices, sizeof(*made));
	for (size_t m = 0; m < e->n_matrices; m++)
		made[m] = mem_zalloc(e->matrices[m].n_benchmarks *
				     s->expansion->shares[m].n_treatments,
				     sizeof(**made));
	for (size_t b = 0; b < e->n_benchmarks; b++)
		follow(made, s, rounds, b, so_far);
	free(so_far);
	return made;
}

void made_free(struct made **made, size_t n_matrices)
{
	for (size_t m = 0; made && m < n_matrices; m++)
		free(made[m]);
	free(made);
}
