#include "cmd/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/treatment_def.h"

static void add_script(struct view *v, const char *key, const char *text)
{
	if (text)
		v->scripts[v->n_scripts++] =
			(struct view_script){ .key = key, .text = text };
}

static struct view of_treatment(const struct treatment_def *d)
{
	struct view v = {
		.kind = "treatment", .name = d->name, .file = d->file,
		.doc = d->doc, .params = d->params, .n_params = d->n_params,
		.needs = &d->needs, .treatment = d,
	};

	add_script(&v, "save", d->save);
	add_script(&v, "apply", d->apply);
	add_script(&v, "verify", d->verify);
	add_script(&v, "show", d->show);
	add_script(&v, "revert", d->revert);
	add_script(&v, "enter", d->enter);
	return v;
}

static struct view of_benchmark(const struct benchmark_def *d)
{
	struct view v = {
		.kind = "benchmark", .name = d->name, .file = d->file,
		.doc = d->doc, .params = d->params, .n_params = d->n_params,
		.needs = &d->needs, .responses = d->responses,
		.n_responses = d->n_responses, .benchmark = d,
	};

	add_script(&v, "run", d->script);
	return v;
}

static struct view of_monitor(const struct monitor_def *d)
{
	struct view v = {
		.kind = "monitor", .name = d->name, .file = d->file,
		.doc = d->doc, .params = d->params, .n_params = d->n_params,
		.needs = &d->needs, .responses = d->responses,
		.n_responses = d->n_responses, .monitor = d,
	};

	add_script(&v, "run", d->script);
	return v;
}

/* "platform" is the name of "platform/docker", too. */
static bool is_called(const struct view *v, const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (!name || !strcmp(v->name, name))
		return true;
	return !strncmp(v->name, name, n) && v->name[n] == '/';
}

static void add(struct view *views, size_t *n, struct view v,
		const char *name)
{
	if (is_called(&v, name))
		views[(*n)++] = v;
}

void views_make(struct view **views, size_t *n, const struct library_list *l,
		const char *name)
{
	*n = 0;
	*views = mem_zalloc(l->n_treatments + l->n_benchmarks + l->n_monitors,
			    sizeof(**views));
	for (size_t i = 0; i < l->n_treatments; i++)
		add(*views, n, of_treatment(l->treatments[i]), name);
	for (size_t i = 0; i < l->n_benchmarks; i++)
		add(*views, n, of_benchmark(l->benchmarks[i]), name);
	for (size_t i = 0; i < l->n_monitors; i++)
		add(*views, n, of_monitor(l->monitors[i]), name);
}

/* FOLDER/treatments/NAME.yaml, and NAME may have a "/". */
void view_folder(const struct view *v, struct buf *out)
{
	char *tail = mem_printf("/%ss/%s.yaml", v->kind, v->name);
	size_t n = strlen(v->file), n_tail = strlen(tail);

	if (n > n_tail)
		buf_add(out, v->file, n - n_tail);
	else
		buf_addc(out, '.');
	free(tail);
}
