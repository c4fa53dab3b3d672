#ifndef STORE_CONTENT_H
#define STORE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

struct db;
struct error;

/* More is refused: nothing that large comes out of a run. */
#define CONTENT_MAX (256u << 20)

/*
 * Bytes kept once, however many runs printed them: found by their SHA-256,
 * compressed when that helps. No bytes have the id 0.
 */
int content_put(struct db *db, const char *data, size_t n, int64_t *id,
		struct error *err);
/* The bytes with a NUL behind them, caller frees; id 0 gives "". */
int content_get(struct db *db, int64_t id, char **data, size_t *n,
		struct error *err);

#endif
