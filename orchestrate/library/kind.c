#include "orchestrate/library/kind.h"

#include <string.h>

#include "orchestrate/library/definition.h"

static void *read_treatment(const struct yaml_doc *doc, const char *file,
			    const char *name, struct problems *p)
{
	return treatment_read(doc, file, name, p);
}

static void *read_benchmark(const struct yaml_doc *doc, const char *file,
			    const char *name, struct problems *p)
{
	return benchmark_read(doc, file, name, p);
}

static void *read_monitor(const struct yaml_doc *doc, const char *file,
			  const char *name, struct problems *p)
{
	return monitor_read(doc, file, name, p);
}

const struct kind kind_treatment = { "treatment", "treatments",
				     read_treatment };
const struct kind kind_benchmark = { "benchmark", "benchmarks",
				     read_benchmark };
const struct kind kind_monitor = { "monitor", "monitors", read_monitor };

/* The name that marks may borrow for as long as the list lives. */
static const char *keep(struct strlist *files, const char *file)
{
	for (size_t i = 0; i < files->n; i++)
		if (!strcmp(files->items[i], file))
			return files->items[i];
	strlist_push(files, file);
	return files->items[files->n - 1];
}

void *kind_load(const struct kind *kind, const char *file, const char *name,
		struct yaml_cache *cache, struct strlist *files,
		struct problems *p)
{
	const char *kept = keep(files, file);
	const struct yaml_doc *doc =
		yaml_cache_load(cache, kept, "a definition", p);

	return doc ? kind->read(doc, kept, name, p) : NULL;
}
