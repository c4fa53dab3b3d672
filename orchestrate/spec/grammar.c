#include "orchestrate/spec/grammar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

static void collect(struct grammar *g, const struct key_table *t);

static void collect_form(struct grammar *g, const struct form *f)
{
	if (!f)
		return;
	if (f->table)
		collect(g, f->table);
	collect_form(g, f->item);
	for (size_t i = 0; f->any && f->any[i]; i++)
		collect_form(g, f->any[i]);
}

static void collect(struct grammar *g, const struct key_table *t)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->tables[i] == t)
			return;
	MEM_GROW(g->tables, g->n, g->cap);
	g->tables[g->n++] = t;
	for (size_t i = 0; i < t->n; i++) {
		const struct key *key = &t->keys[i];

		if (key->kind == VALUE_OBJECT)
			collect(g, key->table);
		else if (key->kind != VALUE_LATER)
			collect_form(g, key->form);
	}
	collect_form(g, t->other_form);
}

void grammar_collect(struct grammar *g, const struct key_table *root)
{
	*g = (struct grammar){ .tables = NULL };
	collect(g, root);
}

void grammar_release(struct grammar *g)
{
	free(g->tables);
	*g = (struct grammar){ .tables = NULL };
}

void grammar_name(const struct key_table *t, struct buf *out)
{
	const char *s = t->what;

	if (!strncmp(s, "a ", 2))
		s += 2;
	else if (!strncmp(s, "an ", 3))
		s += 3;
	for (; *s; s++)
		if (*s == ' ')
			buf_addc(out, '-');
		else if (*s != '"')
			buf_addc(out, (char)tolower((unsigned char)*s));
}

static const struct form text = { .kind = FORM_TEXT, .min = 1 };
static const struct form texts = { .kind = FORM_LIST, .item = &text };
static const struct form *const text_or_texts[] = { &text, &texts, NULL };

static const struct form by_kind[] = {
	[VALUE_TEXT] = { .kind = FORM_TEXT, .min = 1 },
	[VALUE_SCRIPT] = { .kind = FORM_SCRIPT },
	[VALUE_LOCALIZED] = { .kind = FORM_LOCALIZED },
	[VALUE_PARAGRAPH] = { .kind = FORM_LOCALIZED },
	[VALUE_BOOL] = { .kind = FORM_BOOL },
	[VALUE_SEED] = { .kind = FORM_COUNT, .max = UINT32_MAX },
	[VALUE_DURATION] = { .kind = FORM_DURATION },
	[VALUE_SHARE] = { .kind = FORM_SHARE },
	[VALUE_TEXTS] = { .kind = FORM_ANY, .any = text_or_texts },
};

const struct form *key_form(const struct key *key)
{
	switch (key->kind) {
	case VALUE_CUSTOM:
		return key->form;
	case VALUE_COUNT:
	case VALUE_CHOICE:
	case VALUE_OBJECT:
	case VALUE_LATER:
		return NULL;
	default:
		return &by_kind[key->kind];
	}
}
