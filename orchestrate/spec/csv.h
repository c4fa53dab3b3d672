#ifndef SPEC_CSV_H
#define SPEC_CSV_H

#include <stddef.h>

#include "base/buf.h"
#include "orchestrate/spec/problem.h"

/*
 * Comma-separated values after RFC 4180: lines end in LF or CRLF; a field in
 * quotes may hold commas, line ends and, doubled, quotes; spaces belong to the
 * field. Lines with nothing in them are skipped.
 */
struct csv_field {
	char *text;        /* lives until the next record */
	struct mark mark;
};

struct csv {
	const char *data;  /* borrowed */
	size_t n;
	size_t at;
	struct mark mark;  /* of data[at]; columns are characters */
	struct csv_field *fields; /* of the record that was read last */
	size_t n_fields, cap_fields;
	struct buf text;   /* of all its fields */
};

/* A byte order mark at the start is skipped. `file` is borrowed. The text must
 * be UTF-8 without NUL (yaml_text_check). */
void csv_init(struct csv *c, const char *file, const char *data, size_t n);
void csv_release(struct csv *c);

/* Reads the next record: 1, 0 when there is none, -1 after reporting a fault
 * in it; no more can be read then. */
int csv_next(struct csv *c, struct problems *p);

#endif
