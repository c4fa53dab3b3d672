#include "orchestrate/spec/range.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/facts.h"
#include "orchestrate/spec/range_amount.h"
#include "orchestrate/spec/value.h"

/* The greatest factor between two levels. */
#define FACTOR_LIMIT 1000000

struct number {
	const struct yaml_node *node;
	char *text;       /* computed */
	__int128 value;
	struct unit unit;
};

struct progress {
	struct reading *r;
	const struct range *range;
	struct number first, last;
	struct units units;
	struct strlist *out;
};

static int fault(struct progress *g, const struct yaml_node *at,
		 const char *text)
{
	return problems_add(g->r->problems, at->mark, "%s", text);
}

static int not_a_number(struct progress *g, const struct yaml_node *node,
			const char *text)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	return problems_add(g->r->problems, node->mark, "\"%s\" is no number "
			    "that a range can count with: write one such as 8, "
			    "0.5 or 64K (at most %d digits, %d decimals)",
			    problem_quote(quoted, text), AMOUNT_DIGITS,
			    AMOUNT_DECIMALS);
}

static int read_end(struct progress *g, const struct yaml_node *node,
		    struct number *end, bool *known)
{
	end->node = node;
	if (facts_text(g->r, node, &end->text, known) < 0)
		return -1;
	if (!amount_read(end->text, &end->value, &end->unit))
		return not_a_number(g, node, end->text);
	return 0;
}

static int too_fine(struct progress *g)
{
	const struct yaml_node *at = g->range->step;

	return fault(g, at ? at : g->range->ends, "a level of this range has "
		     "more than 9 decimals; list the levels, or say how many "
		     "there are with \"points\"");
}

static int add_level(struct progress *g, __int128 v)
{
	struct buf text = BUF_INIT;

	if (!amount_print(&g->units, v, &text))
		return too_fine(g);
	strlist_push_nodup(g->out, buf_detach(&text));
	return 0;
}

static int too_many(struct progress *g)
{
	return problems_add(g->r->problems, g->range->ends->mark,
			    "a range of more than %d levels; take a greater "
			    "step", RANGE_MAX_LEVELS);
}

/* As in the message "a range from 1 to 16". */
static int wrong_way(struct progress *g, const char *wanted)
{
	char from[PROBLEM_QUOTE_SIZE], to[PROBLEM_QUOTE_SIZE];

	return problems_add(g->r->problems, g->range->step->mark,
			    "a range from %s to %s needs %s",
			    problem_quote(from, g->first.text),
			    problem_quote(to, g->last.text), wanted);
}

static int add_steps(struct progress *g)
{
	const char *text = g->range->step->text;
	__int128 step, v = g->first.value;
	struct unit unit;
	bool up = g->last.value >= v;

	if (!amount_read(text, &step, &unit))
		return not_a_number(g, g->range->step, text);
	if (!step)
		return fault(g, g->range->step,
			     "a step of 0 leads nowhere");
	if (!unit.name[0] && g->units.items[g->units.n - 1].name[0])
		return problems_add(g->r->problems, g->range->step->mark,
				    "step %s is without a unit, but both ends "
				    "have one: write %s%s", text, text,
				    g->units.items[g->units.n - 1].name);
	if (v != g->last.value && up != (step > 0))
		return wrong_way(g, up ? "a step above 0" :
					 "a step below 0");
	if ((g->last.value - v) / step >= RANGE_MAX_LEVELS)
		return too_many(g);
	for (; up ? v <= g->last.value : v >= g->last.value; v += step) {
		if (add_level(g, v) < 0)
			return -1;
		if (v == g->last.value)
			break;
	}
	return 0;
}

static int not_above_zero(struct progress *g)
{
	const struct number *bad =
		g->first.value <= 0 ? &g->first : &g->last;

	return problems_add(g->r->problems, bad->node->mark,
			    "levels that are a factor apart must be above 0, "
			    "unlike %s; use a \"step\" that is added",
			    bad->text);
}

/* v = v * by / over, when that is exact. */
static bool scale(__int128 *v, __int128 by, __int128 over)
{
	__int128 product;

	if (__builtin_mul_overflow(*v, by, &product) || product % over)
		return false;
	*v = product / over;
	return true;
}

/* "*2" or "/2": v becomes v * by / over. */
struct ratio {
	__int128 by, over;
};

static int read_ratio(struct progress *g, struct ratio *out)
{
	const char *text = g->range->step->text;
	char quoted[PROBLEM_QUOTE_SIZE];
	__int128 factor;
	struct unit unit;

	if (!amount_read(text + 1, &factor, &unit) || unit.name[0] ||
	    factor <= 0 || factor > (__int128)FACTOR_LIMIT * AMOUNT_ONE)
		return problems_add(g->r->problems, g->range->step->mark,
				    "\"%s\": expected a number above 0 behind "
				    "\"%c\", such as \"%c2\"",
				    problem_quote(quoted, text), *text, *text);
	out->by = *text == '*' ? factor : AMOUNT_ONE;
	out->over = *text == '*' ? AMOUNT_ONE : factor;
	return 0;
}

static int check_ratio(struct progress *g, const struct ratio *x)
{
	bool up = g->last.value > g->first.value;

	if (g->first.value <= 0 || g->last.value <= 0)
		return not_above_zero(g);
	if (x->by == x->over)
		return fault(g, g->range->step,
			     "a factor of 1 leads nowhere");
	if (g->first.value != g->last.value && up != (x->by > x->over))
		return wrong_way(g, up ? "a step such as \"*2\"" :
					 "a step such as \"/2\"");
	return 0;
}

static int add_factors(struct progress *g)
{
	__int128 v = g->first.value, last = g->last.value;
	bool up = last >= v;
	struct ratio x = { AMOUNT_ONE, AMOUNT_ONE };

	if (read_ratio(g, &x) < 0 || check_ratio(g, &x) < 0)
		return -1;
	while (up ? v <= last : v >= last) {
		if (g->out->n >= RANGE_MAX_LEVELS)
			return too_many(g);
		if (add_level(g, v) < 0)
			return -1;
		if (v == last)
			break;
		if (!scale(&v, x.by, x.over))
			return too_fine(g);
	}
	return 0;
}

/* The power of ten that rounds to six significant digits; at least 1. */
static __int128 precision_of(__int128 v)
{
	__int128 p = 1;

	while (v / p >= 1000000)
		p *= 10;
	return p;
}

static int add_points_between(struct progress *g, uint64_t n)
{
	const struct unit *least = &g->units.items[g->units.n - 1];
	__int128 whole = least->size * AMOUNT_ONE, before = 0;
	bool rounded = g->first.value % whole == 0 &&
		       g->last.value % whole == 0;
	double first = (double)g->first.value,
	       ratio = (double)g->last.value / first;

	for (uint64_t i = 0; i < n; i++) {
		__int128 v = (__int128)(first * pow(ratio, (double)i /
						(double)(n - 1)));
		__int128 grain = rounded ? whole :
			       least->size * precision_of(v / least->size);

		v = (v + grain / 2) / grain * grain;
		if (i == 0)
			v = g->first.value;
		else if (i == n - 1)
			v = g->last.value;
		if (v != before && v && add_level(g, v) < 0)
			return -1;
		before = v;
	}
	return 0;
}

static int add_points(struct progress *g)
{
	const struct yaml_node *node = g->range->points;
	char quoted[PROBLEM_QUOTE_SIZE];
	uint64_t n;

	if (!value_count(node->text, &n) || n < 2 || n > RANGE_MAX_LEVELS)
		return problems_add(g->r->problems, node->mark,
				    "\"points\": expected a whole number from "
				    "2 to %d, got \"%s\"", RANGE_MAX_LEVELS,
				    problem_quote(quoted, node->text));
	if (g->first.value <= 0 || g->last.value <= 0)
		return not_above_zero(g);
	return add_points_between(g, n);
}

static int check_form(struct progress *g)
{
	const struct range *x = g->range;

	if (x->ends->kind != YAML_SEQUENCE || x->ends->n_items != 2)
		return fault(g, x->ends, "\"range\": expected the first and "
			     "the last level, such as [1, 16]");
	if (x->step && x->points)
		return fault(g, x->points,
			     "a range has either \"step\" or \"points\"; "
			     "remove one of them");
	if (!x->step && !x->points)
		return fault(g, x->ends,
			     "a range needs \"step\" (2 is added, \"*2\" is "
			     "a factor) or \"points\" (how many levels)");
	if (x->step && !reading_text(g->r, x->step, "step"))
		return -1;
	if (x->points && !reading_text(g->r, x->points, "points"))
		return -1;
	return 0;
}

static int add_levels(struct progress *g)
{
	const struct yaml_node *const *ends = g->range->ends->items;
	bool known_first = true, known_last = true;
	const char *step = g->range->step ? g->range->step->text : "";

	if (read_end(g, ends[0], &g->first, &known_first) < 0 ||
	    read_end(g, ends[1], &g->last, &known_last) < 0)
		return -1;
	units_add(&g->units, &g->first.unit);
	units_add(&g->units, &g->last.unit);
	if (!known_first || !known_last)
		return add_level(g, known_first ? g->first.value :
						  g->last.value);
	if (g->range->points)
		return add_points(g);
	return *step == '*' || *step == '/' ? add_factors(g) : add_steps(g);
}

int range_levels(struct reading *r, const struct range *range,
		 struct strlist *out)
{
	struct strlist levels = STRLIST_INIT;
	struct progress g = { .r = r, .range = range, .out = &levels };
	int rc = check_form(&g);

	if (!rc)
		rc = add_levels(&g);
	for (size_t i = 0; !rc && i < levels.n; i++)
		strlist_push(out, levels.items[i]);
	strlist_release(&levels);
	free(g.first.text);
	free(g.last.text);
	return rc;
}
