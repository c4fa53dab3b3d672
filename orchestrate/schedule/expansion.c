#include "orchestrate/schedule/expansion.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

int expansion_make(struct expansion *x, const struct experiment *e,
		   struct problems *p)
{
	struct mark whole = { .file = e->path };
	struct error err;

	*x = (struct expansion){ .n_shares = 1 };
	x->shares = mem_zalloc(1, sizeof(*x->shares));
	if (design_build(&x->design, DESIGN_FULL_FACTORIAL, e->factors,
			 e->n_factors, &err))
		return problems_add(p, whole, "%s", err.text);
	x->shares[0].n_treatments = x->design.n_treatments;
	return 0;
}

void expansion_release(struct expansion *x)
{
	for (size_t i = 0; x->shares && i < x->n_shares; i++)
		free(x->shares[i].treatments);
	free(x->shares);
	design_release(&x->design);
	*x = (struct expansion){ .shares = NULL };
}

size_t expansion_treatment(const struct expansion *x, size_t matrix, size_t i)
{
	const struct matrix_share *s = &x->shares[matrix];

	return s->treatments ? s->treatments[i] : i;
}
