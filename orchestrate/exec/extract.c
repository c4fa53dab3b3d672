#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/known_programs.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"

#define NUMBER_MAX 400 /* characters; the longest exact double has 325 */
#define QUOTE_MAX 60   /* bytes of an offending text shown */

struct extractor {
	const struct extract_ops *ops;
	void *compiled;
};

static const struct extract_ops *const kinds[] = {
	[EXTRACT_JSON] = &extract_json_ops,
	[EXTRACT_REGEX] = &extract_regex_ops,
};

void extracted_release(struct extracted *x)
{
	free(x->values);
	*x = (struct extracted)EXTRACTED_INIT;
}

int extracted_add(struct extracted *x, double value, struct error *err)
{
	if (!isfinite(value))
		return error_set(err, ERROR_NEGATIVE,
				 "found %s, which is no finite number",
				 isnan(value) ? "nan" : "infinity");
	if (x->n >= EXTRACT_MAX_VALUES)
		return error_set(err, ERROR_NEGATIVE,
				 "more than %d values; the pattern may match "
				 "too much or never end", EXTRACT_MAX_VALUES);
	MEM_GROW(x->values, x->n, x->cap);
	x->values[x->n++] = value;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *s, size_t *n)
{
	const char *start = s;

	while (is_digit(*s))
		s++;
	*n = (size_t)(s - start);
	return s;
}

/* Whether the string is a decimal number and nothing else. */
static bool is_number(const char *s)
{
	size_t whole, fraction = 0, exponent;

	if (*s == '+' || *s == '-')
		s++;
	s = skip_digits(s, &whole);
	if (*s == '.')
		s = skip_digits(s + 1, &fraction);
	if (!whole && !fraction)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		if (*s == '+' || *s == '-')
			s++;
		s = skip_digits(s, &exponent);
		if (!exponent)
			return false;
	}
	return !*s;
}

/* strtod() follows the locale, where the point may be a comma. */
static double number_value(const char *s)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	double value = strtod_l(s, NULL, c);

	freelocale(c);
	return value;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int refuse_text(const char *text, size_t n, struct error *err)
{
	struct buf shown = BUF_INIT;
	bool cut = n > QUOTE_MAX;

	utf8_add_printable(&shown, text, cut ? QUOTE_MAX : n);
	for (size_t i = 0; i < shown.n; i++)
		if (shown.data[i] == '\n' || shown.data[i] == '\t')
			shown.data[i] = ' ';
	if (n)
		error_set(err, ERROR_NEGATIVE, "'%s%s' is not a number",
			  shown.data, cut ? "..." : "");
	else
		error_set(err, ERROR_NEGATIVE,
			  "an empty text is not a number");
	buf_release(&shown);
	return -1;
}

int extracted_add_text(struct extracted *x, const char *text, size_t n,
		       struct error *err)
{
	char number[NUMBER_MAX + 1];
	const char *start = text;
	size_t len = n;
	double value;

	while (len && is_blank(start[0])) {
		start++;
		len--;
	}
	while (len && is_blank(start[len - 1]))
		len--;
	if (len > NUMBER_MAX)
		return refuse_text(text, n, err);
	if (len)
		memcpy(number, start, len);
	number[len] = '\0';
	if (strlen(number) != len || !is_number(number))
		return refuse_text(text, n, err);
	value = number_value(number);
	if (!isfinite(value))
		return error_set(err, ERROR_NEGATIVE,
				 "'%.60s' is too large for a number", number);
	return extracted_add(x, value, err);
}

struct extractor *extractor_new(enum extract_kind kind, const char *pattern,
				struct error *err)
{
	const struct extract_ops *ops = kinds[kind];
	void *compiled = ops->compile(pattern, err);
	struct extractor *x;

	if (!compiled)
		return NULL;
	x = mem_alloc(sizeof(*x));
	x->ops = ops;
	x->compiled = compiled;
	return x;
}

void extractor_free(struct extractor *x)
{
	if (!x)
		return;
	x->ops->release(x->compiled);
	free(x);
}

int extractor_run(struct extractor *x, const char *text, size_t n,
		  struct extracted *out, struct error *err)
{
	size_t before = out->n;

	if (x->ops->run(x->compiled, text, n, out, err))
		return -1;
	if (out->n == before)
		return error_set(err, ERROR_NEGATIVE,
				 n ? "nothing in the output matched" :
				 "the command printed nothing");
	return 0;
}

int extract_check(enum extract_kind kind, const char *pattern,
		  struct error *err)
{
	struct extractor *x;

	if (kind == EXTRACT_JSON && known_programs_has(pattern))
		return 0;
	x = extractor_new(kind, pattern, err);
	if (!x)
		return -1;
	extractor_free(x);
	if (kind == EXTRACT_JSON)
		known_programs_add(pattern);
	return 0;
}

int extract_values(enum extract_kind kind, const char *pattern,
		   const char *text, size_t n, struct extracted *out,
		   struct error *err)
{
	struct extractor *x = extractor_new(kind, pattern, err);
	int result;

	if (!x)
		return -1;
	result = extractor_run(x, text, n, out, err);
	extractor_free(x);
	return result;
}
