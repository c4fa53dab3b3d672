#include "orchestrate/exec/known_programs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/path.h"

/* A line is a digest; a file that has grown beyond this starts anew. */
#define LINE (HASH_HEX_SIZE)
#define MOST_BYTES (4096 * LINE)

/* Caller frees; NULL when there is no such place. */
static char *find_file(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && *cache == '/')
		return mem_printf("%s/assay/jq-programs", cache);
	if (home && *home == '/')
		return mem_printf("%s/.cache/assay/jq-programs", home);
	return NULL;
}

/* The line for a program: another version may compile it differently. */
static void make_line(const char *program, char line[LINE + 1])
{
	struct hash *h = hash_new();

	hash_add_string(h, ASSAY_VERSION);
	hash_add_string(h, program);
	hash_finish(h, line);
	hash_free(h);
	strcpy(line + LINE - 1, "\n");
}

static bool has_line(const struct buf *text, const char *line)
{
	for (size_t at = 0; at + LINE <= text->n; at += LINE)
		if (!memcmp(text->data + at, line, LINE))
			return true;
	return false;
}

bool known_programs_has(const char *program)
{
	char *file = find_file();
	struct buf text = BUF_INIT;
	char line[LINE + 1];
	struct error err;
	bool has = false;

	if (file && path_exists(file) &&
	    path_read(file, MOST_BYTES, &text, &err) == 0) {
		make_line(program, line);
		has = has_line(&text, line);
	}
	buf_release(&text);
	free(file);
	return has;
}

/* One write of a whole line: lines of two processes do not mix. */
static void append(const char *file, const char *line)
{
	int fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	off_t end;

	if (fd < 0)
		return;
	end = lseek(fd, 0, SEEK_END);
	if (end >= 0 && (end % LINE || end + LINE > MOST_BYTES) &&
	    ftruncate(fd, 0) < 0)
		end = -1;
	if (end >= 0 && write(fd, line, LINE) < 0)
		end = -1;
	close(fd);
}

void known_programs_add(const char *program)
{
	char *file = find_file();
	char *dir = file ? path_dir(file) : NULL;
	char line[LINE + 1];
	struct error err;

	if (dir && path_make_dirs(dir, &err) == 0) {
		make_line(program, line);
		append(file, line);
	}
	free(dir);
	free(file);
}
