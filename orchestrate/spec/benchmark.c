#include "orchestrate/spec/benchmark.h"

#include <stdlib.h>

#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/responses.h"
#include "orchestrate/spec/variables.h"

const char *benchmark_role(const struct experiment *e,
			   const struct benchmark *b, const size_t *levels)
{
	return b->role_by ? lookup_at(e, b->role_by, levels, 0, NULL)
			  : b->role;
}

static const char *script_at(const struct experiment *e, const char *script,
			     struct mark script_mark,
			     const struct lookup *script_by,
			     const size_t *levels, size_t host,
			     struct mark *mark)
{
	if (script_by)
		return lookup_at(e, script_by, levels, host, mark);
	if (mark)
		*mark = script_mark;
	return script;
}

const char *benchmark_script(const struct experiment *e,
			     const struct benchmark *b, const size_t *levels,
			     size_t host, struct mark *mark)
{
	return script_at(e, b->script, b->script_mark, b->script_by, levels,
			 host, mark);
}

const char *service_role(const struct experiment *e, const struct service *s,
			 const size_t *levels)
{
	return s->role_by ? lookup_at(e, s->role_by, levels, 0, NULL)
			  : s->role;
}

const char *service_script(const struct experiment *e,
			   const struct service *s, const size_t *levels,
			   size_t host, struct mark *mark)
{
	return script_at(e, s->script, s->script_mark, s->script_by, levels,
			 host, mark);
}

const char *monitor_role(const struct experiment *e, const struct monitor *m,
			 const size_t *levels)
{
	return m->role_by ? lookup_at(e, m->role_by, levels, 0, NULL)
			  : m->role;
}

static void service_release(struct service *s)
{
	free(s->name);
	free(s->role);
	lookup_free(s->role_by);
	free(s->script);
	lookup_free(s->script_by);
	free(s->ready_value);
	free(s->stop);
}

static void monitor_release(struct monitor *m)
{
	free(m->name);
	free(m->definition);
	free(m->role);
	lookup_free(m->role_by);
	free(m->script);
	variables_release(m->params, m->n_params);
	responses_release(m->responses, m->n_responses);
	strlist_release(&m->needs);
}

void benchmark_release(struct benchmark *b)
{
	free(b->name);
	localized_release(&b->label);
	free(b->definition);
	free(b->definition_file);
	free(b->script);
	lookup_free(b->script_by);
	free(b->role);
	lookup_free(b->role_by);
	parameters_release(b->types, b->n_types);
	strlist_release(&b->tags);
	strlist_release(&b->artefacts);
	for (size_t i = 0; i < b->n_services; i++)
		service_release(&b->services[i]);
	free(b->services);
	for (size_t i = 0; i < b->n_monitors; i++)
		monitor_release(&b->monitors[i]);
	free(b->monitors);
	variables_release(b->params, b->n_params);
	strlist_release(&b->needs);
	responses_release(b->responses, b->n_responses);
}
