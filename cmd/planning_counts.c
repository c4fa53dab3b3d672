#include "cmd/planning.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/subject.h"
#include "orchestrate/spec/role.h"

static void mark_role(bool *used, const struct experiment *e,
		      const char *role)
{
	int r = role ? role_find(e, role) : -1;

	if (r >= 0)
		for (size_t i = 0; i < e->roles[r].n_hosts; i++)
			used[e->roles[r].hosts[i]] = true;
}

static void mark_roles(bool *used, const struct experiment *e,
		       const char *role, const struct lookup *by)
{
	mark_role(used, e, role);
	if (!by)
		return;
	for (size_t i = 0; i < by->n_cases; i++)
		mark_role(used, e, by->cases[i].value);
	mark_role(used, e, by->otherwise);
}

static void mark_benchmark(bool *used, const struct experiment *e,
			   const struct benchmark *b)
{
	mark_roles(used, e, b->role, b->role_by);
	for (size_t i = 0; i < b->n_services; i++)
		mark_roles(used, e, b->services[i].role,
			   b->services[i].role_by);
	for (size_t i = 0; i < b->n_monitors; i++)
		mark_roles(used, e, b->monitors[i].role,
			   b->monitors[i].role_by);
}

size_t planning_hosts(const struct experiment *e)
{
	bool *used = mem_zalloc(e->n_hosts + 1, sizeof(bool));
	size_t n = 0;

	for (size_t b = 0; b < e->n_benchmarks; b++)
		mark_benchmark(used, e, &e->benchmarks[b]);
	for (size_t h = 0; h < e->n_hosts; h++)
		n += used[h];
	free(used);
	return n;
}

static void add_count(struct buf *out, size_t n, const char *noun)
{
	buf_addf(out, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

bool *planning_treatments(const struct schedule *schedule, size_t *n)
{
	bool *used = mem_zalloc(schedule->design->n_treatments + 1,
				sizeof(bool));

	*n = 0;
	for (size_t i = 0; i < schedule->n_runs; i++) {
		size_t t = schedule->runs[i].treatment;

		*n += !used[t];
		used[t] = true;
	}
	return used;
}

static size_t count_benchmarks(const struct schedule *schedule)
{
	bool *used = mem_zalloc(schedule->experiment->n_benchmarks + 1,
				sizeof(bool));
	size_t n = 0;

	for (size_t i = 0; i < schedule->n_runs; i++) {
		size_t b = schedule->runs[i].benchmark;

		n += !used[b];
		used[b] = true;
	}
	free(used);
	return n;
}

void planning_counts(struct buf *out, const struct subject *s,
		     const struct schedule *schedule)
{
	const struct experiment *e = &s->experiment;
	size_t n_treatments;

	free(planning_treatments(schedule, &n_treatments));
	add_count(out, e->n_factors, "factor");
	buf_adds(out, ", ");
	add_count(out, n_treatments, "treatment");
	buf_adds(out, ", ");
	add_count(out, count_benchmarks(schedule), "benchmark");
	buf_adds(out, ", ");
	if (schedule->n_runs < schedule->n_planned)
		buf_addf(out, "%zu of %zu runs", schedule->n_runs,
			 schedule->n_planned);
	else
		add_count(out, schedule->n_runs, "run");
	buf_adds(out, " on ");
	add_count(out, planning_hosts(e), "host");
}
