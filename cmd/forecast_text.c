#include "cmd/forecast.h"

#include <math.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"

static const char *duration(double seconds, char text[CLOCK_TEXT_SIZE])
{
	return clock_duration((int64_t)(seconds * 1e9), text);
}

static void add_count(struct buf *out, size_t n, const char *noun)
{
	buf_addf(out, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

/* Changes that nobody has timed, and runs that nobody has made. */
static bool is_partial(const struct forecast *f)
{
	for (size_t l = 0; l < f->cost.n_layers; l++)
		if (f->layers[l] == FORECAST_UNKNOWN &&
		    f->cost.layers[l].applied)
			return true;
	return f->n_guessed;
}

static void add_time(struct buf *out, const struct forecast *f)
{
	char text[CLOCK_TEXT_SIZE], most[CLOCK_TEXT_SIZE];
	const struct cost *c = &f->cost;

	if (c->longest <= 0)
		return;
	buf_addf(out, ", %s %s",
		 f->n_known && !is_partial(f) ? "about" : "at least",
		 duration(c->longest, text));
	if (c->longest_most > c->longest)
		buf_addf(out, " (up to %s)", duration(c->longest_most, most));
}

void forecast_cost(struct buf *out, const struct forecast *f)
{
	const struct cost *c = &f->cost;

	if (!c->n_runs && !c->n_runs_most) {
		buf_adds(out, "none: every run is recorded");
		return;
	}
	add_count(out, c->n_runs, "run");
	if (c->n_runs_most > c->n_runs)
		buf_addf(out, " (up to %zu)", c->n_runs_most);
	if (c->reboots) {
		buf_adds(out, ", ");
		add_count(out, c->reboots, "reboot");
	}
	for (size_t l = 0; l < c->n_layers; l++) {
		if (!c->layers[l].applied)
			continue;
		buf_adds(out, ", ");
		add_count(out, c->layers[l].applied, "change");
		buf_addf(out, " of %s", c->layers[l].name);
	}
	add_time(out, f);
}

static void add_layers(struct buf *out, const struct forecast *f,
		       enum forecast_source source, const char *what)
{
	size_t n = 0;

	for (size_t l = 0; l < f->cost.n_layers; l++) {
		if (f->layers[l] != source || !f->cost.layers[l].applied)
			continue;
		if (!n++)
			buf_addf(out, "; %s", what);
		buf_addf(out, "%s%s", n > 1 ? ", " : " ",
			 f->cost.layers[l].name);
	}
}

void forecast_sources(struct buf *out, const struct forecast *f)
{
	if (!f->n_known && f->cost.longest <= 0) {
		buf_adds(out, "unknown until runs are recorded");
		return;
	}
	if (f->n_known)
		buf_addf(out, "of runs as in %zu recorded ones", f->n_known);
	else
		buf_adds(out, "of runs unknown until some are recorded");
	if (f->n_known && f->n_guessed)
		buf_addf(out, "; %zu runs of benchmarks never made are not in "
			      "it",
			 f->n_guessed);
	add_layers(out, f, FORECAST_MEASURED, "changes as recorded:");
	add_layers(out, f, FORECAST_DECLARED,
		   "changes as their definitions declare:");
	add_layers(out, f, FORECAST_UNKNOWN, "not known of changes:");
}

double forecast_rounded(double seconds)
{
	return round(seconds * 1000) / 1000;
}

static void json_layer(struct json *j, const struct forecast *f, size_t layer)
{
	static const char *const sources[] = { "unknown", "declared",
					       "recorded" };
	const struct layer_cost *l = &f->cost.layers[layer];

	json_object(j);
	json_put_string(j, "name", l->name);
	json_put_int(j, "applied", (int64_t)l->applied);
	json_put_int(j, "reverted", (int64_t)l->reverted);
	json_put_int(j, "reboots", (int64_t)l->reboots);
	json_put_double(j, "seconds", forecast_rounded(l->seconds));
	json_put_string(j, "source", sources[f->layers[layer]]);
	json_object_end(j);
}

void forecast_json(struct json *j, const struct forecast *f)
{
	const struct cost *c = &f->cost;

	json_object(j);
	json_put_int(j, "runs", (int64_t)c->n_runs);
	json_put_int(j, "runs_most", (int64_t)c->n_runs_most);
	json_put_int(j, "reboots", (int64_t)c->reboots);
	json_put_int(j, "changes", (int64_t)c->applied);
	json_put_double(j, "seconds", forecast_rounded(c->longest));
	json_put_double(j, "seconds_most",
			forecast_rounded(c->longest_most));
	json_put_int(j, "recorded_runs", (int64_t)f->n_known);
	json_put_int(j, "untimed_runs", (int64_t)f->n_guessed);
	json_key(j, "layers");
	json_array(j);
	for (size_t l = 0; l < c->n_layers; l++)
		json_layer(j, f, l);
	json_array_end(j);
	json_object_end(j);
}
