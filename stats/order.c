#include "stats/order.h"

#include <assert.h>

/* A tail as large as asked for counts as such in spite of rounding. */
#define SLACK (1 + 1e-12)
/* Weights below these, relative to the largest and to the sum, are nothing. */
#define BOTTOM 1e-290
#define NOTHING 1e-20

/*
 * The binomial weights from k on, by w(k+1) / w(k) = (n-k)/(k+1) p/(1-p):
 * relative to their largest, so that nothing is lost for a large n, and
 * without a gamma function.
 */
struct weights {
	double n, odds;
	double k, w;
};

static void step_up(struct weights *b)
{
	b->w *= (b->n - b->k) / (b->k + 1) * b->odds;
	b->k++;
}

static void start_at_bottom(struct weights *b, double mode)
{
	b->k = mode;
	b->w = 1;
	while (b->k > 0 && b->w > BOTTOM) {
		b->k--;
		b->w /= (b->n - b->k) / (b->k + 1) * b->odds;
	}
}

static double total_of(struct weights b, double mode)
{
	double total = 0;

	for (; b.k <= b.n; step_up(&b)) {
		total += b.w;
		if (b.k > mode && b.w < NOTHING * total)
			break;
	}
	return total;
}

/* The largest rank r with P(Bin(n,p) <= r-1) <= tail; that probability. */
static double lower_rank(size_t n, double p, double tail, size_t *rank)
{
	struct weights b = { .n = (double)n, .odds = p / (1 - p) };
	double mode = (double)(size_t)((b.n + 1) * p);
	double below = 0, total;

	if (mode > b.n)
		mode = b.n;
	start_at_bottom(&b, mode);
	total = total_of(b, mode);
	while (b.k < b.n && below + b.w <= tail * total * SLACK) {
		below += b.w;
		step_up(&b);
	}
	*rank = (size_t)b.k;
	return below / total;
}

struct order_interval order_interval(size_t n, double p, double level)
{
	struct order_interval o = { .low = 0, .high = 0 };
	double tail = (1 - level) / 2;
	double below, above;
	size_t from_top;

	assert(p > 0 && p < 1 && level > 0 && level < 1);
	below = lower_rank(n, p, tail, &o.low);
	above = lower_rank(n, 1 - p, tail, &from_top);
	o.high = n + 1 - from_top;
	o.coverage = 1 - below - above;
	return o;
}
