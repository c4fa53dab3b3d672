#include "orchestrate/schedule/lint_private.h"

#include "base/buf.h"
#include "base/error.h"
#include "stats/fraction.h"

#define CHAINS_SHOWN 4

static void add_chains(struct buf *out, const struct fraction *f)
{
	struct alias_table t;
	size_t shown = 0, more = 0;

	alias_table_make(&t, f, 1, 2);
	for (size_t i = 0; i < t.n; i++) {
		if (t.chains[i].n < 2)
			continue;
		if (shown == CHAINS_SHOWN) {
			more++;
			continue;
		}
		buf_adds(out, shown++ ? ", " : "");
		alias_chain_add(f, &t.chains[i], out);
	}
	if (more)
		buf_addf(out, ", %zu more", more);
	alias_table_release(&t);
}

void lint_alias(struct lint *l)
{
	struct buf text = BUF_INIT;
	struct error err = ERROR_INIT;
	struct fraction f;

	if (l->m->kind != DESIGN_FRACTIONAL)
		return;
	if (!expansion_fraction(l->x, l->matrix, &f, &err) &&
	    f.resolution == 3) {
		add_chains(&text, &f);
		lint_warn_matrix(
			l, lint_mark(l, l->m->kind_mark, l->m->mark),
			"resolution III: the effect of a factor cannot be told "
			"from interactions of two others (%s); take fewer "
			"generators, or longer ones", text.data);
	}
	fraction_release(&f);
	buf_release(&text);
}
