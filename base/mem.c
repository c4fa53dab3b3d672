#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mem_must(void *p)
{
	if (!p) {
		fputs("assay: out of memory\n", stderr);
		exit(3);
	}
	return p;
}

void *mem_alloc(size_t size)
{
	return mem_must(malloc(size ? size : 1));
}

void *mem_zalloc(size_t n, size_t size)
{
	return mem_must(calloc(n ? n : 1, size ? size : 1));
}

void *mem_realloc(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		return mem_must(NULL);
	return mem_must(realloc(p, n && size ? n * size : 1));
}

char *mem_strdup(const char *s)
{
	return s ? mem_must(strdup(s)) : NULL;
}

char *mem_strndup(const char *s, size_t n)
{
	return mem_must(strndup(s, n));
}

char *mem_printf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return mem_must(n < 0 ? NULL : s);
}
