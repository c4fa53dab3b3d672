#include "cmd/view_json.h"

#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/strlist.h"
#include "cmd/view.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/treatment_def.h"

static void put_list(struct json *j, const char *key,
		     const struct strlist *items)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < items->n; i++)
		json_string(j, items->items[i]);
	json_array_end(j);
}

/* Its text, {"by", "values", "else"}, or null. */
static void put_value(struct json *j, const char *key,
		      const struct variable *v)
{
	const struct lookup *l = v->lookup;

	json_key(j, key);
	if (!l) {
		json_string(j, v->value);
		return;
	}
	json_object(j);
	json_put_string(j, "by", l->by);
	json_key(j, "values");
	json_object(j);
	for (size_t i = 0; i < l->n_cases; i++)
		json_put_string(j, l->cases[i].name, l->cases[i].value);
	json_object_end(j);
	json_put_string(j, "else", l->otherwise);
	json_object_end(j);
}

static void put_parameters(struct json *j, const struct view *v)
{
	json_key(j, "params");
	json_array(j);
	for (size_t i = 0; i < v->n_params; i++) {
		const struct parameter *p = &v->params[i];

		json_object(j);
		json_put_string(j, "name", p->var.name);
		json_put_string(j, "type", parameter_type_name(p->type));
		json_put_bool(j, "required", parameter_is_required(p));
		put_value(j, "default", &p->var);
		json_put_string(j, "doc", p->doc);
		if (p->choices.n)
			put_list(j, "choices", &p->choices);
		if (p->min)
			json_put_string(j, "min", p->min);
		if (p->max)
			json_put_string(j, "max", p->max);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_treatment(struct json *j, const struct treatment_def *d)
{
	put_list(j, "levels", &d->levels);
	json_put_bool(j, "root", d->needs_root);
	json_put_bool(j, "reboot", d->reboot);
	json_put_string(j, "applies_to", d->applies_to);
	json_put_double(j, "cost", d->cost);
	json_put_double(j, "timeout", d->timeout);
	json_key(j, "set");
	json_object(j);
	for (size_t i = 0; i < d->n_set; i++)
		put_value(j, d->set[i].name, &d->set[i]);
	json_object_end(j);
}

static void put_responses(struct json *j, const struct view *v)
{
	static const char *const better[] = {
		[BETTER_HIGHER] = "higher",
		[BETTER_LOWER] = "lower",
	};

	json_key(j, "responses");
	json_array(j);
	for (size_t i = 0; i < v->n_responses; i++) {
		const struct response *x = &v->responses[i];

		json_object(j);
		json_put_string(j, "name", x->name);
		json_put_string(j, "uom", x->uom);
		json_put_string(j, "better", x->better == BETTER_UNSAID
						     ? NULL
						     : better[x->better]);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_view(struct json *j, const struct view *v)
{
	struct buf example = BUF_INIT;

	json_object(j);
	json_put_string(j, "kind", v->kind);
	json_put_string(j, "name", v->name);
	json_put_string(j, "file", v->file);
	json_put_string(j, "doc", v->doc);
	put_list(j, "needs", v->needs);
	put_parameters(j, v);
	if (v->treatment)
		put_treatment(j, v->treatment);
	else
		put_responses(j, v);
	if (v->benchmark && v->benchmark->timeout > 0)
		json_put_double(j, "timeout", v->benchmark->timeout);
	if (v->monitor)
		json_put_double(j, "interval", v->monitor->interval);
	json_key(j, "scripts");
	json_object(j);
	for (size_t i = 0; i < v->n_scripts; i++)
		json_put_string(j, v->scripts[i].key, v->scripts[i].text);
	json_object_end(j);
	view_example(v, 0, &example);
	json_put_string(j, "example", example.data);
	buf_release(&example);
	json_object_end(j);
}

static void put_family(struct json *j, const char *family,
		       const struct view *views, size_t n)
{
	size_t length = strlen(family);

	json_object(j);
	json_put_string(j, "name", family);
	json_key(j, "levels");
	json_array(j);
	for (size_t i = 0; i < n; i++)
		if (views[i].treatment &&
		    !strncmp(views[i].name, family, length) &&
		    views[i].name[length] == '/')
			json_string(j, views[i].name + length + 1);
	json_array_end(j);
	json_object_end(j);
}

void views_json(struct buf *out, const struct view *views, size_t n,
		const struct library_list *l, const struct strlist *folders)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	put_list(&j, "folders", folders);
	json_key(&j, "families");
	json_array(&j);
	for (size_t i = 0; i < l->families.n; i++)
		put_family(&j, l->families.items[i], views, n);
	json_array_end(&j);
	json_key(&j, "definitions");
	json_array(&j);
	for (size_t i = 0; i < n; i++)
		put_view(&j, &views[i]);
	json_array_end(&j);
	json_object_end(&j);
	buf_addc(out, '\n');
}
