#include "orchestrate/exec/run_text.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

/* What there is to enter, with the environments that it borrows. */
struct entering {
	struct environment *envs; /* n_layers */
	struct script_enter *steps;
	size_t n;
};

static int find_steps(struct entering *x, const struct experiment *e,
		      const struct binding_run *run, struct error *err)
{
	x->envs = mem_zalloc(e->n_layers + 1, sizeof(*x->envs));
	x->steps = mem_zalloc(e->n_layers + 1, sizeof(*x->steps));
	for (size_t i = 0; i < e->n_layers; i++) {
		const struct treatment_use *u = layer_treatment(e, i,
								run->levels);
		struct environment *env = &x->envs[x->n];

		if (!u || !u->def->enter)
			continue;
		x->steps[x->n++] = (struct script_enter){
			.env = env, .body = u->def->enter };
		if (environment_layer(env, e, run, i, err))
			return -1;
	}
	return 0;
}

static void entering_release(struct entering *x)
{
	for (size_t i = 0; i < x->n; i++)
		environment_release(&x->envs[i]);
	free(x->envs);
	free(x->steps);
}

int run_text(struct buf *out, const struct experiment *e,
	     const struct binding_run *run, const char *place,
	     const char *token, struct error *err)
{
	const struct benchmark *b = &e->benchmarks[run->benchmark];
	struct environment env = ENVIRONMENT_INIT;
	struct entering entering = { .n = 0 };
	int result = environment_benchmark(&env, e, run, err);

	if (!result)
		result = find_steps(&entering, e, run, err);
	if (!result) {
		struct run_script script = {
			.place = place,
			.token = token,
			.env = &env,
			.body = benchmark_script(e, b, run->levels, run->host,
						 NULL),
			.timeout = b->timeout,
			.enter = entering.steps,
			.n_enter = entering.n,
			.warmup = b->warmup,
			.repeats = b->repeats,
		};

		script_run(out, &script);
	}
	entering_release(&entering);
	environment_release(&env);
	return result;
}
