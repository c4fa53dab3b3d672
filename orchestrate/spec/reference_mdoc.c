#include <string.h>

#include "base/buf.h"
#include "orchestrate/spec/grammar.h"
#include "orchestrate/spec/reference.h"

/* A line of text: one that starts with a dot or a quote would be a macro. */
static void add_line(struct buf *out, const char *s, size_t n)
{
	if (n && (*s == '.' || *s == '\''))
		buf_adds(out, "\\&");
	for (size_t i = 0; i < n; i++)
		if (s[i] == '\\')
			buf_adds(out, "\\e");
		else
			buf_addc(out, s[i]);
	buf_addc(out, '\n');
}

/* Markdown's marks are left out, and of a link its address. */
static void add_plain(struct buf *out, const char *s)
{
	struct buf plain = BUF_INIT;

	for (; *s; s++) {
		if (*s == ']' && s[1] == '(')
			s += strcspn(s, ")");
		else if (*s != '`' && *s != '[')
			buf_addc(&plain, *s);
	}
	add_line(out, plain.data, plain.n);
	buf_release(&plain);
}

static void add_about(struct buf *out, const struct key *key)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, "Takes ");
	reference_type(key, &text);
	if (key->required)
		buf_adds(&text, "; required");
	else if (key->fallback)
		buf_addf(&text, "; default: %s", key->fallback);
	buf_addc(&text, '.');
	add_plain(out, text.data);
	buf_release(&text);
	buf_addc(&text, *key->doc >= 'a' && *key->doc <= 'z'
				? (char)(*key->doc - 'a' + 'A') : *key->doc);
	buf_addf(&text, "%s.", key->doc + 1);
	add_line(out, text.data, text.n);
	buf_release(&text);
}

static void add_example(struct buf *out, const char *example)
{
	buf_adds(out, ".Bd -literal\n");
	for (const char *p = example; *p;) {
		size_t n = strcspn(p, "\n");

		add_line(out, p, n);
		p += n + (p[n] == '\n');
	}
	buf_adds(out, ".Ed\n");
}

static void add_table(struct buf *out, const struct key_table *t)
{
	buf_adds(out, ".Ss ");
	grammar_name(t, out);
	buf_adds(out, "\n.Bl -tag -width Ds\n");
	for (size_t i = 0; i < t->n; i++) {
		if (t->keys[i].kind == VALUE_LATER)
			continue;
		buf_addf(out, ".It Ic %s\n", t->keys[i].name);
		add_about(out, &t->keys[i]);
		if (t->keys[i].example)
			add_example(out, t->keys[i].example);
	}
	buf_adds(out, ".El\n");
}

void reference_mdoc(struct buf *out, const struct key_table *root)
{
	struct grammar g;

	grammar_collect(&g, root);
	for (size_t i = 0; i < g.n; i++)
		add_table(out, g.tables[i]);
	grammar_release(&g);
}
