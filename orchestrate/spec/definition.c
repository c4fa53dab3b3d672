#include <stdlib.h>

#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/responses.h"
#include "orchestrate/spec/treatment_def.h"

void treatment_def_free(struct treatment_def *d)
{
	if (!d)
		return;
	free(d->name);
	free(d->file);
	free(d->doc);
	free(d->save);
	free(d->apply);
	free(d->verify);
	free(d->show);
	free(d->revert);
	free(d->enter);
	free(d->applies_to);
	variables_release(d->set, d->n_set);
	strlist_release(&d->needs);
	parameters_release(d->params, d->n_params);
	strlist_release(&d->levels);
	free(d);
}

void benchmark_def_free(struct benchmark_def *d)
{
	if (!d)
		return;
	free(d->name);
	free(d->file);
	free(d->doc);
	localized_release(&d->label);
	free(d->script);
	strlist_release(&d->needs);
	parameters_release(d->params, d->n_params);
	responses_release(d->responses, d->n_responses);
	free(d);
}

void monitor_def_free(struct monitor_def *d)
{
	if (!d)
		return;
	free(d->name);
	free(d->file);
	free(d->doc);
	free(d->script);
	strlist_release(&d->needs);
	parameters_release(d->params, d->n_params);
	responses_release(d->responses, d->n_responses);
	free(d);
}
