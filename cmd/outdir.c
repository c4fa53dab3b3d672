#include "cmd/outdir.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "cmd/subject.h"

char *outdir_make(const struct subject *s, const char *out, struct error *err)
{
	char *store_dir = path_dir(s->store_path);
	char *dir;

	if (out)
		dir = mem_strdup(out);
	else if (!strcmp(store_dir, "."))
		dir = mem_strdup(s->experiment.name);
	else
		dir = path_join(store_dir, s->experiment.name);
	if (path_make_dirs(dir, err)) {
		free(dir);
		dir = NULL;
	}
	free(store_dir);
	return dir;
}

int outdir_write(const char *dir, const char *name, const char *extension,
		 const struct buf *content, struct buf *told,
		 struct error *err)
{
	char *file = mem_printf("%s.%s", name, extension);
	char *path = path_join(dir, file);
	int rc = path_write(path, content->data, content->n, err);

	if (!rc)
		buf_addf(told, "%s\n", path);
	free(file);
	free(path);
	return rc;
}
