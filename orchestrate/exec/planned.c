#include "orchestrate/exec/planned.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "stats/design.h"

void planned_init(struct planned *p, const struct experiment *e)
{
	*p = (struct planned){
		.levels = mem_zalloc(e->n_factors + 1, sizeof(*p->levels)) };
	p->run.levels = p->levels;
}

void planned_set(struct planned *p, const struct schedule *s, size_t run)
{
	const struct run *r = &s->runs[run];

	for (size_t f = 0; f < s->design->n_factors; f++)
		p->levels[f] = design_level(s->design, r->treatment, f);
	p->run.host = r->host;
	p->run.benchmark = r->benchmark;
	p->run.replicate = r->replicate;
}

void planned_release(struct planned *p)
{
	free(p->levels);
	p->levels = NULL;
}

static int check_layers(const struct experiment *e, const struct planned *p,
			struct error *err)
{
	for (size_t i = 0; i < e->n_layers; i++) {
		struct environment env = ENVIRONMENT_INIT;
		int result = 0;

		if (layer_treatment(e, i, p->levels))
			result = environment_layer(&env, e, &p->run, i, err);
		environment_release(&env);
		if (result)
			return -1;
	}
	return 0;
}

static int check_run(const struct experiment *e, const struct planned *p,
		     struct error *err)
{
	struct environment env = ENVIRONMENT_INIT;
	int result = environment_benchmark(&env, e, &p->run, err);

	environment_release(&env);
	return result;
}

/* The layers of a treatment are looked at once for each host. */
int planned_check(const struct experiment *e, const struct schedule *s,
		  const size_t *runs, size_t n, struct error *err)
{
	size_t n_treatments = s->design->n_treatments;
	bool *seen = mem_zalloc(e->n_hosts * n_treatments + 1, sizeof(*seen));
	struct planned p;
	int result = 0;

	planned_init(&p, e);
	for (size_t i = 0; !result && i < n; i++) {
		const struct run *r = &s->runs[runs[i]];
		bool *known = &seen[r->host * n_treatments + r->treatment];

		planned_set(&p, s, runs[i]);
		if (!*known)
			result = check_layers(e, &p, err);
		*known = true;
		if (!result)
			result = check_run(e, &p, err);
	}
	planned_release(&p);
	free(seen);
	return result;
}

/* "file:line:column: what": each place is told once. */
static void add_fault(struct strlist *out, const char *text)
{
	const char *end = strstr(text, ": ");
	char *place = mem_strndup(text, end ? (size_t)(end - text) + 2
					    : strlen(text));
	size_t n = strlen(place), i = 0;

	while (i < out->n && strncmp(out->items[i], place, n))
		i++;
	free(place);
	if (i == out->n)
		strlist_push(out, text);
}

void planned_faults(const struct experiment *e, const struct schedule *s,
		    size_t most, struct strlist *out)
{
	size_t n_treatments = s->design->n_treatments, n = 0;
	bool *seen = mem_zalloc(e->n_benchmarks * n_treatments + 1,
				sizeof(*seen));
	struct planned p;

	planned_init(&p, e);
	for (size_t i = 0; i < s->n_runs && n < most; i++) {
		const struct run *r = &s->runs[i];
		struct error err = ERROR_INIT;
		bool *known = &seen[r->benchmark * n_treatments +
				    r->treatment];

		if (*known)
			continue;
		*known = true;
		n++;
		planned_set(&p, s, i);
		if (check_layers(e, &p, &err) || check_run(e, &p, &err))
			add_fault(out, err.text);
	}
	planned_release(&p);
	free(seen);
}
