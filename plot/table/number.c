#include "plot/table/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define MINUS "\xe2\x88\x92"
#define EN_DASH "\xe2\x80\x93"
#define INFINITE "\xe2\x88\x9e"
#define THIN_SPACE "\xe2\x80\xaf"
#define TIMES " \xc3\x97 10"
#define PLUS_MINUS " \xc2\xb1 "

/* A double carries no more than this many decimal digits for certain. */
#define SURE_DIGITS 15
#define FALLBACK_DIGITS 4
#define DIGITS_MAX 40

/* 0.d1d2d3... written as digits and the power of ten of the first one. */
struct decimal {
	char digits[DIGITS_MAX + 1];
	int n;
	int exponent;
};

/* How the numbers of one cell are written: all alike. */
struct style {
	int place; /* power of ten of the last digit shown */
	int scale; /* power of ten set apart as "× 10ⁿ", 0 = none */
};

/*
 * |v| to `n` significant digits, correctly rounded (printf's own rounding).
 * Only digits are read back, so that the locale's decimal point is of no
 * account.
 */
static void decimal_of(struct decimal *d, double v, int n)
{
	char text[DIGITS_MAX + 32];
	const char *p;

	snprintf(text, sizeof(text), "%.*e", n - 1, fabs(v));
	d->n = 0;
	for (p = text; *p && *p != 'e'; p++)
		if (*p >= '0' && *p <= '9' && d->n < n)
			d->digits[d->n++] = *p;
	d->digits[d->n] = '\0';
	d->exponent = *p ? (int)strtol(p + 1, NULL, 10) : 0;
}

static int exponent_of(double v, int digits)
{
	struct decimal d;

	decimal_of(&d, v, digits);
	return d.exponent;
}

/* |v| rounded to a multiple of 10^place; n = 0 is zero. */
static void decimal_round(struct decimal *d, double v, int place)
{
	int n;

	decimal_of(d, v, 17);
	n = d->exponent - place + 1;
	if (v == 0 || n < 0 || (n == 0 && d->digits[0] < '5')) {
		d->n = 0;
		d->exponent = place;
	} else if (n == 0) {
		memcpy(d->digits, "1", 2);
		d->n = 1;
		d->exponent = place;
	} else {
		if (n > DIGITS_MAX - 1)
			n = DIGITS_MAX - 1;
		decimal_of(d, v, n);
		/* 9.96 to tenths came back as 10, one digit short */
		while (d->exponent - d->n + 1 > place && d->n < DIGITS_MAX)
			d->digits[d->n++] = '0';
		d->digits[d->n] = '\0';
	}
}

/* The digit that stands for 10^power. */
static char digit_at(const struct decimal *d, int power)
{
	int i = d->exponent - power;

	return i >= 0 && i < d->n ? d->digits[i] : '0';
}

static void add_superscript(struct buf *out, int n)
{
	static const char *const digits[] = {
		"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",	"\xc2\xb3",
		"\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
		"\xe2\x81\xb8", "\xe2\x81\xb9",
	};
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	for (const char *p = text; *p; p++)
		buf_adds(out, *p == '-' ? "\xe2\x81\xbb" : digits[*p - '0']);
}

static void add_scale(struct buf *out, int scale)
{
	buf_adds(out, TIMES);
	add_superscript(out, scale);
}

/* One number, without its "× 10ⁿ". */
static void add_mantissa(struct buf *out, double v, struct style s)
{
	struct decimal d;
	int top;

	if (isnan(v)) {
		buf_adds(out, EN_DASH);
		return;
	}
	if (signbit(v) && isinf(v))
		buf_adds(out, MINUS);
	if (isinf(v)) {
		buf_adds(out, INFINITE);
		return;
	}
	decimal_round(&d, v, s.place);
	if (signbit(v) && d.n)
		buf_adds(out, MINUS);
	d.exponent -= s.scale;
	top = d.n && d.exponent > 0 ? d.exponent : 0;
	for (int i = top; i >= 0; i--) {
		buf_addc(out, digit_at(&d, i));
		if (top >= 4 && i && i % 3 == 0)
			buf_adds(out, THIN_SPACE);
	}
	if (s.place < s.scale)
		buf_addc(out, '.');
	for (int i = -1; i >= s.place - s.scale; i--)
		buf_addc(out, digit_at(&d, i));
}

static bool usable(double uncertainty)
{
	return isfinite(uncertainty) && uncertainty > 0;
}

/*
 * Four digits, but all of a whole number: without an uncertainty nothing says
 * that 1 095 267 bytes are about a million.
 */
static int fallback_place(double v, int scale)
{
	int place = exponent_of(v, FALLBACK_DIGITS) - (FALLBACK_DIGITS - 1);

	return place > 0 && !scale ? 0 : place;
}

/* The style for numbers of which `largest` is the largest in magnitude. */
static struct style style_of(double v, double uncertainty, double largest)
{
	struct style s = { .place = 0, .scale = 0 };
	int top = 0;

	largest = isfinite(largest) ? fabs(largest) : 0;
	if (usable(uncertainty) && largest < uncertainty)
		largest = uncertainty;
	if (largest > 0) {
		top = exponent_of(largest, SURE_DIGITS);
		if (top >= 9 || top < -4)
			s.scale = top;
	}
	if (usable(uncertainty))
		s.place = exponent_of(uncertainty, 2) - 1;
	else if (v != 0)
		s.place = fallback_place(v, s.scale);
	if (largest > 0 && s.place < top - (SURE_DIGITS - 1))
		s.place = top - (SURE_DIGITS - 1);
	if (s.scale && s.place > s.scale)
		s.scale = s.place;
	return s;
}

void number_add(struct buf *out, double v, double uncertainty)
{
	struct style s = style_of(v, uncertainty, v);

	if (!isfinite(v))
		s.scale = 0;
	add_mantissa(out, v, s);
	if (s.scale)
		add_scale(out, s.scale);
}

void number_add_mean_sd(struct buf *out, const struct estimate *e)
{
	struct style s = style_of(e->value, e->sd, e->value);

	if (!isfinite(e->value) || isnan(e->sd)) {
		number_add(out, e->value, NAN);
		return;
	}
	if (s.scale)
		buf_addc(out, '(');
	add_mantissa(out, e->value, s);
	buf_adds(out, PLUS_MINUS);
	if (e->sd == 0)
		buf_addc(out, '0');
	else
		add_mantissa(out, e->sd, s);
	if (s.scale) {
		buf_addc(out, ')');
		add_scale(out, s.scale);
	}
}

/* The interval's half width; of an open interval, the finite side's. */
static double half_width(const struct estimate *e)
{
	if (isfinite(e->low) && isfinite(e->high))
		return (e->high - e->low) / 2;
	if (isfinite(e->low))
		return e->value - e->low;
	if (isfinite(e->high))
		return e->high - e->value;
	return e->sd;
}

static double larger(double a, double b)
{
	return isfinite(b) && fabs(b) > fabs(a) ? b : a;
}

void number_add_interval(struct buf *out, const struct estimate *e)
{
	double largest = larger(larger(e->value, e->low), e->high);
	struct style s = style_of(e->value, half_width(e), largest);

	if (!isfinite(e->value) || (isnan(e->low) && isnan(e->high))) {
		number_add(out, e->value, e->sd);
		return;
	}
	if (s.scale)
		buf_addc(out, '(');
	add_mantissa(out, e->value, s);
	buf_adds(out, " [");
	add_mantissa(out, e->low, s);
	buf_adds(out, ", ");
	add_mantissa(out, e->high, s);
	buf_addc(out, ']');
	if (s.scale) {
		buf_addc(out, ')');
		add_scale(out, s.scale);
	}
}
