#include "orchestrate/store/fault.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/path.h"
#include "orchestrate/store/db.h"
#include "orchestrate/store/mount.h"

#define KEPT \
	"free some and run `assay run` again: finished runs that could not " \
	"be recorded are kept on their hosts"

static bool is_space(int number)
{
	return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

static int no_space(const char *path, int number, struct error *err)
{
	struct buf where = BUF_INIT;

	mount_describe(path, &where);
	if (number == EDQUOT)
		error_set(err, ERROR_ENVIRONMENT,
			  "%s: your disk quota on %s is used up: " KEPT, path,
			  where.data);
	else if (number == EFBIG)
		error_set(err, ERROR_ENVIRONMENT,
			  "%s: may not grow further (`ulimit -f`, or the limit "
			  "of %s): raise it and run `assay run` again: "
			  "finished runs that could not be recorded are kept "
			  "on their hosts", path, where.data);
	else
		error_set(err, ERROR_ENVIRONMENT,
			  "%s: no space left on %s: " KEPT, path, where.data);
	buf_release(&where);
	return -1;
}

/* SQLite does not always keep errno (shared memory, for one). */
static bool is_full(const char *path)
{
	char *dir = path_dir(path);
	struct statvfs fs;
	bool full = statvfs(dir, &fs) == 0 && fs.f_blocks &&
		   (!fs.f_bavail || (fs.f_files && !fs.f_favail));

	free(dir);
	return full;
}

int fault_errno(const char *path, const char *what, int number,
		struct error *err)
{
	if (is_space(number))
		return no_space(path, number, err);
	return error_set(err, ERROR_ENVIRONMENT, "cannot %s %s: %s", what,
			 path, strerror(number));
}

/* The last errno of the database or of its log: a commit that fails does not
 * bring it into sqlite3_system_errno(). */
static int file_errno(sqlite3 *handle, int pointer)
{
	sqlite3_file *file = NULL;
	int number = 0;

	if (sqlite3_file_control(handle, "main", pointer, &file) !=
		    SQLITE_OK || !file || !file->pMethods)
		return 0;
	file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
	return number;
}

static int fault_io(const struct db *db, int number, struct error *err)
{
	static const int pointers[] = {
		SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER,
	};

	for (int i = 0; i < 2 && db->handle && !is_space(number); i++) {
		int of_file = file_errno(db->handle, pointers[i]);

		if (is_space(of_file) || !number)
			number = of_file;
	}
	if (is_space(number))
		return no_space(db->path, number, err);
	if (is_full(db->path))
		return no_space(db->path, ENOSPC, err);
	return error_set(err, ERROR_ENVIRONMENT,
			 "%s: cannot be read or written (%s): see to its disk "
			 "and run again", db->path,
			 number ? strerror(number) :
				  sqlite3_errmsg(db->handle));
}

static int fault_open(const struct db *db, int number, struct error *err)
{
	if (is_space(number) || is_full(db->path))
		return no_space(db->path, number, err);
	return error_set(err, ERROR_ENVIRONMENT, "%s: cannot be opened: %s",
			 db->path,
			 number ? strerror(number) :
				  sqlite3_errmsg(db->handle));
}

int fault_set(const struct db *db, int code, struct error *err)
{
	int number = db->handle ? sqlite3_system_errno(db->handle) : 0;

	switch (code & 0xff) {
	case SQLITE_FULL:
		return no_space(db->path, ENOSPC, err);
	case SQLITE_IOERR:
		return fault_io(db, number, err);
	case SQLITE_CANTOPEN:
		return fault_open(db, number, err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: another program holds a lock on it (a "
				 "database tool with an open transaction?): "
				 "close that and run again", db->path);
	case SQLITE_READONLY:
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: not writable: change its permissions, or "
				 "those of its directory", db->path);
	case SQLITE_CORRUPT:
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: damaged (%s): put a copy of it back; "
				 "`sqlite3 %s .recover` saves what can still "
				 "be read", db->path,
				 sqlite3_errmsg(db->handle), db->path);
	case SQLITE_NOTADB:
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: not an SQLite file, so no results of "
				 "assay: move it away", db->path);
	default:
		return error_set(err, ERROR_ENVIRONMENT, "%s: %s", db->path,
				 db->handle ? sqlite3_errmsg(db->handle) :
					      sqlite3_errstr(code));
	}
}
