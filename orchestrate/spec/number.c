#include "orchestrate/spec/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer ones are no numbers: nobody means all those digits. */
#define LONGEST 64

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

size_t number_unit(const char *text, unsigned *base, unsigned *power)
{
	static const char letters[] = "KMGT";
	const char *letter = *text ? strchr(letters, *text) : NULL;
	size_t n = 1;

	*base = 1024;
	*power = 0;
	if (*text == 'k')
		letter = letters;
	if (!letter)
		return 0;
	if (text[1] == 'B' && *text != 'K') {
		*base = 1000;
		n = 2;
	} else if (text[1] == 'i' && text[2] == 'B' && *text != 'k') {
		n = 3;
	}
	if (is_word(text[n]))
		return 0;
	*power = (unsigned)(letter - letters) + 1;
	return n;
}

/* The digits without a point, and the power of ten they stand for. */
struct decimal {
	char digits[LONGEST + 16];
	size_t n;
	int exponent;
};

static size_t scan_digits(const char *text, struct decimal *d)
{
	bool point = false;
	size_t i;

	d->n = 0;
	d->exponent = 0;
	for (i = 0; i < LONGEST; i++) {
		if (text[i] == '.' && !point && i && is_digit(text[i + 1])) {
			point = true;
			continue;
		}
		if (!is_digit(text[i]))
			break;
		d->digits[d->n++] = text[i];
		d->exponent -= point;
	}
	return is_digit(text[i]) ? 0 : i;
}

static size_t scan_exponent(const char *text, struct decimal *d)
{
	size_t i = 1, from;
	int v = 0;

	if (*text != 'e' && *text != 'E')
		return 0;
	if (text[i] == '+' || text[i] == '-')
		i++;
	from = i;
	for (; is_digit(text[i]); i++)
		v = v < 10000 ? 10 * v + (text[i] - '0') : v;
	if (i == from || is_word(text[i]))
		return 0;
	d->exponent += text[1] == '-' ? -v : v;
	return i;
}

/* Without a point in it, strtod() reads the same in every locale. */
static double to_double(struct decimal *d)
{
	snprintf(d->digits + d->n, sizeof(d->digits) - d->n, "e%d",
		 d->exponent);
	return strtod(d->digits, NULL);
}

size_t number_scan(const char *text, double *out)
{
	unsigned base, power;
	struct decimal d;
	size_t n = scan_digits(text, &d), unit;

	if (!n)
		return 0;
	unit = number_unit(text + n, &base, &power);
	if (unit && base == 1000)
		d.exponent += 3 * (int)power;
	else if (!unit)
		n += scan_exponent(text + n, &d);
	*out = to_double(&d);
	if (unit && base == 1024)
		*out = ldexp(*out, 10 * (int)power);
	return isfinite(*out) ? n + unit : 0;
}

bool number_parse(const char *text, double *out)
{
	bool minus = *text == '-';
	size_t n = number_scan(text + minus, out);

	if (!n || text[minus + n])
		return false;
	if (minus)
		*out = -*out;
	return true;
}

/* Digits and exponent as scientific notation has them: 1.25e-5 is "125" and
 * -5. The fewest digits that read back. */
static int shortest(char digits[NUMBER_SIZE], double v)
{
	char text[NUMBER_SIZE];
	int exponent = 0;

	for (int precision = 0; precision < 17; precision++) {
		const char *e;
		size_t n = 0;

		snprintf(text, sizeof(text), "%.*e", precision, v);
		e = strchr(text, 'e');
		exponent = (int)strtol(e + 1, NULL, 10);
		for (const char *c = text; c < e; c++)
			if (is_digit(*c))
				digits[n++] = *c;
		digits[n] = '\0';
		if (strtod(text, NULL) == v)
			break;
	}
	return exponent;
}

const char *number_print(char out[NUMBER_SIZE], double v)
{
	char digits[NUMBER_SIZE] = "";
	const char *sign = v < 0 ? "-" : "";
	int exponent;

	if (v == floor(v) && fabs(v) < 0x1p63) {
		/* adding makes a zero of minus zero */
		snprintf(out, NUMBER_SIZE, "%.0f", v + 0.0);
		return out;
	}
	exponent = shortest(digits, fabs(v));
	if (exponent < -5 || fabs(v) >= 0x1p63)
		snprintf(out, NUMBER_SIZE, "%s%c%s%.16se%+03d", sign,
			 digits[0], digits[1] ? "." : "", digits + 1,
			 exponent);
	else if (exponent < 0)
		snprintf(out, NUMBER_SIZE, "%s0.%.*s%.17s", sign,
			 -exponent - 1, "0000", digits);
	else
		snprintf(out, NUMBER_SIZE, "%s%.*s.%.16s", sign, exponent + 1,
			 digits, digits + exponent + 1);
	return out;
}
