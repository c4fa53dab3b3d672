#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From here on an array spans several huge pages. */
#define HUGE_FROM ((size_t)8 << 20)
#define PAGE ((uintptr_t)4096)

void *mem_must(void *p)
{
	if (!p) {
		fputs("assay: out of memory\n", stderr);
		exit(3);
	}
	return p;
}

/*
 * A plan of millions of runs is walked in random order: with pages of 4 KiB
 * most of that time goes to faults and to looking up addresses. Only advice;
 * the kernel may not have huge pages.
 */
static void *advise(void *p, size_t size)
{
	uintptr_t start = ((uintptr_t)p + PAGE - 1) / PAGE * PAGE;

	if (size >= HUGE_FROM)
		madvise((void *)start, (size - PAGE) / PAGE * PAGE,
			MADV_HUGEPAGE);
	return p;
}

void *mem_alloc(size_t size)
{
	return mem_must(malloc(size ? size : 1));
}

void *mem_zalloc(size_t n, size_t size)
{
	void *p = mem_must(calloc(n ? n : 1, size ? size : 1));

	return advise(p, n && size ? n * size : 0);
}

void *mem_realloc(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		return mem_must(NULL);
	p = mem_must(realloc(p, n && size ? n * size : 1));
	return advise(p, n * size);
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
