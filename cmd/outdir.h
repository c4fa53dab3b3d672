#ifndef CMD_OUTDIR_H
#define CMD_OUTDIR_H

#include <stddef.h>

struct buf;
struct error;
struct subject;

/*
 * Where charts, tables and reports go: --out, else a directory named after the
 * experiment beside its store. It is made. The caller's string, NULL on
 * failure.
 */
char *outdir_make(const struct subject *s, const char *out, struct error *err);

/* Writes DIR/NAME.EXTENSION and appends its path and a newline to `told`. */
int outdir_write(const char *dir, const char *name, const char *extension,
		 const struct buf *content, struct buf *told,
		 struct error *err);

#endif
