#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "orchestrate/exec/extract.h"

/* A pattern that needs more than this on a MiB of output is a mistake. */
#define MATCH_LIMIT 10000000
#define DEPTH_LIMIT 100000
#define HEAP_LIMIT 65536 /* KiB */
#define MESSAGE_SIZE 256

struct regex {
	pcre2_code *bytes; /* for output that is not UTF-8 */
	pcre2_code *utf;   /* NULL when the pattern is not UTF-8 */
	pcre2_match_context *limits;
};

static pcre2_code *compile_one(const char *pattern, uint32_t options,
			       struct error *err)
{
	PCRE2_UCHAR message[MESSAGE_SIZE];
	PCRE2_SIZE offset;
	pcre2_code *code;
	int number;

	code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			     PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C |
			     options, &number, &offset, NULL);
	if (!code) {
		pcre2_get_error_message(number, message, sizeof(message));
		error_set(err, ERROR_USAGE,
			  "not a regular expression: %s at character %zu",
			  (const char *)message, (size_t)offset + 1);
		return NULL;
	}
	/* without JIT (no memory, no support) the interpreter serves */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	return code;
}

static void release(void *compiled)
{
	struct regex *r = compiled;

	pcre2_code_free(r->bytes);
	pcre2_code_free(r->utf);
	pcre2_match_context_free(r->limits);
	free(r);
}

static void *compile(const char *pattern, struct error *err)
{
	struct regex *r = mem_zalloc(1, sizeof(*r));
	size_t n = strlen(pattern);

	if (utf8_valid(pattern, n, NULL)) {
		r->utf = compile_one(pattern, PCRE2_UTF | PCRE2_UCP, err);
		if (!r->utf)
			goto fail;
	}
	r->bytes = compile_one(pattern, 0, err);
	if (!r->bytes)
		goto fail;
	r->limits = pcre2_match_context_create(NULL);
	if (!r->limits) {
		error_set(err, ERROR_ENVIRONMENT, "no memory for PCRE2");
		goto fail;
	}
	pcre2_set_match_limit(r->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(r->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(r->limits, HEAP_LIMIT);
	return r;
fail:
	release(r);
	return NULL;
}

static int refuse_match(int number, struct error *err)
{
	PCRE2_UCHAR message[MESSAGE_SIZE];

	pcre2_get_error_message(number, message, sizeof(message));
	return error_set(err, ERROR_NEGATIVE, "the regular expression gave up "
			 "on this output (%s); make it more exact",
			 (const char *)message);
}

/* The group that holds the number: "value", else the first, else all. */
static int value_group(const pcre2_code *code)
{
	int named = pcre2_substring_number_from_name(code,
						     (PCRE2_SPTR)"value");
	uint32_t count = 0;

	if (named > 0)
		return named;
	pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &count);
	return count ? 1 : 0;
}

/* Where to search on: after the match, or one character past an empty one. */
static size_t next_start(const char *text, size_t n, const PCRE2_SIZE *match,
			 size_t start)
{
	size_t at = match[1] > start ? match[1] : start;
	size_t len;

	if (match[1] > match[0] && match[1] > start)
		return at;
	len = at < n ? utf8_sequence(text + at, n - at) : 1;
	return at + (len ? len : 1);
}

static int add_match(const char *text, const PCRE2_SIZE *match, int group,
		     int count, struct extracted *out, struct error *err)
{
	PCRE2_SIZE from, to;

	if (group >= count || match[2 * group] == PCRE2_UNSET ||
	    match[2 * group] > match[2 * group + 1])
		return error_set(err, ERROR_NEGATIVE, "a match without its "
				 "group for the number");
	from = match[2 * group];
	to = match[2 * group + 1];
	return extracted_add_text(out, text + from, to - from, err);
}

static int match_all(const struct regex *r, const pcre2_code *code,
		     pcre2_match_data *data, const char *text, size_t n,
		     struct extracted *out, struct error *err)
{
	const PCRE2_SIZE *match = pcre2_get_ovector_pointer(data);
	int group = value_group(code);
	uint32_t options = 0;

	for (size_t start = 0; start <= n;) {
		int count = pcre2_match(code, (PCRE2_SPTR)text, n, start,
					options, data, r->limits);

		if (count == PCRE2_ERROR_NOMATCH)
			return 0;
		if (count < 0)
			return refuse_match(count, err);
		if (add_match(text, match, group, count, out, err))
			return -1;
		start = next_start(text, n, match, start);
		options = code == r->utf ? PCRE2_NO_UTF_CHECK : 0;
	}
	return 0;
}

static int run(void *compiled, const char *text, size_t n,
	       struct extracted *out, struct error *err)
{
	const struct regex *r = compiled;
	const pcre2_code *code = r->bytes;
	pcre2_match_data *data;
	int result;

	if (r->utf && utf8_valid(text, n, NULL))
		code = r->utf;
	data = pcre2_match_data_create_from_pattern(code, NULL);
	if (!data)
		return error_set(err, ERROR_ENVIRONMENT,
				 "no memory for PCRE2");
	result = match_all(r, code, data, text, n, out, err);
	pcre2_match_data_free(data);
	return result;
}

const struct extract_ops extract_regex_ops = {
	.name = "regex",
	.compile = compile,
	.run = run,
	.release = release,
};
