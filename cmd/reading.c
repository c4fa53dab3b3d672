#include "cmd/reading.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/compare.h"
#include "cmd/sides.h"
#include "cmd/subject.h"
#include "plot/table/number.h"

/* What a unit of measure counts, as far as words go. */
enum quantity {
	QUANTITY_OTHER,
	QUANTITY_RATE, /* more is faster */
	QUANTITY_TIME, /* less is faster */
};

static enum quantity uom_quantity(const char *uom)
{
	static const char *const times[] = { "ns", "us", "µs", "μs", "ms",
					     "s", "sec", "min", "h" };
	static const char *const rates[] = { "Hz", "kHz", "MHz", "GHz", "bps",
					     "kbps", "Mbps", "Gbps", "iops",
					     "IOPS", "tps", "qps", "rps",
					     "fps", "pps", "FLOPS" };

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (!strcmp(uom, times[i]))
			return QUANTITY_TIME;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		if (!strcmp(uom, rates[i]))
			return QUANTITY_RATE;
	if (strstr(uom, "/s") || strstr(uom, "/min") || strstr(uom, "/h"))
		return QUANTITY_RATE;
	return QUANTITY_OTHER;
}

/* Whether "faster" fits, and which direction of the ratio is faster. */
static bool speaks_of_speed(const struct response *r, bool *more_is_faster)
{
	enum quantity q = uom_quantity(r->uom);

	*more_is_faster = q == QUANTITY_RATE;
	return (q == QUANTITY_RATE && r->better == BETTER_HIGHER) ||
	       (q == QUANTITY_TIME && r->better == BETTER_LOWER);
}

static const struct response *response_of(const struct subject *s,
					  const struct comparison *c)
{
	return &s->experiment.benchmarks[c->benchmark].responses[c->response];
}

const char *reading_response_name(const struct subject *s, size_t benchmark,
				  size_t response)
{
	const struct response *r =
		&s->experiment.benchmarks[benchmark].responses[response];
	const char *label = localized_get(&r->label,
					  s->experiment.report_language);

	return label ? label : r->name;
}

void reading_response(struct buf *out, const struct subject *s,
		      size_t benchmark, size_t response)
{
	const struct benchmark *b = &s->experiment.benchmarks[benchmark];
	const char *label = localized_get(&b->label,
					  s->experiment.report_language);

	buf_addf(out, "%s%s %s", label ? label : b->name, label ? ":" : "",
		 reading_response_name(s, benchmark, response));
}

/* More digits of a ratio are told only where fewer would make it 1. */
#define DIGITS 4

/*
 * The uncertainty that gives a ratio its digits: half the interval's width
 * shows no more than is known, but must not round away on which side of 1 (and of
 * 0) the end of a wide interval lies.
 */
static double uncertainty(double x, double half, bool is_end)
{
	double from_1 = fabs(x - 1) / 2;
	double fine = fmin(fmin(half, fabs(x) / 2), is_end ? from_1 : half);
	double most = x ? pow(10, floor(log10(fabs(x))) - (DIGITS - 2)) : 0;

	return fmax(fmax(fine, half / 100), fmin(most, from_1));
}

static void add_value(struct buf *out, const struct estimate *r)
{
	number_add(out, r->value,
		   uncertainty(r->value, (r->high - r->low) / 2, false));
}

static void add_end(struct buf *out, const struct estimate *r, double end)
{
	number_add(out, end, uncertainty(end, (r->high - r->low) / 2, true));
}

static void add_counts(struct buf *out, const struct estimate *r)
{
	if (r->n == r->n_base)
		buf_addf(out, "n = %zu each", r->n);
	else
		buf_addf(out, "n = %zu and %zu", r->n, r->n_base);
}

static void add_evidence(struct buf *out, const struct estimate *r,
			 bool with_ratio)
{
	if (with_ratio) {
		buf_adds(out, "ratio ");
		add_value(out, r);
		buf_adds(out, ", ");
	}
	level_percent(r->level, out);
	buf_adds(out, " interval ");
	add_end(out, r, r->low);
	buf_adds(out, " to ");
	add_end(out, r, r->high);
	buf_adds(out, ", ");
	add_counts(out, r);
}

static struct estimate inverted(const struct estimate *r)
{
	struct estimate inverse = *r;

	inverse.value = 1 / r->value;
	inverse.low = 1 / r->high;
	inverse.high = 1 / r->low;
	return inverse;
}

static void add_times(struct buf *out, const struct estimate *r)
{
	add_value(out, r);
	buf_adds(out, " times ");
}

/* "in memory is 3.21 times faster than on disk (95 % interval ...)" */
static void add_speed(struct buf *out, const struct subject *s,
		      const struct comparison *c, bool more_is_faster)
{
	bool faster = (c->ratio.value > 1) == more_is_faster;
	struct estimate r = c->ratio.value > 1 ? c->ratio
					       : inverted(&c->ratio);

	sides_add_treatment(out, s, c);
	buf_adds(out, " is ");
	add_times(out, &r);
	buf_adds(out, faster ? "faster than " : "slower than ");
	sides_add_base(out, s, c);
	buf_adds(out, " (");
	add_evidence(out, &r, false);
	buf_adds(out, ")");
}

/* "with 64 threads memory is 1.43 times that with 1 (worse; ...)" */
static void add_amount(struct buf *out, const struct subject *s,
		       const struct comparison *c)
{
	enum better better = response_of(s, c)->better;
	bool good = (c->ratio.value > 1) == (better == BETTER_HIGHER);

	sides_add_treatment(out, s, c);
	buf_adds(out, " has ");
	add_times(out, &c->ratio);
	buf_addf(out, "the %s of ",
		 reading_response_name(s, c->benchmark, c->response));
	sides_add_base(out, s, c);
	buf_adds(out, " (");
	if (better)
		buf_adds(out, good ? "better; " : "worse; ");
	add_evidence(out, &c->ratio, false);
	buf_adds(out, ")");
}

static void add_difference(struct buf *out, const struct subject *s,
			   const struct comparison *c)
{
	bool more_is_faster;

	/* a ratio below zero has no inverse worth words */
	if (speaks_of_speed(response_of(s, c), &more_is_faster) &&
	    c->ratio.low > 0)
		add_speed(out, s, c, more_is_faster);
	else
		add_amount(out, s, c);
}

/* "in memory against on disk: " */
static void add_pair(struct buf *out, const struct subject *s,
		     const struct comparison *c)
{
	sides_add_treatment(out, s, c);
	buf_adds(out, " against ");
	sides_add_base(out, s, c);
	buf_adds(out, ": ");
}

static void add_same(struct buf *out, const struct subject *s,
		     const struct comparison *c)
{
	add_pair(out, s, c);
	buf_addf(out, "equal within the margin of %.4g %% (",
		 100 * s->experiment.margin);
	add_evidence(out, &c->ratio, true);
	buf_adds(out, ")");
}

static void add_open(struct buf *out, const struct subject *s,
		     const struct comparison *c)
{
	if (c->ratio.low > 1 || c->ratio.high < 1) {
		add_difference(out, s, c);
		buf_addf(out, ", but that it is more than the margin of %.4g "
			      "%% is not shown",
			 100 * s->experiment.margin);
		return;
	}
	add_pair(out, s, c);
	buf_adds(out, "no difference shown (");
	add_evidence(out, &c->ratio, true);
	buf_addf(out, "), nor that they are equal within the margin of %.4g "
		      "%%",
		 100 * s->experiment.margin);
}

static void add_none(struct buf *out, const struct subject *s,
		     const struct comparison *c)
{
	add_pair(out, s, c);
	if (c->why) {
		buf_adds(out, c->why);
		return;
	}
	buf_addf(out, "the ratio is %.3g, but there is no interval (",
		 c->ratio.value);
	if (c->ratio.warnings & ESTIMATE_UNBOUNDED_RATIO)
		buf_adds(out, "the baseline's mean is too uncertain, ");
	if (c->ratio.warnings & ESTIMATE_NEGATIVE_BASE)
		buf_adds(out, "the baseline's mean is negative, ");
	add_counts(out, &c->ratio);
	buf_addc(out, ')');
}

static void add_left_out(struct buf *out, const struct comparison *c)
{
	struct run_counts both = {
		.n_failed = c->runs.n_failed + c->base_runs.n_failed,
		.n_censored = c->runs.n_censored + c->base_runs.n_censored,
		.n_invalid = c->runs.n_invalid + c->base_runs.n_invalid,
	};
	struct buf text = BUF_INIT;

	if (run_counts_left_out(&both, &text))
		buf_addf(out, "; left out: %s", text.data);
	buf_release(&text);
}

void reading_sentence(struct buf *out, const struct subject *s,
		      const struct comparison *c)
{
	sides_add_context(out, s, c);
	switch (c->verdict) {
	case VERDICT_IMPROVED:
	case VERDICT_REGRESSED:
		add_difference(out, s, c);
		break;
	case VERDICT_EQUIVALENT:
		add_same(out, s, c);
		break;
	case VERDICT_INCONCLUSIVE:
		add_open(out, s, c);
		break;
	case VERDICT_NONE:
		add_none(out, s, c);
		break;
	}
	add_left_out(out, c);
}
