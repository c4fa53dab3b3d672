#include "orchestrate/spec/yaml_doc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/path.h"

/* The message of path_read() without the file name that a problem has. */
static const char *without_name(const char *text, const char *file)
{
	size_t n = strlen(file);

	return !strncmp(text, file, n) && !strncmp(text + n, ": ", 2) ?
		       text + n + 2 : text;
}

int yaml_doc_load(struct yaml_doc *d, const char *file, const char *what,
		  struct problems *p)
{
	struct mark whole = { .file = file };
	struct error err = ERROR_INIT;
	struct buf data = BUF_INIT;
	struct stat st;
	int rc;

	*d = (struct yaml_doc){ .root = NULL };
	if (stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size > YAML_DOC_MAX_FILE)
		return problems_add(p, whole,
				    "%lld bytes; %s may have at most %d MiB",
				    (long long)st.st_size, what,
				    YAML_DOC_MAX_MIB);
	if (path_read(file, YAML_DOC_MAX_FILE, &data, &err) < 0)
		rc = problems_add(p, whole, "%s",
				  without_name(err.text, file));
	else
		rc = yaml_doc_parse(d, file, data.data, data.n, p);
	buf_release(&data);
	return rc;
}

void yaml_doc_release(struct yaml_doc *d)
{
	for (size_t i = 0; i < d->n_nodes; i++) {
		struct yaml_node *node = d->nodes[i];

		for (size_t k = 0; k < node->n_pairs; k++)
			free(node->pairs[k].key);
		free(node->pairs);
		free(node->items);
		free(node->text);
		free(node);
	}
	free(d->nodes);
	*d = (struct yaml_doc){ .root = NULL };
}

const struct yaml_pair *yaml_get(const struct yaml_node *map, const char *key)
{
	for (size_t i = 0; map && i < map->n_pairs; i++)
		if (!strcmp(map->pairs[i].key, key))
			return &map->pairs[i];
	return NULL;
}

bool yaml_is_nothing(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR && node->plain && !node->text[0];
}

const char *yaml_shape(const struct yaml_node *node)
{
	if (yaml_is_nothing(node))
		return "nothing";
	switch (node->kind) {
	case YAML_SEQUENCE:
		return "a list";
	case YAML_MAPPING:
		return "a mapping";
	default:
		return "text";
	}
}
