#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Ends a text that did not fit with "...", between two characters. */
static void mark_cut(char *text, size_t size, int wanted)
{
	size_t end = size - 4;

	if (wanted < 0 || (size_t)wanted < size)
		return;
	while (end && (text[end] & 0xc0) == 0x80)
		end--;
	memcpy(text + end, "...", 4);
}

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list ap;
	int n;

	err->kind = kind;
	va_start(ap, fmt);
	n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	mark_cut(err->text, sizeof(err->text), n);
	return -1;
}

int error_context(struct error *err, const char *fmt, ...)
{
	char prefix[512], old[sizeof(err->text)];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(prefix, sizeof(prefix), fmt, ap);
	va_end(ap);
	mark_cut(prefix, sizeof(prefix), n);
	memcpy(old, err->text, sizeof(old));
	n = snprintf(err->text, sizeof(err->text), "%s: %s", prefix, old);
	mark_cut(err->text, sizeof(err->text), n);
	return -1;
}

int error_exit_status(const struct error *err)
{
	switch (err->kind) {
	case ERROR_NONE:
		return 0;
	case ERROR_NEGATIVE:
		return 1;
	case ERROR_USAGE:
		return 2;
	case ERROR_ENVIRONMENT:
		return 3;
	case ERROR_INTERRUPTED:
		return 130;
	}
	return 3;
}
