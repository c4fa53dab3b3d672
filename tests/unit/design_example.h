#ifndef TESTS_DESIGN_EXAMPLE_H
#define TESTS_DESIGN_EXAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "stats/design_make.h"
#include "stats/factor.h"

__attribute__((unused)) static struct level digits[] = {
	{ .name = (char[]){ "0" } }, { .name = (char[]){ "1" } },
	{ .name = (char[]){ "2" } }, { .name = (char[]){ "3" } },
	{ .name = (char[]){ "4" } }, { .name = (char[]){ "5" } },
	{ .name = (char[]){ "6" } }, { .name = (char[]){ "7" } },
	{ .name = (char[]){ "8" } }, { .name = (char[]){ "9" } },
};
/* Factor "a" (or another letter) with levels 0, 1, ... up to 10 of them. */
#define FACTOR(letter, n)                                                   \
	{ .name = (char[]){ letter }, .levels = digits, .n_levels = (n) }

/* Rows as digits, "-" where a factor is absent: "00 01 1- ". */
static inline void rows_text(const struct design *d, struct buf *out)
{
	for (size_t t = 0; t < d->n_treatments; t++) {
		buf_adds(out, t ? " " : "");
		for (size_t f = 0; f < d->n_factors; f++) {
			size_t level = design_level(d, t, f);

			buf_addc(out, level == DESIGN_ABSENT
					      ? '-'
					      : (char)('0' + level));
		}
	}
}

static inline struct design made(const struct design_options *o)
{
	struct error err = ERROR_INIT;
	struct design d;

	if (design_make(&d, o, &err))
		fail_msg("%s", err.text);
	return d;
}

static inline void assert_rows(const struct design_options *o,
			       const char *want)
{
	struct buf text = BUF_INIT;
	struct design d = made(o);

	rows_text(&d, &text);
	assert_string_equal(text.data, want);
	buf_release(&text);
	design_release(&d);
}

static inline void assert_not_made(struct design_options o, const char *want,
				   enum design_part part, size_t index)
{
	struct design_fault fault = { DESIGN_PART_WHOLE, 77 };
	struct error err = ERROR_INIT;
	struct design d;

	o.fault = &fault;
	assert_int_equal(design_make(&d, &o, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	assert_int_equal(fault.part, part);
	assert_int_equal(fault.index, index);
	design_release(&d);
}

/* "Factor `factor` is at `level`" as a rule, or that it is not. */
struct at {
	size_t factor;
	uint16_t level;
	bool not;
	size_t asked;
};
#define IS(f, l) { .factor = (f), .level = (l) }
#define IS_NOT(f, l) { .factor = (f), .level = (l), .not = true }

static inline int at_holds(void *ctx, const uint16_t *levels,
			   struct error *err)
{
	struct at *a = ctx;

	a->asked++;
	if (a->level == 99)
		return error_set(err, ERROR_USAGE, "no value");
	return (levels[a->factor] == a->level) != a->not;
}

static inline bool at_uses(void *ctx, size_t factor)
{
	return factor == ((struct at *)ctx)->factor;
}

#define AT(x) { .holds = at_holds, .uses = at_uses, .ctx = (x) }

#endif
