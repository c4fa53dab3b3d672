#include "cmd/analysis_json.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/strlist.h"
#include "cmd/analysis.h"
#include "cmd/cells.h"
#include "cmd/reading.h"
#include "cmd/remarks.h"
#include "cmd/subject.h"

static const char *better_name(enum better b)
{
	switch (b) {
	case BETTER_UNSAID:
		return NULL;
	case BETTER_HIGHER:
		return "higher";
	case BETTER_LOWER:
		return "lower";
	}
	return NULL;
}

static const char *verdict_name(enum verdict v)
{
	switch (v) {
	case VERDICT_NONE:
		return NULL;
	case VERDICT_IMPROVED:
		return "improved";
	case VERDICT_REGRESSED:
		return "regressed";
	case VERDICT_EQUIVALENT:
		return "equivalent";
	case VERDICT_INCONCLUSIVE:
		return "inconclusive";
	}
	return NULL;
}

static void put_levels(struct json *j, const struct subject *s,
		       const char *key, size_t treatment)
{
	const struct experiment *e = &s->experiment;

	json_key(j, key);
	json_object(j);
	for (size_t f = 0; f < e->n_factors; f++) {
		size_t level = design_level(&s->expansion.design, treatment, f);

		json_put_string(j, e->factors[f].name,
				level == DESIGN_ABSENT
					? NULL
					: e->factors[f].levels[level].name);
	}
	json_object_end(j);
}

static void put_estimate(struct json *j, const struct estimate *e)
{
	json_put_double(j, "value", e->value);
	json_put_double(j, "low", e->low);
	json_put_double(j, "high", e->high);
	json_put_double(j, "level", e->level);
	json_put_int(j, "n", (int64_t)e->n);
	json_put_string(j, "method", e->method
					     ? estimate_method_text(e->method)
					     : NULL);
}

static int put_treatment(struct json *j, const struct cells *c,
			 size_t treatment, double level, struct error *err)
{
	const struct sample *sample = cells_treatment(c, treatment);
	struct estimate e;

	if (estimate_sample(sample, CELL_MEAN_CI, level, &e, err))
		return -1;
	json_object(j);
	put_levels(j, c->subject, "levels", treatment);
	put_estimate(j, &e);
	json_put_double(j, "sd", e.sd);
	json_put_int(j, "failed", (int64_t)sample->n_failed);
	json_put_int(j, "timeout", (int64_t)sample->n_censored);
	json_put_int(j, "invalid", (int64_t)sample->n_invalid);
	json_object_end(j);
	return 0;
}

static int put_response(struct json *j, const struct cells *c, double level,
			struct error *err)
{
	const struct response *r = cells_response(c);

	json_object(j);
	json_put_string(j, "benchmark", cells_benchmark(c)->name);
	json_put_string(j, "response", r->name);
	json_put_string(j, "uom", r->uom);
	json_put_string(j, "better", better_name(r->better));
	json_key(j, "treatments");
	json_array(j);
	for (size_t t = 0; t < c->subject->expansion.design.n_treatments; t++)
		if (cells_measures(c, t) &&
		    put_treatment(j, c, t, level, err))
			return -1;
	json_array_end(j);
	json_object_end(j);
	return 0;
}

static void put_comparison(struct json *j, const struct analysis *a,
			   const struct comparison *c)
{
	const struct benchmark *b =
		&a->subject->experiment.benchmarks[c->benchmark];
	struct buf sentence = BUF_INIT;

	json_object(j);
	json_put_string(j, "benchmark", b->name);
	json_put_string(j, "response", b->responses[c->response].name);
	put_levels(j, a->subject, "treatment", c->treatment);
	put_levels(j, a->subject, "baseline", c->base);
	json_key(j, "ratio");
	json_object(j);
	put_estimate(j, &c->ratio);
	json_put_int(j, "n_baseline", (int64_t)c->ratio.n_base);
	json_object_end(j);
	json_put_string(j, "verdict", verdict_name(c->verdict));
	reading_sentence(&sentence, a->subject, c);
	json_put_string(j, "sentence", sentence.data);
	json_object_end(j);
	buf_release(&sentence);
}

static void put_remarks(struct json *j, const struct analysis *a)
{
	struct strlist remarks = STRLIST_INIT;

	remarks_make(&remarks, a);
	json_key(j, "remarks");
	json_array(j);
	for (size_t i = 0; i < remarks.n; i++)
		json_string(j, remarks.items[i]);
	json_array_end(j);
	strlist_release(&remarks);
}

int analysis_json(struct buf *out, const struct analysis *a,
		  struct error *err)
{
	const struct subject *s = a->subject;
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "experiment", s->experiment.name);
	json_put_string(&j, "campaign", s->campaign.uuid);
	json_put_string(&j, "commit", s->campaign.commit);
	json_put_double(&j, "margin", s->experiment.margin);
	json_key(&j, "comparisons");
	json_array(&j);
	for (size_t i = 0; i < a->comparisons.n; i++)
		put_comparison(&j, a, &a->comparisons.items[i]);
	json_array_end(&j);
	put_remarks(&j, a);
	json_key(&j, "responses");
	json_array(&j);
	for (size_t i = 0; i < a->n_cells; i++)
		if (put_response(&j, &a->cells[i], a->level, err))
			return -1;
	json_array_end(&j);
	json_object_end(&j);
	buf_addc(out, '\n');
	return 0;
}
