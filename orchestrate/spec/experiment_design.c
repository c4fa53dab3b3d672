#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "stats/design.h"

static const struct choice kinds[] = {
	{ "full-factorial", DESIGN_FULL_FACTORIAL },
	{ "one-at-a-time", CHOICE_LATER },
	{ "fractional", CHOICE_LATER },
	{ "latin-square", CHOICE_LATER },
	{ "list", CHOICE_LATER },
	{ NULL, 0 },
};

static const struct choice orders[] = {
	{ "randomized", ORDER_RANDOMIZED },
	{ "as-written", ORDER_AS_WRITTEN },
	{ NULL, 0 },
};

struct design_reading {
	enum design_kind kind;
	uint32_t replicates;
	enum order_kind order;
	uint64_t seed;
	bool seed_given;
};

#define AT(member) .offset = offsetof(struct design_reading, member)

static const struct key order_table[] = {
	{ .name = "kind", .kind = VALUE_CHOICE, .choices = orders, AT(order),
	  .doc = "randomized or as-written" },
	{ .name = "seed", .kind = VALUE_SEED, AT(seed),
	  .doc = "the same seed gives the same order" },
};

static const struct key_table order_keys = KEY_TABLE("order", order_table);

static void read_order(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct design_reading *dr = into;

	keys_read(r, &order_keys, value->mark, value, dr);
	dr->seed_given = yaml_get(value, "seed");
}

static const struct key design_table[] = {
	{ .name = "kind", .kind = VALUE_CHOICE, .choices = kinds, AT(kind),
	  .doc = "which combinations of levels are measured" },
	{ .name = "replicates", .kind = VALUE_COUNT, .min = 1, .max = 1000000,
	  AT(replicates), .doc = "independent runs of each treatment" },
	{ .name = "order", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_order, .table = &order_keys,
	  .doc = "of the runs" },
	{ .name = "blocks", .kind = VALUE_LATER,
	  .doc = "host: compare within hosts" },
	{ .name = "zip", .kind = VALUE_LATER, .doc = "factors that go along" },
	{ .name = "exclude", .kind = VALUE_LATER,
	  .doc = "combinations to leave out" },
	{ .name = "only", .kind = VALUE_LATER,
	  .doc = "factors that exist under some levels only" },
};

const struct key_table design_keys = KEY_TABLE("design", design_table);

void design_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	struct design_reading dr = { .replicates = 1 };
	struct matrix *m = &e->matrices[0];

	keys_read(r, &design_keys, value->mark, value, &dr);
	m->replicates = m->replicates_max = dr.replicates;
	m->order = dr.order;
	e->seed = dr.seed;
	e->seed_given = dr.seed_given;
}

void baseline_read(struct reading *r, void *into,
		   const struct yaml_node *value)
{
	struct experiment *e = into;

	conditions_read(r, value, &e->baseline, &e->n_baseline);
}

static const struct key analysis_table[] = {
	{ .name = "baseline", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = baseline_read,
	  .doc = "the level of a factor that others are compared with" },
	{ .name = "margin", .kind = VALUE_SHARE,
	  .offset = offsetof(struct experiment, margin),
	  .doc = "a difference below this does not matter; 1% when unsaid" },
	{ .name = "contrasts", .kind = VALUE_LATER,
	  .doc = "which comparisons to make" },
	{ .name = "derived", .kind = VALUE_LATER,
	  .doc = "responses computed from others" },
};

const struct key_table analysis_keys = KEY_TABLE("analysis", analysis_table);

static void read_language(struct reading *r, const struct yaml_node *node)
{
	const char *text = reading_text(r, node, "languages");
	char quoted[PROBLEM_QUOTE_SIZE];

	if (text && strcmp(text, "en"))
		problems_add(r->problems, node->mark,
			     "language \"%s\" is not supported yet; write en",
			     problem_quote(quoted, text));
}

void languages_read(struct reading *r, void *into,
		    const struct yaml_node *value)
{
	(void)into;
	if (!reading_items(value))
		problems_add(r->problems, value->mark,
			     "\"languages\" is empty; write [en] or leave it "
			     "out");
	for (size_t i = 0; i < reading_items(value); i++)
		read_language(r, reading_item(value, i));
	if (reading_items(value) > 1)
		problems_add(r->problems, value->items[1]->mark,
			     "a report in more than one language is not "
			     "supported yet");
}

static void read_template(struct reading *r, void *into,
			  const struct yaml_node *value)
{
	struct experiment *e = into;

	if (!value->text[strspn(value->text, " \t\n")]) {
		problems_add(r->problems, value->mark,
			     "\"template\" is empty");
		return;
	}
	e->report_template = mem_strdup(value->text);
	e->report_template_mark = value->mark;
}

static void read_format(struct reading *r, const struct yaml_node *node)
{
	static const char *const later[] = { "latex", "markdown" };
	const char *text = reading_text(r, node, "formats");
	struct strlist known = STRLIST_INIT;

	if (!text || !strcmp(text, "html"))
		return;
	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++)
		if (!strcmp(text, later[i])) {
			problems_add(r->problems, node->mark,
				     "format \"%s\" is not supported yet",
				     text);
			return;
		}
	strlist_push(&known, "html");
	problems_add_undefined(r->problems, node->mark, "format", text, NULL,
			       &known);
	strlist_release(&known);
}

void formats_read(struct reading *r, void *into, const struct yaml_node *value)
{
	(void)into;
	for (size_t i = 0; i < reading_items(value); i++)
		read_format(r, reading_item(value, i));
}

static const struct key report_table[] = {
	{ .name = "template", .kind = VALUE_CUSTOM, .read = read_template,
	  .shapes = SHAPE_TEXT,
	  .doc = "a template's name" },
	{ .name = "languages", .kind = VALUE_CUSTOM, .read = languages_read,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .doc = "en" },
	{ .name = "formats", .kind = VALUE_CUSTOM, .read = formats_read,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .doc = "html" },
};

const struct key_table report_keys = KEY_TABLE("report", report_table);
