#include "orchestrate/schedule/role_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/role.h"
#include "orchestrate/spec/value.h"

/* The count when it is a plain number, at least 1; else 0. */
static size_t plain_count(const struct role *role)
{
	const char *text = role->count.value;
	uint64_t n;

	if (role->count.lookup)
		return 0;
	if (!text)
		return 1;
	if (value_is_computed(text))
		return 0;
	/* what is wrong with it was told when the file was read */
	return value_count(text, &n) && n ? (size_t)n : 1;
}

void role_counts_init(struct role_counts *c, const struct schedule *s,
		      struct problems *problems)
{
	const struct experiment *e = s->experiment;

	*c = (struct role_counts){
		.s = s,
		.problems = problems,
		.roles = mem_zalloc(e->n_roles, sizeof(*c->roles)),
		.levels = mem_zalloc(e->n_factors, sizeof(*c->levels)),
	};
	for (size_t r = 0; r < e->n_roles; r++)
		c->roles[r].plain = plain_count(&e->roles[r]);
	for (size_t h = 0; h < e->n_hosts; h++)
		c->by_host |= e->hosts[h].n_env;
}

void role_counts_release(struct role_counts *c)
{
	for (size_t r = 0; c->roles && r < c->s->experiment->n_roles; r++)
		free(c->roles[r].known);
	free(c->roles);
	free(c->levels);
	memset(c, 0, sizeof(*c));
}

bool role_counts_depend(const struct role_counts *c)
{
	for (size_t r = 0; r < c->s->experiment->n_roles; r++)
		if (!c->roles[r].plain)
			return true;
	return false;
}

/* Where the count of this run is remembered. */
static uint32_t *place(struct role_counts *c, const struct run *run,
		       size_t role)
{
	const struct experiment *e = c->s->experiment;
	size_t n_treatments = c->s->design->n_treatments;
	size_t n_hosts = c->by_host ? e->n_hosts : 1;
	struct role_count *r = &c->roles[role];

	if (!r->known)
		r->known = mem_zalloc(e->n_benchmarks * n_treatments * n_hosts,
				      sizeof(*r->known));
	return &r->known[(run->benchmark * n_treatments + run->treatment) *
			 n_hosts + (c->by_host ? run->host : 0)];
}

static void tell(struct role_counts *c, const struct run *run, size_t role,
		 struct mark mark, const char *fault)
{
	struct buf key = BUF_INIT;

	if (c->problems && !c->roles[role].told) {
		treatment_key(c->s->design, run->treatment, &key);
		problems_add(c->problems, mark, "%s, in treatment %s", fault,
			     key.data);
	}
	c->roles[role].told = true;
	buf_release(&key);
}

/* As it is written; computed, it is the caller's in *value. NULL with an error
 * when it cannot be, or there is none. */
static const char *count_text(struct role_counts *c, const struct run *run,
			      const char *text, struct mark mark,
			      char **value, struct error *err)
{
	const struct binding_run where = {
		.levels = c->levels, .host = run->host,
		.benchmark = run->benchmark, .replicate = run->replicate,
	};
	struct bindings b = BINDINGS_INIT;

	if (text && value_is_computed(text)) {
		if (!bindings_benchmark(&b, c->s->experiment, &where, err))
			bindings_value(&b, text, mark, value, err);
		text = *value;
	}
	if (!text && !err->text[0])
		error_set(err, ERROR_USAGE, "it needs a factor that is absent");
	bindings_release(&b);
	return text;
}

/* Of an error that says where: what it says. */
static const char *without_place(const char *text, struct mark mark)
{
	size_t n = mark.file ? strlen(mark.file) : 0;
	const char *p;

	if (!n || strncmp(text, mark.file, n) != 0)
		return text;
	p = strstr(text + n, ": ");
	return p ? p + 2 : text;
}

static size_t compute(struct role_counts *c, const struct run *run,
		      size_t role)
{
	const struct experiment *e = c->s->experiment;
	const struct role *r = &e->roles[role];
	struct mark mark = r->count.mark;
	struct error err = ERROR_INIT;
	char *value = NULL, *fault = NULL;
	const char *text;
	size_t n = 1;

	for (size_t f = 0; f < e->n_factors; f++)
		c->levels[f] = design_level(c->s->design, run->treatment, f);
	text = count_text(c, run, role_count_text(e, r, c->levels, &mark),
			  mark, &value, &err);
	if (!text)
		fault = mem_printf("role \"%s\": \"count\": %s", r->name,
				   without_place(err.text, mark));
	else
		role_count(&n, r, text, &fault);
	if (fault)
		tell(c, run, role, mark, fault);
	free(fault);
	free(value);
	return n;
}

size_t role_counts_get(struct role_counts *c, size_t run, size_t role)
{
	uint32_t *known;

	if (c->roles[role].plain)
		return c->roles[role].plain;
	known = place(c, &c->s->runs[run], role);
	if (!*known)
		*known = (uint32_t)compute(c, &c->s->runs[run], role);
	return *known;
}
