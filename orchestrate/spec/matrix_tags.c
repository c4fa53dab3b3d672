#include "orchestrate/spec/matrix_tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/tags.h"

struct check {
	const struct strlist *known;
	char *unknown; /* the first one */
};

static bool holds(const struct strlist *tags, const char *tag, size_t n)
{
	for (size_t i = 0; i < tags->n; i++)
		if (strlen(tags->items[i]) == n &&
		    !strncmp(tags->items[i], tag, n))
			return true;
	return false;
}

static bool check_tag(void *ctx, const char *tag, size_t n)
{
	struct check *c = ctx;

	if (!c->unknown && !holds(c->known, tag, n))
		c->unknown = mem_strndup(tag, n);
	return true;
}

static void add_all(struct strlist *out, const struct strlist *tags)
{
	for (size_t i = 0; i < tags->n; i++)
		if (!strlist_has(out, tags->items[i]))
			strlist_push(out, tags->items[i]);
}

bool tags_known(struct reading *r, struct mark at, const char *what,
		const char *text)
{
	const struct experiment *e = r->e;
	struct strlist known = STRLIST_INIT;
	struct check c = { .known = &known };
	struct error err = ERROR_INIT;
	bool good = true;

	for (size_t i = 0; i < e->n_benchmarks; i++)
		add_all(&known, &e->benchmarks[i].tags);
	for (size_t i = 0; i < e->n_matrices; i++)
		add_all(&known, &e->matrices[i].tags);
	if (tags_match(text, check_tag, &c, &err) < 0) {
		problems_add(r->problems, at, "%s: %s", what, err.text);
		good = false;
	} else if (c.unknown) {
		problems_add_undefined(r->problems, at, "tag", c.unknown,
				       NULL, &known);
		good = false;
	}
	free(c.unknown);
	strlist_release(&known);
	return good;
}

struct pair {
	const struct matrix *m;
	const struct benchmark *b;
};

static bool has_tag(void *ctx, const char *tag, size_t n)
{
	const struct pair *p = ctx;

	return holds(&p->m->tags, tag, n) || holds(&p->b->tags, tag, n);
}

static bool is_chosen(const struct experiment *e, const struct matrix *m,
		      const struct benchmark *b)
{
	struct pair p = { .m = m, .b = b };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < e->tags.n; i++)
		if (tags_match(e->tags.items[i], has_tag, &p, &err) != 1)
			return false;
	return true;
}

static void narrow(const struct experiment *e, struct matrix *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_benchmarks; i++)
		if (is_chosen(e, m, &e->benchmarks[m->benchmarks[i]]))
			m->benchmarks[n++] = m->benchmarks[i];
	m->n_benchmarks = n;
}

void matrices_narrow(struct reading *r)
{
	const char *text = r->options ? r->options->tags : NULL;
	struct mark whole = { .file = r->e->files.items[0] };
	struct experiment *e = r->e;
	size_t n = 0;

	if (text && tags_known(r, whole, "tags", text))
		strlist_push(&e->tags, text);
	if (!e->tags.n)
		return;
	for (size_t i = 0; i < e->n_matrices; i++) {
		narrow(e, &e->matrices[i]);
		if (e->matrices[i].n_benchmarks)
			e->matrices[n++] = e->matrices[i];
		else
			matrix_release(&e->matrices[i]);
	}
	if (!n && e->n_matrices)
		problems_add(r->problems, whole,
			     "no benchmark is left: none has the tags \"%s\"",
			     e->tags.items[e->tags.n - 1]);
	e->n_matrices = n;
}
