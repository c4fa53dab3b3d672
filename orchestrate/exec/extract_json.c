#include <jq.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/extract_child.h"

struct json_program {
	jq_state *jq;
	struct buf messages; /* what libjq reported while compiling */
};

/*
 * In front of every program, on its first line so that line numbers hold. libjq's
 * own `stderr` writes to our standard error, and its halt_error frees a constant twice
 * (1.6). As a program has to begin with its imports, this refuses them
 * too: a pattern cannot read files.
 */
static const char disarm[] =
	"def stderr: .; def debug: .; "
	"def input: error(\"input is not available\"); "
	"def inputs: error(\"inputs is not available\"); "
	"def halt: error(\"halt is not available\"); "
	"def halt_error: error(\"halt_error is not available\"); "
	"def halt_error($status): halt_error; ";

static void keep_message(void *ctx, jv message)
{
	struct json_program *p = ctx;
	jv text = jq_format_error(message);

	if (!p->messages.n)
		buf_adds(&p->messages, jv_string_value(text));
	jv_free(text);
}

/* Cuts `what` out of the text where it is. */
static void cut(char *text, const char *what)
{
	char *at = strstr(text, what);

	if (at)
		memmove(at, at + strlen(what), strlen(at + strlen(what)) + 1);
}

/* "jq: error: X (Unix shell quoting issues?) at <top-level>, line 1:\n..." */
static int refuse_program(struct json_program *p, struct error *err)
{
	char *text = mem_strdup(p->messages.n ? p->messages.data :
				"it does not compile");
	size_t n;

	text[strcspn(text, "\n")] = '\0';
	cut(text, "jq: error: ");
	cut(text, " (Unix shell quoting issues?)");
	cut(text, "<top-level>, ");
	n = strlen(text);
	if (n && text[n - 1] == ':')
		text[n - 1] = '\0';
	error_set(err, ERROR_USAGE, "not a jq program: %s", text);
	free(text);
	return -1;
}

static void release(void *compiled)
{
	struct json_program *p = compiled;

	jq_teardown(&p->jq);
	buf_release(&p->messages);
	free(p);
}

static void *compile(const char *pattern, struct error *err)
{
	struct json_program *p = mem_zalloc(1, sizeof(*p));
	struct buf program = BUF_INIT;
	bool good;

	buf_init(&p->messages);
	buf_adds(&program, disarm);
	buf_adds(&program, pattern);
	p->jq = jq_init();
	if (!p->jq) {
		error_set(err, ERROR_ENVIRONMENT, "libjq does not start");
		goto fail;
	}
	jq_set_error_cb(p->jq, keep_message, p);
	jq_set_input_cb(p->jq, NULL, NULL); /* jq_init() leaves them unset */
	jq_set_debug_cb(p->jq, NULL, NULL);
	good = utf8_valid(pattern, strlen(pattern), NULL) &&
	       jq_compile(p->jq, program.data);
	if (!good) {
		refuse_program(p, err);
		goto fail;
	}
	buf_release(&program);
	return p;
fail:
	buf_release(&program);
	release(p);
	return NULL;
}

/* Sets the error to "context: message"; takes the message. */
static int refuse(struct error *err, const char *context, jv message)
{
	jv text = jv_get_kind(message) == JV_KIND_STRING ?
		  message : jv_dump_string(message, 0);
	struct buf shown = BUF_INIT;

	utf8_add_printable(&shown, jv_string_value(text),
			   strcspn(jv_string_value(text), "\n"));
	error_set(err, ERROR_NEGATIVE, "%s: %s", context, shown.data);
	buf_release(&shown);
	jv_free(text);
	return -1;
}

/* Takes `value`. */
static int add(struct extracted *out, jv value, struct error *err)
{
	jv_kind kind = jv_get_kind(value);
	int result;

	if (kind == JV_KIND_NUMBER)
		result = extracted_add(out, jv_number_value(value), err);
	else if (kind == JV_KIND_STRING)
		result = extracted_add_text(
			out, jv_string_value(value),
			(size_t)jv_string_length_bytes(jv_copy(value)), err);
	else
		result = error_set(err, ERROR_NEGATIVE,
				   "the program gave %s where a number is "
				   "needed",
				   kind == JV_KIND_NULL ? "null (a field that "
				   "is not there?)" : jv_kind_name(kind));
	jv_free(value);
	return result;
}

/* All results for one JSON text; takes `input`. */
static int run_one(struct json_program *p, jv input, struct extracted *out,
		   struct error *err)
{
	jv value;

	jq_start(p->jq, input, 0);
	for (;;) {
		value = jq_next(p->jq);
		if (!jv_is_valid(value))
			break;
		if (add(out, value, err))
			return -1;
	}
	if (jv_invalid_has_msg(jv_copy(value)))
		return refuse(err, "jq", jv_invalid_get_msg(value));
	jv_free(value);
	return 0;
}

/* The output may hold several JSON texts, as jq itself takes them. */
static int run_here(void *compiled, const char *text, size_t n,
	       struct extracted *out, struct error *err)
{
	struct json_program *p = compiled;
	jv_parser *parser;
	int result = 0;
	jv input;

	if (n > INT_MAX)
		return error_set(err, ERROR_NEGATIVE,
				 "the output is too long for JSON");
	parser = jv_parser_new(0);
	jv_parser_set_buf(parser, text, (int)n, 0);
	while (!result) {
		input = jv_parser_next(parser);
		if (!jv_is_valid(input))
			break;
		result = run_one(p, input, out, err);
	}
	if (!result) {
		if (jv_invalid_has_msg(jv_copy(input)))
			result = refuse(err, "the output is not JSON",
					jv_invalid_get_msg(input));
		else
			jv_free(input);
	}
	jv_parser_free(parser);
	/* lets go of the last input */
	jq_start(p->jq, jv_null(), 0);
	return result;
}

/* libjq gives no way to stop a program that gives no result. */
static int run(void *compiled, const char *text, size_t n,
	       struct extracted *out, struct error *err)
{
	static const struct extract_limits limits = {
		.cpu = 10,
		.wall = 30,
		.memory = (size_t)2 << 30,
	};

	return extract_in_child(&limits, "jq program", run_here, compiled,
				text, n, out, err);
}

const struct extract_ops extract_json_ops = {
	.name = "json",
	.compile = compile,
	.run = run,
	.release = release,
};
