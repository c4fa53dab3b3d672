#include "stats/design.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stats/factor.h"
#include "stats/row_index.h"

void design_init(struct design *d, const struct factor *factors,
		 size_t n_factors)
{
	*d = (struct design){
		.kind = DESIGN_LIST,
		.factors = factors,
		.n_factors = n_factors,
		.index = mem_zalloc(1, sizeof(*d->index)),
	};
}

void design_release(struct design *d)
{
	free(d->cells);
	free(d->conditional);
	free(d->origins);
	if (d->index)
		row_index_release(d->index);
	free(d->index);
	memset(d, 0, sizeof(*d));
}

size_t design_level(const struct design *d, size_t treatment, size_t factor)
{
	assert(treatment < d->n_treatments && factor < d->n_factors);
	return d->cells[treatment * d->n_factors + factor];
}

bool design_has(const struct design *d, size_t treatment,
		const struct setting *settings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (design_level(d, treatment, settings[i].factor) !=
		    settings[i].level)
			return false;
	return true;
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c <= 0x7e && c != '%' && c != ',' && c != '=' &&
	       c != '#' && c != '/';
}

void treatment_key_escape(const char *text, struct buf *out)
{
	static const char digits[] = "0123456789ABCDEF";

	for (const char *s = text; *s; s++) {
		const char *from = s;
		unsigned char c;

		while (is_plain((unsigned char)*s))
			s++;
		buf_add(out, from, (size_t)(s - from));
		c = (unsigned char)*s;
		if (!c)
			return;
		buf_add(out, (char[3]){ '%', digits[c >> 4], digits[c & 15] },
			3);
	}
}

/* The factor that follows `last` in order of name; -1 starts, -1 ends. */
static int next_by_name(const struct design *d, int last)
{
	const struct factor *f = d->factors;
	int next = -1;

	for (int i = 0; i < (int)d->n_factors; i++) {
		if (last >= 0 && strcmp(f[i].name, f[last].name) <= 0)
			continue;
		if (next < 0 || strcmp(f[i].name, f[next].name) < 0)
			next = i;
	}
	return next;
}

void treatment_key(const struct design *d, size_t treatment, struct buf *out)
{
	const char *separator = "";

	for (int i = next_by_name(d, -1); i >= 0; i = next_by_name(d, i)) {
		const struct factor *f = &d->factors[i];
		size_t level = design_level(d, treatment, (size_t)i);

		if (level == DESIGN_ABSENT)
			continue;
		buf_adds(out, separator);
		separator = ",";
		treatment_key_escape(f->name, out);
		buf_addc(out, '=');
		treatment_key_escape(f->levels[level].name, out);
	}
	if (!*separator)
		buf_addc(out, '-');
}
