#include <string.h>

#include "orchestrate/spec/design_section.h"
#include "orchestrate/spec/experiment_parse.h"

#define MOST 1000000

static const struct key count_key = {
	.name = "replicates", .kind = VALUE_COUNT, .min = 1, .max = MOST,
};

#define AT(member) .offset = offsetof(struct stop_rule, member)

static const struct key until_table[] = {
	{ .name = "response", .kind = VALUE_TEXT, AT(response),
	  .required = true,
	  .doc = "the response that decides; with its benchmark in front "
		 "(fio.bandwidth) where more than one has it",
	  .example = "response: bandwidth" },
	{ .name = "half_width", .kind = VALUE_SHARE, AT(half_width),
	  .required = true,
	  .doc = "of the mean's interval, relative to the mean",
	  .example = "half_width: 2%" },
	{ .name = "confidence", .kind = VALUE_SHARE, AT(confidence),
	  .doc = "of that interval", .fallback = "95%",
	  .example = "confidence: 99%" },
};

const struct key_table until_keys = KEY_TABLE("until", until_table);

static bool has_response(const struct benchmark *b, const char *name)
{
	for (size_t i = 0; i < b->n_responses; i++)
		if (!strcmp(b->responses[i].name, name))
			return true;
	return false;
}

/* "response" or "benchmark.response"; both may hold dots. */
static bool is_meant(const struct benchmark *b, const char *text)
{
	size_t n = strlen(b->name);

	return has_response(b, text) ||
	       (!strncmp(text, b->name, n) && text[n] == '.' &&
		has_response(b, text + n + 1));
}

static void check_response(struct reading *r, const struct matrix *m,
			   const struct yaml_node *map, const char *text)
{
	struct strlist known = STRLIST_INIT;
	const struct experiment *e = r->e;
	bool found = false;

	for (size_t i = 0; i < m->n_benchmarks; i++) {
		const struct benchmark *b = &e->benchmarks[m->benchmarks[i]];

		found |= is_meant(b, text);
		for (size_t k = 0; k < b->n_responses; k++)
			if (!strlist_has(&known, b->responses[k].name))
				strlist_push(&known, b->responses[k].name);
	}
	if (!found && known.n)
		problems_add_undefined(r->problems,
				       yaml_get(map, "response")->value->mark,
				       "response", text,
				       *m->name ? "the matrix's benchmarks" :
						  NULL, &known);
	strlist_release(&known);
}

static void read_until(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct stop_rule *u = &dr->replicates.until;
	const struct yaml_pair *pair;

	u->half_width = -1; /* unsaid, or no share at all */
	u->confidence = 0.95;
	u->mark = value->mark;
	keys_read(r, &until_keys, value->mark, value, u);
	if (u->response)
		check_response(r, dr->m, value, u->response);
	pair = yaml_get(value, "half_width");
	if (pair && u->half_width == 0)
		problems_add(r->problems, pair->value->mark,
			     "\"half_width\" must be above 0: no number of "
			     "runs makes an interval that narrow");
	pair = yaml_get(value, "confidence");
	if (pair && u->confidence < 0.5)
		problems_add(r->problems, pair->value->mark,
			     "\"confidence\" must be 50%% or more; 95%% is "
			     "usual");
}

#undef AT
#define AT(member) .offset = offsetof(struct design_reading, replicates.member)

static const struct form until_form = { .kind = FORM_OBJECT,
					.table = &until_keys };

static const struct key replicates_table[] = {
	{ .name = "min", .kind = VALUE_COUNT, .min = 2, .max = MOST, AT(min),
	  .required = true,
	  .doc = "runs of each treatment before the rule is asked",
	  .example = "min: 10" },
	{ .name = "max", .kind = VALUE_COUNT, .min = 2, .max = MOST, AT(max),
	  .required = true, .doc = "runs of each treatment at most",
	  .example = "max: 40" },
	{ .name = "until", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_until, .table = &until_keys, .form = &until_form,
	  .required = true,
	  .doc = "when there are enough: an interval is narrow enough",
	  .example = "until: {response: bandwidth, half_width: 2%}" },
};

const struct key_table replicates_keys =
	KEY_TABLE("replicates", replicates_table);

void replicates_read(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct design_reading *dr = into;
	struct replication *n = &dr->replicates;

	if (value->kind == YAML_SCALAR) {
		keys_read_count(r, &count_key, value, &n->min);
		n->max = n->min;
		return;
	}
	n->max = 0;
	keys_read(r, &replicates_keys, value->mark, value, dr);
	if (n->max && n->max < n->min)
		problems_add(r->problems, yaml_get(value, "max")->mark,
			     "\"max\" is %u, below \"min\", which is %u",
			     n->max, n->min);
	if (n->max < n->min)
		n->max = n->min;
}
