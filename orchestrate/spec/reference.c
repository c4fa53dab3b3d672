#include "orchestrate/spec/reference.h"

#include <stdbool.h>

#include "base/buf.h"
#include "orchestrate/spec/grammar.h"

static void add_form(struct buf *out, const struct form *f);

static void add_link(struct buf *out, const struct key_table *t)
{
	buf_adds(out, "[");
	grammar_name(t, out);
	buf_adds(out, "](#");
	grammar_name(t, out);
	buf_adds(out, ")");
}

static void add_choice(struct buf *out, const struct choice *choices)
{
	bool first = true;

	buf_adds(out, "one of ");
	for (const struct choice *c = choices; c->name; c++) {
		if (c->value == CHOICE_LATER)
			continue;
		buf_addf(out, "%s`%s`", first ? "" : ", ", c->name);
		first = false;
	}
}

static void add_count(struct buf *out, uint32_t min, uint32_t max)
{
	if (!max || max == UINT32_MAX)
		buf_addf(out, "a whole number, %u or more", min);
	else
		buf_addf(out, "a whole number from %u to %u", min, max);
}

static void add_any(struct buf *out, const struct form *f)
{
	for (size_t i = 0; f->any[i]; i++) {
		buf_adds(out, !i ? "" : f->any[i + 1] ? ", " : " or ");
		add_form(out, f->any[i]);
	}
}

static void add_form(struct buf *out, const struct form *f)
{
	static const char *const words[] = {
		[FORM_TEXT] = "text",
		[FORM_SCRIPT] = "a shell script",
		[FORM_NUMBER] = "a number",
		[FORM_BOOL] = "`true` or `false`",
		[FORM_DURATION] = "a duration (`90s`, `5m`, `1.5h`)",
		[FORM_SHARE] = "a percentage",
		[FORM_LOCALIZED] = "text, or `{language: text}`",
	};

	switch (f->kind) {
	case FORM_COUNT:
		add_count(out, f->min, f->max);
		break;
	case FORM_CHOICE:
		add_choice(out, f->choices);
		break;
	case FORM_LIST:
		buf_adds(out, "a list (of ");
		add_form(out, f->item);
		buf_adds(out, ")");
		break;
	case FORM_MAP:
		buf_addf(out, "a mapping from %s to ",
			 f->what ? f->what : "names");
		add_form(out, f->item);
		break;
	case FORM_OBJECT:
		buf_adds(out, "a mapping: ");
		add_link(out, f->table);
		break;
	case FORM_ANY:
		add_any(out, f);
		break;
	default:
		buf_adds(out, f->what ? f->what : words[f->kind]);
		break;
	}
}

void reference_type(const struct key *key, struct buf *out)
{
	const struct form *f = key_form(key);

	if (key->kind == VALUE_OBJECT) {
		buf_adds(out, "a mapping: ");
		add_link(out, key->table);
	} else if (key->kind == VALUE_COUNT) {
		add_count(out, key->min, key->max);
	} else if (key->kind == VALUE_CHOICE) {
		add_choice(out, key->choices);
	} else if (f) {
		add_form(out, f);
	}
}

static void add_sentence(struct buf *out, const char *s)
{
	buf_addc(out, *s >= 'a' && *s <= 'z' ? (char)(*s - 'a' + 'A') : *s);
	buf_addf(out, "%s.", *s ? s + 1 : "");
}

static void add_key(struct buf *out, const struct key *key)
{
	buf_addf(out, "\n**`%s`** takes ", key->name);
	reference_type(key, out);
	if (key->required)
		buf_adds(out, "; required");
	else if (key->fallback)
		buf_addf(out, "; default: %s", key->fallback);
	buf_adds(out, ". ");
	add_sentence(out, key->doc);
	buf_addc(out, '\n');
	if (key->example)
		buf_addf(out, "\n```yaml\n%s\n```\n", key->example);
}

static void add_rules(struct buf *out, const struct key_table *t)
{
	if (t->exactly_one) {
		buf_adds(out, "\nExactly one of these must be there: ");
		for (size_t i = 0; t->exactly_one[i]; i++)
			buf_addf(out, "%s`%s`", i ? ", " : "",
				 t->exactly_one[i]);
		buf_adds(out, ".\n");
	}
	if (t->partial_of) {
		buf_adds(out, "\nIt may also hold parts of ");
		add_link(out, t->partial_of);
		buf_adds(out, ": a key with nothing behind it removes what "
			      "stands there.\n");
	}
	if (t->other_form) {
		buf_adds(out, "\nAny other key is a parameter of the "
			      "definition; it takes ");
		add_form(out, t->other_form);
		buf_adds(out, ".\n");
	}
}

void reference_markdown(struct buf *out, const struct key_table *root)
{
	struct grammar g;

	grammar_collect(&g, root);
	for (size_t t = 0; t < g.n; t++) {
		buf_adds(out, t ? "\n### " : "### ");
		grammar_name(g.tables[t], out);
		buf_addc(out, '\n');
		add_rules(out, g.tables[t]);
		for (size_t i = 0; i < g.tables[t]->n; i++)
			if (g.tables[t]->keys[i].kind != VALUE_LATER)
				add_key(out, &g.tables[t]->keys[i]);
	}
	grammar_release(&g);
}
