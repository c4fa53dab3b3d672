#include "orchestrate/schedule/lint_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/schedule/groups.h"

/* More of one kind are counted only. */
#define PAIRS_SHOWN 3

/*
 * The combinations of two factors' levels as a graph: levels are nodes, a
 * combination that occurs joins two. There is something to learn about the
 * interaction exactly if it has a cycle (the combinations are more than
 * levels less components); without one, a factor of which each level has one
 * neighbour only follows from that.
 */
struct pair {
	size_t a, b;         /* factors */
	size_t n_a, n_b;     /* levels of each that occur together */
	size_t n_cells;      /* combinations */
	bool cycle;
	size_t first[2];     /* levels of one combination */
};

struct graph {
	size_t *parent;      /* union-find over levels of a, then of b */
	bool *seen;
	struct groups cells;
	size_t n_a;
};

static size_t root(struct graph *g, size_t node)
{
	while (g->parent[node] != node) {
		g->parent[node] = g->parent[g->parent[node]];
		node = g->parent[node];
	}
	return node;
}

static void graph_init(struct graph *g, size_t n_a, size_t n_b)
{
	*g = (struct graph){ .cells = GROUPS_INIT, .n_a = n_a };
	g->parent = mem_realloc(NULL, n_a + n_b, sizeof(*g->parent));
	g->seen = mem_zalloc(n_a + n_b, sizeof(*g->seen));
	for (size_t i = 0; i < n_a + n_b; i++)
		g->parent[i] = i;
}

static void graph_release(struct graph *g)
{
	free(g->parent);
	free(g->seen);
	groups_release(&g->cells);
}

/* Counts a combination when it is new. */
static void meet(struct pair *p, struct graph *g, size_t a, size_t b)
{
	size_t node = g->n_a + b, from, to;

	if (groups_id(&g->cells, (uint64_t)a << 32 | b) != p->n_cells)
		return;
	if (!p->n_cells++) {
		p->first[0] = a;
		p->first[1] = b;
	}
	p->n_a += !g->seen[a];
	p->n_b += !g->seen[node];
	g->seen[a] = g->seen[node] = true;
	from = root(g, a);
	to = root(g, node);
	if (from == to)
		p->cycle = true;
	g->parent[from] = to;
}

/* Ends at the first cycle, which a crossed pair soon has. */
static void pair_find(struct pair *p, const struct lint *l, size_t a, size_t b)
{
	struct graph g;

	*p = (struct pair){ .a = a, .b = b };
	graph_init(&g, l->e->factors[a].n_levels, l->e->factors[b].n_levels);
	for (size_t i = 0; i < l->n && !p->cycle; i++) {
		size_t level_a = lint_level(l, i, a);
		size_t level_b = lint_level(l, i, b);

		if (level_a != DESIGN_ABSENT && level_b != DESIGN_ABSENT)
			meet(p, &g, level_a, level_b);
	}
	graph_release(&g);
}

static bool is_zipped(const struct lint *l, size_t a, size_t b)
{
	for (size_t i = 0; i < l->m->n_zips; i++) {
		const struct zip *z = &l->m->zips[i];
		unsigned found = 0;

		for (size_t k = 0; k < z->n; k++)
			found += z->factors[k] == a || z->factors[k] == b;
		if (found == 2)
			return true;
	}
	return false;
}

static void warn_together(struct lint *l, const struct pair *p)
{
	const struct factor *a = &l->e->factors[p->a];
	const struct factor *b = &l->e->factors[p->b];

	lint_warn_matrix(l, l->e->uses[p->b].mark,
			 "factors \"%s\" and \"%s\" change together (%s always "
			 "with %s): an effect of one cannot be told from one of "
			 "the other; cross them, or write a zip if they are one "
			 "thing", a->name, b->name,
			 a->levels[p->first[0]].name,
			 b->levels[p->first[1]].name);
}

static void warn_follows(struct lint *l, const struct pair *p)
{
	bool b_follows = p->n_cells == p->n_a;
	size_t from = b_follows ? p->a : p->b, to = b_follows ? p->b : p->a;

	lint_warn_matrix(l, l->e->uses[to].mark,
			 "each level of \"%s\" has one level of \"%s\": an "
			 "effect of \"%s\" cannot be told from those of \"%s\"; "
			 "cross them, or leave out \"%s\"",
			 l->e->factors[from].name, l->e->factors[to].name,
			 l->e->factors[to].name, l->e->factors[from].name,
			 l->e->factors[to].name);
}

static void warn_apart(struct lint *l, const struct pair *p)
{
	const char *a = l->e->factors[p->a].name;
	const char *b = l->e->factors[p->b].name;

	lint_warn_matrix(l, l->e->uses[p->b].mark,
			 "no two levels of \"%s\" occur with the same two "
			 "levels of \"%s\": whether the effect of one depends "
			 "on the other cannot be seen; add the combinations "
			 "that are missing", a, b);
}

enum verdict {
	CROSSED,
	CONFOUNDED,
	APART,
};

static enum verdict judge(const struct lint *l, const struct pair *p)
{
	if (p->cycle || p->n_a < 2 || p->n_b < 2)
		return CROSSED;
	if (p->n_cells == p->n_a && p->n_cells == p->n_b)
		return is_zipped(l, p->a, p->b) ? CROSSED : CONFOUNDED;
	if (p->n_cells == p->n_a || p->n_cells == p->n_b)
		return CONFOUNDED;
	/* one at a time is what was asked for */
	return l->m->kind == DESIGN_ONE_AT_A_TIME ? CROSSED : APART;
}

static void warn(struct lint *l, const struct pair *p, enum verdict verdict)
{
	if (verdict == APART)
		warn_apart(l, p);
	else if (p->n_a == p->n_b)
		warn_together(l, p);
	else
		warn_follows(l, p);
}

size_t lint_pairs(struct lint *l)
{
	size_t n = 0, confounded = 0;

	for (size_t a = 0; a < l->e->n_factors; a++)
		for (size_t b = a + 1; b < l->e->n_factors; b++) {
			enum verdict verdict;
			struct pair p;

			pair_find(&p, l, a, b);
			verdict = judge(l, &p);
			confounded += verdict == CONFOUNDED;
			if (verdict != CROSSED && n++ < PAIRS_SHOWN)
				warn(l, &p, verdict);
		}
	if (n > PAIRS_SHOWN)
		lint_warn_matrix(l, lint_mark(l, l->m->kind_mark, l->m->mark),
				 "%zu more pairs of factors cannot be told "
				 "apart, or do not vary together",
				 n - PAIRS_SHOWN);
	return confounded;
}
