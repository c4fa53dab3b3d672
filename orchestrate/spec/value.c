#include "orchestrate/spec/value.h"

#include <stddef.h>
#include <string.h>

#define DIGITS 15

bool value_count(const char *text, uint64_t *out)
{
	uint64_t v = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return false;
		v = 10 * v + digit;
	}
	*out = v;
	return true;
}

bool value_bool(const char *text, bool *out)
{
	*out = !strcmp(text, "true");
	return *out || !strcmp(text, "false");
}

/*
 * digits [ "." digits ] as mantissa and number of decimals; returns what
 * follows, or NULL.
 */
static const char *decimal(const char *text, uint64_t *mantissa, int *decimals)
{
	const char *start = text;
	bool point = false;
	int digits = 0;

	*mantissa = 0;
	*decimals = 0;
	for (;; text++) {
		if (*text == '.' && !point && text != start) {
			point = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			break;
		*mantissa = 10 * *mantissa + (uint64_t)(*text - '0');
		digits += *mantissa != 0;
		*decimals += point;
		if (digits > DIGITS || *decimals > DIGITS)
			return NULL;
	}
	if (text == start || text[-1] == '.')
		return NULL;
	return text;
}

/* Exact up to the one rounding of the division: both sides are below 2^53
 * or, for the power of ten, below 10^22. */
static double scaled(uint64_t mantissa, int decimals)
{
	double power = 1;

	while (decimals-- > 0)
		power *= 10;
	return (double)mantissa / power;
}

bool value_duration(const char *text, double *out)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "m", 60 }, { "min", 60 },
		{ "h", 3600 },
	};
	uint64_t mantissa;
	int decimals;
	const char *unit = decimal(text, &mantissa, &decimals);

	if (!unit)
		return false;
	if (!strcmp(unit, "ms")) {
		*out = scaled(mantissa, decimals + 3);
		return true;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].name)) {
			*out = scaled(mantissa, decimals) * units[i].seconds;
			return true;
		}
	return false;
}

bool value_share(const char *text, double *out)
{
	uint64_t mantissa;
	int decimals;
	const char *rest = decimal(text, &mantissa, &decimals);

	if (!rest)
		return false;
	if (*rest == ' ')
		rest++;
	if (!strcmp(rest, "%"))
		*out = scaled(mantissa, decimals + 2);
	else if (!*rest)
		*out = scaled(mantissa, decimals);
	else
		return false;
	return true;
}

bool value_is_computed(const char *text)
{
	return text[0] == '=' || strstr(text, "${");
}
