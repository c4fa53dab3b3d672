#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "cmd/explain.h"
#include "cmd/plan.h"
#include "cmd/plan_text.h"
#include "cmd/subject.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

/* The keys file, line and column of the object at hand; null without a
 * place. */
static void json_place(struct json *j, struct mark at)
{
	json_put_string(j, "file", at.file);
	json_key(j, "line");
	if (at.file && at.line)
		json_int(j, at.line);
	else
		json_null(j);
	json_key(j, "column");
	if (at.file && at.line)
		json_int(j, at.column);
	else
		json_null(j);
}

static void json_benchmark(struct json *j, const struct explanation *x)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct benchmark *b = &e->benchmarks[x->step.run->benchmark];
	struct mark at = b->script_mark;

	json_key(j, "benchmark");
	json_object(j);
	json_put_string(j, "name", b->name);
	json_put_string(j, "definition", b->definition);
	json_place(j, b->mark);
	json_object_end(j);
	benchmark_script(e, b, x->step.levels, x->step.run->host, &at);
	json_key(j, "script");
	json_object(j);
	json_place(j, at);
	json_object_end(j);
}

static void json_layer(struct json *j, const struct explanation *x,
		       size_t layer)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct treatment_use *use =
		layer_treatment(e, layer, x->step.levels);
	struct buf level = BUF_INIT;

	if (!use || !use->def)
		return;
	layer_level(e, layer, x->step.levels, &level);
	json_object(j);
	json_put_string(j, "name", layer_name(e, layer));
	json_put_string(j, "level", level.data);
	json_put_string(j, "definition", use->def->name);
	json_place(j, use->def->mark);
	json_object_end(j);
	buf_release(&level);
}

static void json_binding(struct json *j, const struct binding *b)
{
	json_put_string(j, "value", b->value);
	json_put_string(j, "layer", binding_layer_name(b->layer));
	json_place(j, b->mark);
	json_put_string(j, "written", b->source);
}

static void json_variable(struct json *j, const struct bindings *all,
			  const struct binding *winner)
{
	json_object(j);
	json_put_string(j, "name", winner->name);
	json_binding(j, winner);
	json_key(j, "hides");
	json_array(j);
	for (size_t i = all->n; i > 0; i--) {
		const struct binding *b = &all->items[i - 1];

		if (b == winner || strcmp(b->name, winner->name) != 0)
			continue;
		json_object(j);
		json_binding(j, b);
		json_object_end(j);
	}
	json_array_end(j);
	json_object_end(j);
}

static void json_variables(struct json *j, const struct explanation *x,
			   const struct binding *only)
{
	const struct bindings *all = &x->bindings;

	json_key(j, "variables");
	json_array(j);
	for (size_t i = all->n; i > 0; i--) {
		const struct binding *b = &all->items[i - 1];

		if (b == bindings_find(all, b->name) && (!only || b == only))
			json_variable(j, all, b);
	}
	json_array_end(j);
}

static void json_run(struct json *j, const struct explanation *x)
{
	const struct schedule *s = &x->plan->schedule;
	const struct experiment *e = s->experiment;
	struct buf text = BUF_INIT;

	schedule_run_key(s, x->run, &text);
	json_put_string(j, "key", text.data);
	json_put_int(j, "position", x->step.run->position);
	json_put_int(j, "planned", (int64_t)s->n_planned);
	json_put_string(j, "host", e->hosts[x->step.run->host].name);
	json_key(j, "hosts");
	plan_hosts_json(&x->hosts, j);
	json_put_string(j, "role", e->roles[schedule_role(s, x->run)].name);
	json_put_string(j, "matrix", e->matrices[x->step.run->matrix].name);
	json_put_int(j, "replicate", x->step.run->replicate);
	buf_clear(&text);
	walk_block(&x->walk, x->step.run, &text);
	json_put_string(j, "block", text.data);
	json_key(j, "plot");
	if (x->step.plot)
		json_int(j, (int64_t)x->step.plot);
	else
		json_null(j);
	json_key(j, "levels");
	json_object(j);
	for (size_t f = 0; f < e->n_factors; f++)
		json_put_string(j, e->factors[f].name,
				plan_level(x->plan, x->step.run->treatment,
					   f));
	json_object_end(j);
	buf_release(&text);
}

int explain_json(struct buf *out, const struct explanation *x,
		 const char *key, struct error *err)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct binding *only = key ? explain_find(x, key, err) : NULL;
	struct json j;

	if (key && !only)
		return -1;
	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "experiment", e->name);
	json_run(&j, x);
	json_benchmark(&j, x);
	json_key(&j, "settings");
	json_array(&j);
	for (size_t l = 0; l < e->n_layers; l++)
		json_layer(&j, x, l);
	json_array_end(&j);
	json_variables(&j, x, only);
	json_object_end(&j);
	buf_addc(out, '\n');
	return 0;
}
