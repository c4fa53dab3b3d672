#ifndef SPEC_YAML_TEXT_H
#define SPEC_YAML_TEXT_H

#include <stddef.h>

#include "orchestrate/spec/problem.h"

/* The length of a byte order mark of UTF-8 at the start; it is no character
 * of the text. */
size_t yaml_text_order_mark(const char *data, size_t n);

/*
 * Checks that the bytes of a file are text fit for YAML: UTF-8 and no control
 * characters but newline, tab and carriage return. Says where the first fault
 * is; returns -1 then.
 */
int yaml_text_check(const char *file, const char *data, size_t n,
		    struct problems *p);

/* Whether a scalar's value (escapes undone) may be shown and passed on:
 * no NUL, no control characters but newline, tab and carriage return. */
int yaml_text_check_value(struct mark at, const char *value, size_t n,
			  struct problems *p);

#endif
