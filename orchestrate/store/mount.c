#include "orchestrate/store/mount.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"

/* The path with links resolved, or of the nearest directory that exists. */
static char *resolve(const char *path)
{
	char *at = mem_strdup(path), *real;

	while (!(real = realpath(at, NULL))) {
		char *up = path_dir(at);

		if (strcmp(up, at) == 0) {
			free(up);
			break;
		}
		free(at);
		at = up;
	}
	free(at);
	return real ? real : mem_strdup("/");
}

/* proc(5): space, tab, newline and backslash are three octal digits. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3) {
			char digits[4] = { s[1], s[2], s[3], '\0' };

			*to++ = (char)strtol(digits, NULL, 8);
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

static int is_under(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(path, dir, n) == 0 &&
	       (path[n] == '/' || path[n] == '\0' || strcmp(dir, "/") == 0);
}

/*
 * A line of /proc/self/mountinfo: "id parent major:minor root POINT options
 * fields - type SOURCE ...". Returns 0 when it has that shape.
 */
static int parse_line(char *line, char **point, char **source)
{
	char *save = NULL, *tail = strstr(line, " - ");

	if (!tail)
		return -1;
	*tail = '\0';
	*point = strtok_r(line, " ", &save);
	for (int i = 0; i < 4 && *point; i++)
		*point = strtok_r(NULL, " ", &save);
	strtok_r(tail + 3, " \n", &save);
	*source = strtok_r(NULL, " \n", &save);
	if (!*point || !*source)
		return -1;
	unescape(*point);
	unescape(*source);
	return 0;
}

void mount_describe(const char *path, struct buf *out)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *real = resolve(path), *line = NULL;
	char *best_point = NULL, *best_source = NULL;
	char *point, *source;
	size_t cap = 0;

	while (f && getline(&line, &cap, f) > 0) {
		/* of mounts at the same place the later is on top */
		if (parse_line(line, &point, &source) < 0 ||
		    !is_under(real, point) ||
		    (best_point && strlen(point) < strlen(best_point)))
			continue;
		free(best_point);
		free(best_source);
		best_point = mem_strdup(point);
		best_source = mem_strdup(source);
	}
	if (best_point)
		buf_addf(out, "%s (%s)", best_source, best_point);
	else
		buf_adds(out, "its file system");
	if (f)
		fclose(f);
	free(line);
	free(real);
	free(best_point);
	free(best_source);
}
