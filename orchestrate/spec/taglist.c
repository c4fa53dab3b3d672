#include "orchestrate/spec/taglist.h"

#include <string.h>

#define LONGEST 64
#define FIRST "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* The end of a sentence that begins with the tag; NULL: it is one. */
static const char *fault_of(const char *tag)
{
	static const char *const words[] = { "and", "or", "not" };

	if (strlen(tag) > LONGEST)
		return "is longer than 64 characters";
	if (!*tag || !strchr(FIRST, tag[0]) || tag[strspn(tag, FIRST ".-")])
		return "is no tag: use letters (a-z), digits, \"_\" and, but "
		       "not first, \".\" and \"-\"";
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], tag))
			return "is no tag: expressions over tags use the word";
	return NULL;
}

void tags_read(struct reading *r, const struct yaml_node *node,
	       struct strlist *out)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	for (size_t i = 0; i < reading_items(node); i++) {
		const struct yaml_node *item = reading_item(node, i);
		const char *text = reading_text(r, item, "tags");
		const char *fault = text ? fault_of(text) : NULL;

		if (fault)
			problems_add(r->problems, item->mark, "tag \"%s\" %s",
				     problem_quote(quoted, text), fault);
		else if (text && !strlist_has(out, text))
			strlist_push(out, text);
	}
}

static const struct form tag_form = {
	.kind = FORM_TEXT, .what = "a word",
	.pattern = "[A-Za-z0-9_][A-Za-z0-9._-]*",
};
static const struct form list_form = { .kind = FORM_LIST, .item = &tag_form };
static const struct form *const forms[] = { &tag_form, &list_form, NULL };
const struct form tags_form = { .kind = FORM_ANY, .any = forms };
