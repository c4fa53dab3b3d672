#include "orchestrate/store/content.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "orchestrate/store/db.h"

/* Shorter text is left legible for readers of the file. */
#define COMPRESS_FROM 512
#define COMPRESS_LEVEL 3

static void sha256(const char *data, size_t n, char hex[HASH_HEX_SIZE])
{
	struct hash *h = hash_new();

	hash_add(h, data, n);
	hash_finish(h, hex);
	hash_free(h);
}

/* The compressed bytes, or NULL when they would not be fewer. */
static char *compress(const char *data, size_t n, size_t *n_out)
{
	size_t room = ZSTD_compressBound(n);
	char *out = mem_alloc(room);
	size_t size = ZSTD_compress(out, room, data, n, COMPRESS_LEVEL);

	if (ZSTD_isError(size) || size >= n) {
		free(out);
		return NULL;
	}
	*n_out = size;
	return out;
}

static int insert(struct db *db, const char *sha, const char *data, size_t n,
		  struct error *err)
{
	size_t n_packed = 0;
	char *packed = n < COMPRESS_FROM ? NULL : compress(data, n, &n_packed);
	int rc = db_run(db,
			"INSERT INTO content (sha256, size, encoding, data)"
			" VALUES (?, ?, ?, ?)",
			BIND(value_text(sha), value_int((int64_t)n),
			     value_text(packed ? "zstd" : "plain"),
			     packed ? value_blob(packed, n_packed) :
				      value_blob(data, n)),
			err);

	free(packed);
	return rc;
}

int content_put(struct db *db, const char *data, size_t n, int64_t *id,
		struct error *err)
{
	char sha[HASH_HEX_SIZE];
	int rc;

	*id = 0;
	if (!n)
		return 0;
	if (n > CONTENT_MAX)
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: %zu bytes of output are too many to keep "
				 "(%u at most)", db->path, n, CONTENT_MAX);
	sha256(data, n, sha);
	rc = db_int(db, id, "SELECT id FROM content WHERE sha256 = ?",
		    BIND(value_text(sha)), err);
	if (rc <= 0)
		return rc;
	if (insert(db, sha, data, n, err) < 0)
		return -1;
	*id = db_last_id(db);
	return 0;
}

static int damaged(struct db *db, int64_t id, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT,
			 "%s: damaged (content %lld is not what was recorded): "
			 "put a copy of it back", db->path, (long long)id);
}

static int unpack(sqlite3_stmt *stmt, char **data, size_t *n)
{
	int64_t size = sqlite3_column_int64(stmt, 0);
	const char *encoding = (const char *)sqlite3_column_text(stmt, 1);
	const void *packed = sqlite3_column_blob(stmt, 2);
	size_t n_packed = (size_t)sqlite3_column_bytes(stmt, 2);
	const char *sha = (const char *)sqlite3_column_text(stmt, 3);
	char found[HASH_HEX_SIZE];
	char *out;
	int ok;

	if (size < 1 || size > CONTENT_MAX || !encoding || !packed || !sha)
		return -1;
	out = mem_alloc((size_t)size + 1);
	if (strcmp(encoding, "zstd") == 0) {
		ok = ZSTD_decompress(out, (size_t)size, packed, n_packed) ==
		     (size_t)size;
	} else {
		ok = n_packed == (size_t)size;
		if (ok)
			memcpy(out, packed, n_packed);
	}
	if (ok) {
		sha256(out, (size_t)size, found);
		ok = strcmp(found, sha) == 0;
	}
	if (!ok) {
		free(out);
		return -1;
	}
	out[size] = '\0';
	*data = out;
	*n = (size_t)size;
	return 0;
}

int content_get(struct db *db, int64_t id, char **data, size_t *n,
		struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (!id) {
		*data = mem_strdup("");
		*n = 0;
		return 0;
	}
	if (db_query(db, &stmt,
		     "SELECT size, encoding, data, sha256 FROM content"
		     " WHERE id = ?", BIND(value_int(id)), err) < 0)
		return -1;
	rc = db_next(db, stmt, err);
	if (rc == 0)
		rc = damaged(db, id, err);
	else if (rc > 0)
		rc = unpack(stmt, data, n) < 0 ? damaged(db, id, err) : 0;
	db_end(stmt);
	return rc;
}
