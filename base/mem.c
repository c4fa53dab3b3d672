#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *check(void *p)
{
	if (!p) {
		fputs("assay: out of memory\n", stderr);
		exit(3);
	}
	return p;
}

void *mem_alloc(size_t size)
{
	return check(malloc(size ? size : 1));
}

void *mem_zalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *mem_realloc(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		return check(NULL);
	return check(realloc(p, n && size ? n * size : 1));
}

char *mem_strdup(const char *s)
{
	return s ? check(strdup(s)) : NULL;
}

char *mem_strndup(const char *s, size_t n)
{
	return check(strndup(s, n));
}

char *mem_printf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return check(n < 0 ? NULL : s);
}
