#include "orchestrate/spec/formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

/* Text, and then the value of an expression. */
struct piece {
	char *text;
	struct expr *value;    /* NULL: nothing behind the text */
};

struct formula {
	struct piece *pieces;
	size_t n, cap;
	uint32_t *variables;
	size_t n_variables, cap_variables;
};

bool formula_is_plain(const char *text)
{
	return *text != '=' && !strstr(text, "${");
}

void formula_free(struct formula *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++) {
		free(f->pieces[i].text);
		expr_free(f->pieces[i].value);
	}
	free(f->pieces);
	free(f->variables);
	free(f);
}

static void add(struct formula *f, struct buf *text, struct expr *value)
{
	const uint32_t *ids;
	size_t n = 0;

	MEM_GROW(f->pieces, f->n, f->cap);
	f->pieces[f->n++] = (struct piece){ buf_detach(text), value };
	ids = value ? expr_variables(value, &n) : NULL;
	for (size_t i = 0; ids && i < n; i++) {
		MEM_GROW(f->variables, f->n_variables, f->cap_variables);
		f->variables[f->n_variables++] = ids[i];
	}
}

/* The source from a byte of its text on; `n` bytes, copied to *room. */
static struct expr_source part(const struct expr_source *all, size_t from,
			       size_t n, char **room)
{
	struct expr_source s = *all;

	s.text = *room = mem_strndup(all->text + from, n);
	for (size_t i = 0; i < from && s.offset >= 0; i++)
		s.offset += ((unsigned char)all->text[i] & 0xc0) != 0x80;
	return s;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static int not_closed(const struct expr_source *all, size_t from,
		      struct problems *p)
{
	struct mark at = all->mark;
	char *room;
	struct expr_source s = part(all, from, 0, &room);

	free(room);
	if (s.offset > 0)
		at.column += (unsigned)s.offset;
	return problems_add(p, at, "expected a variable's name and \"}\" "
			    "behind \"${\"; \"$${\" is the text \"${\"");
}

/* At "${": a name, or a host or role with a fact. */
static int add_reference(struct formula *f, const struct expr_source *all,
			 size_t from, struct buf *text,
			 const struct expr_symbols *symbols,
			 struct problems *p, size_t *next)
{
	const char *name = all->text + from + 2;
	struct expr_source s;
	struct expr *value;
	bool dot = false;
	size_t n = 0;
	char *room;

	for (; is_word(name[n]) || (n && name[n] == '.' && !dot); n++)
		dot |= name[n] == '.';
	if (!n || name[n] != '}' || name[n - 1] == '.' ||
	    (*name >= '0' && *name <= '9'))
		return not_closed(all, from, p);
	s = dot ? part(all, from + 2, n, &room) :
		  part(all, from, n + 3, &room);
	value = expr_compile(&s, symbols, p);
	free(room);
	if (!value)
		return -1;
	add(f, text, value);
	*next = from + n + 3;
	return 0;
}

static int compile_text(struct formula *f, const struct expr_source *all,
			const struct expr_symbols *symbols,
			struct problems *p)
{
	struct buf text = BUF_INIT;
	int rc = 0;
	size_t i = 0;

	while (!rc && all->text[i]) {
		if (!strncmp(all->text + i, "$${", 3)) {
			buf_adds(&text, "${");
			i += 3;
		} else if (!strncmp(all->text + i, "${", 2)) {
			rc = add_reference(f, all, i, &text, symbols, p, &i);
		} else {
			buf_addc(&text, all->text[i++]);
		}
	}
	if (!rc)
		add(f, &text, NULL);
	buf_release(&text);
	return rc;
}

static int compile_expr(struct formula *f, const struct expr_source *all,
			const struct expr_symbols *symbols,
			struct problems *p)
{
	struct buf nothing = BUF_INIT;
	char *room;
	struct expr_source s =
		part(all, 1, strlen(all->text) - 1, &room);
	struct expr *value = expr_compile(&s, symbols, p);

	free(room);
	if (!value)
		return -1;
	add(f, &nothing, value);
	return 0;
}

struct formula *formula_compile(const struct expr_source *source,
				const struct expr_symbols *symbols,
				struct problems *p)
{
	struct formula *f = mem_zalloc(1, sizeof(*f));
	int rc = *source->text == '=' ?
		 compile_expr(f, source, symbols, p) :
		 compile_text(f, source, symbols, p);

	if (!rc)
		return f;
	formula_free(f);
	return NULL;
}

const uint32_t *formula_variables(const struct formula *f, size_t *n)
{
	*n = f->n_variables;
	return f->variables;
}

int formula_value(const struct formula *f, expr_get *get, void *ctx,
		  struct buf *out, bool *absent, struct error *err)
{
	char room[NUMBER_SIZE];
	struct expr_value v;

	*absent = false;
	for (size_t i = 0; i < f->n; i++) {
		buf_adds(out, f->pieces[i].text);
		if (!f->pieces[i].value)
			continue;
		if (expr_eval(f->pieces[i].value, get, ctx, &v, err) < 0)
			return -1;
		if (v.kind == EXPR_ABSENT)
			*absent = true;
		else
			buf_adds(out, expr_value_text(&v, room));
	}
	return 0;
}

int formula_report(struct problems *p, struct mark at,
		   const struct error *err)
{
	const char *what = problem_place(err->text, &at);

	return problems_add(p, at, "%s", what);
}
