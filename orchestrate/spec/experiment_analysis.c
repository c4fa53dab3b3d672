#include "orchestrate/spec/experiment_parse.h"

static void read_baseline(struct reading *r, void *into,
			  const struct yaml_node *value)
{
	struct experiment *e = into;

	conditions_read(r, value, true, &e->baseline, &e->n_baseline);
}

static const struct form level_form = { .kind = FORM_TEXT,
					.what = "a level's name" };
static const struct form baseline_form = {
	.kind = FORM_MAP, .item = &level_form, .what = "a factor's name",
};

static const struct key analysis_table[] = {
	{ .name = "baseline", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_baseline,
	  .form = &baseline_form,
	  .doc = "the level of a factor that others are compared with",
	  .fallback = "the centre of a one-at-a-time design, else none",
	  .example = "baseline: {platform: native}" },
	{ .name = "margin", .kind = VALUE_SHARE,
	  .offset = offsetof(struct experiment, margin),
	  .doc = "a difference below this does not matter",
	  .fallback = "1%", .example = "margin: 2.5%" },
	{ .name = "contrasts", .kind = VALUE_LATER,
	  .doc = "which comparisons to make",
	  .example = "contrasts: {kind: ratio, family: platform}" },
	{ .name = "derived", .kind = VALUE_LATER,
	  .doc = "responses computed from others",
	  .example = "derived: {score: {geometric-mean: [bandwidth, iops]}}" },
};

const struct key_table analysis_keys = KEY_TABLE("analysis", analysis_table);
