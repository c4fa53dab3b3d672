#include "orchestrate/spec/range_amount.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "orchestrate/spec/number.h"

static bool read_digits(const char **text, __int128 *out)
{
	int digits = 0, decimals = -1;
	const char *s = *text;

	*out = 0;
	for (; (*s >= '0' && *s <= '9') || (*s == '.' && decimals < 0); s++) {
		if (*s == '.') {
			decimals = 0;
			continue;
		}
		*out = 10 * *out + (*s - '0');
		digits += *out != 0;
		decimals += decimals >= 0;
		if (digits > AMOUNT_DIGITS || decimals > AMOUNT_DECIMALS)
			return false;
	}
	if (s == *text || **text == '.' || s[-1] == '.')
		return false;
	for (int i = decimals < 0 ? 0 : decimals; i < AMOUNT_DECIMALS; i++)
		*out *= 10;
	*text = s;
	return true;
}

bool amount_read(const char *text, __int128 *out, struct unit *unit)
{
	bool minus = *text == '-';
	unsigned base, power;
	size_t n;

	text += minus;
	if (!read_digits(&text, out))
		return false;
	n = number_unit(text, &base, &power);
	if (text[n])
		return false;
	memcpy(unit->name, text, n + 1);
	for (unit->size = 1; power; power--)
		unit->size *= base;
	*out *= minus ? -unit->size : unit->size;
	return true;
}

void units_add(struct units *u, const struct unit *unit)
{
	size_t i = 0;

	while (i < u->n && u->items[i].size > unit->size)
		i++;
	if (i < u->n && u->items[i].size == unit->size)
		return;
	memmove(&u->items[i + 1], &u->items[i],
		(u->n - i) * sizeof(*u->items));
	u->items[i] = *unit;
	u->n++;
}

static const struct unit *unit_for(const struct units *u, __int128 v)
{
	const struct unit *least = &u->items[u->n - 1];

	for (const struct unit *i = u->items; v && i < least; i++)
		if (v % (i->size * AMOUNT_ONE) == 0)
			return i;
	return least;
}

bool amount_print(const struct units *u, __int128 v, struct buf *out)
{
	const struct unit *unit = unit_for(u, v);
	char decimals[AMOUNT_DECIMALS + 1];
	__int128 in_units = v < 0 ? -v : v;
	size_t n = AMOUNT_DECIMALS;
	uint64_t rest;

	if (in_units % unit->size)
		return false;
	in_units /= unit->size;
	rest = (uint64_t)(in_units % AMOUNT_ONE);
	for (size_t i = AMOUNT_DECIMALS; i-- > 0; rest /= 10)
		decimals[i] = (char)('0' + rest % 10);
	while (n && decimals[n - 1] == '0')
		n--;
	buf_addf(out, "%s%llu%s%.*s%s", v < 0 ? "-" : "",
		 (unsigned long long)(in_units / AMOUNT_ONE), n ? "." : "",
		 (int)n, decimals, unit->name);
	return true;
}
