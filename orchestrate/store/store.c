#include "orchestrate/store/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/store/mount.h"
#include "orchestrate/store/schema.h"
#include "orchestrate/store/store_private.h"

static int no_results(const char *path, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "no results yet (%s): run `assay run` first", path);
}

/* Readers cannot keep a journal where nothing can be made: a finished store
 * is then read as it lies there, provided that no journal is left over. */
static int open_unwritable(struct store *s, const char *path,
			   struct error *err)
{
	char *wal = mem_printf("%s-wal", path);
	struct stat st;
	int rc;

	if (stat(wal, &st) == 0 && st.st_size > 0)
		rc = error_set(err, ERROR_ENVIRONMENT,
			       "%s: its directory is not writable, but %s has "
			       "to be worked in first: make it writable, or "
			       "copy both elsewhere", path, wal);
	else
		rc = db_open(&s->db, path, DB_IMMUTABLE, err);
	free(wal);
	return rc;
}

static int is_unwritable(const char *path)
{
	char *dir = path_dir(path);
	int no = access(dir, W_OK) < 0;

	free(dir);
	return no;
}

/* Whether the tables can be read at all tells where the file lies. */
static int open_reader(struct store *s, const char *path, struct error *err)
{
	struct error first = ERROR_INIT;
	int64_t n;

	if (db_open(&s->db, path, DB_READ, &first) == 0) {
		if (db_int(&s->db, &n, "SELECT count(*) FROM sqlite_schema",
			   BIND_NONE, &first) >= 0)
			return 0;
		db_release(&s->db);
	}
	if (is_unwritable(path))
		return open_unwritable(s, path, err);
	*err = first;
	return -1;
}

/* An older format is brought up to date before it is read. */
static int update(const char *path, struct error *err)
{
	struct store *writer = NULL;

	if (store_open(&writer, path, STORE_WRITE, err) < 0)
		return error_context(err, "%s: has to be brought to this "
				     "assay's format first", path);
	store_close(writer);
	return 0;
}

/* 0 a file with something in it, 1 none or an empty one. */
static int look_at(const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 1;
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: cannot be opened: %s", path,
				 strerror(errno));
	}
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: not a file, so no results of assay: move "
				 "it away", path);
	return st.st_size == 0;
}

/* Until it is closed a reader sees one state, so that what it draws and the
 * digest it puts beside it belong together. The first query fixes it. */
static int keep_state(struct db *db, struct error *err)
{
	int64_t n;

	if (db_read_begin(db, err) < 0)
		return -1;
	return db_int(db, &n, "SELECT count(*) FROM campaign", BIND_NONE, err);
}

static int open_read(struct store *s, const char *path, struct error *err)
{
	size_t format;
	int rc = look_at(path, err);

	if (rc)
		return rc < 0 ? -1 : no_results(path, err);
	if (open_reader(s, path, err) < 0)
		return -1;
	rc = schema_identify(&s->db, schema_n_steps, &format, err);
	if (rc > 0)
		return no_results(path, err);
	if (!rc && format < schema_n_steps) {
		db_release(&s->db);
		if (update(path, err) < 0)
			return -1;
		rc = open_reader(s, path, err);
	}
	return rc < 0 ? -1 : keep_state(&s->db, err);
}

/* WAL lets readers read while a run is written. */
static int use_wal(struct db *db, struct error *err)
{
	struct buf where = BUF_INIT;
	sqlite3_stmt *stmt = NULL;
	const char *mode;
	int rc;

	if (db_query(db, &stmt, "PRAGMA journal_mode = WAL", BIND_NONE,
		     err) < 0)
		return -1;
	rc = db_next(db, stmt, err);
	mode = rc > 0 ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
	if (rc >= 0 && (!mode || strcmp(mode, "wal") != 0)) {
		mount_describe(db->path, &where);
		rc = error_set(err, ERROR_ENVIRONMENT,
			       "%s: %s cannot hold a database that several "
			       "programs use: put the results on a local disk",
			       db->path, where.data);
		buf_release(&where);
	}
	db_end(stmt);
	return rc < 0 ? -1 : 0;
}

static int remember_place(struct store *s, const char *path,
			  struct error *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: cannot be opened: %s", path,
				 strerror(errno));
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	return 0;
}

static int open_write(struct store *s, const char *path, struct error *err)
{
	char *dir = path_dir(path);
	int rc = path_make_dirs(dir, err);
	size_t format;

	free(dir);
	if (rc < 0 || look_at(path, err) < 0 ||
	    lock_take(&s->lock, path, err) < 0 ||
	    db_open(&s->db, path, DB_WRITE, err) < 0)
		return -1;
	/* SQLite opens for reading what it may not write */
	if (sqlite3_db_readonly(s->db.handle, "main") == 1)
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: not writable: change its permissions, or "
				 "name another place", path);
	if (schema_identify(&s->db, schema_n_steps, &format, err) < 0 ||
	    use_wal(&s->db, err) < 0)
		return -1;
	if (schema_migrate(&s->db, schema_steps, schema_n_steps, err) < 0)
		return -1;
	return remember_place(s, path, err);
}

int store_check_place(const struct store *s, struct error *err)
{
	struct stat st;

	if (stat(s->db.path, &st) == 0 && st.st_dev == s->dev &&
	    st.st_ino == s->ino)
		return 0;
	return error_set(err, ERROR_ENVIRONMENT,
			 "%s was removed or replaced while assay was writing "
			 "to it: put that file back, if it was moved, then "
			 "run `assay run` again", s->db.path);
}

int store_open(struct store **out, const char *path, enum store_mode mode,
	       struct error *err)
{
	struct store *s = mem_zalloc(1, sizeof(*s));
	int rc;

	s->lock.fd = -1;
	rc = mode == STORE_WRITE ? open_write(s, path, err) :
				   open_read(s, path, err);
	if (rc < 0) {
		store_close(s);
		return -1;
	}
	*out = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	db_release(&s->db);
	lock_release(&s->lock);
	free(s);
}

const char *store_path(const struct store *s)
{
	return s->db.path;
}
