#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"

static void read_language(struct reading *r, const struct yaml_node *node)
{
	const char *text = reading_text(r, node, "languages");
	char quoted[PROBLEM_QUOTE_SIZE];

	if (text && strcmp(text, "en"))
		problems_add(r->problems, node->mark,
			     "language \"%s\" is not supported yet; write en",
			     problem_quote(quoted, text));
}

static void read_languages(struct reading *r, void *into,
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

static void read_formats(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	(void)into;
	for (size_t i = 0; i < reading_items(value); i++)
		read_format(r, reading_item(value, i));
}

static const struct choice languages[] = { { "en", 0 }, { NULL, 0 } };
static const struct choice formats[] = {
	{ "html", 0 },
	{ "latex", CHOICE_LATER },
	{ "markdown", CHOICE_LATER },
	{ NULL, 0 },
};
static const struct form template_form = { .kind = FORM_TEXT,
					   .what = "a template's name" };
static const struct form language_form = { .kind = FORM_CHOICE,
					   .choices = languages };
static const struct form language_list = { .kind = FORM_LIST,
					   .item = &language_form, .min = 1 };
static const struct form languages_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &language_form, &language_list,
					     NULL },
};
static const struct form format_form = { .kind = FORM_CHOICE,
					 .choices = formats };
static const struct form format_list = { .kind = FORM_LIST,
					 .item = &format_form };
static const struct form formats_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &format_form, &format_list,
					     NULL },
};

static const struct key report_table[] = {
	{ .name = "template", .kind = VALUE_CUSTOM, .read = read_template,
	  .shapes = SHAPE_TEXT, .form = &template_form,
	  .doc = "a template's name",
	  .fallback = "default", .example = "template: thesis" },
	{ .name = "languages", .kind = VALUE_CUSTOM, .read = read_languages,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .form = &languages_form,
	  .doc = "what the report is written in",
	  .fallback = "en", .example = "languages: [en]" },
	{ .name = "formats", .kind = VALUE_CUSTOM, .read = read_formats,
	  .shapes = SHAPE_TEXT | SHAPE_LIST, .form = &formats_form,
	  .doc = "the files that are made of it",
	  .fallback = "html", .example = "formats: [html]" },
};

const struct key_table report_keys = KEY_TABLE("report", report_table);
