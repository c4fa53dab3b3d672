#include "orchestrate/spec/experiment_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/value.h"

#define FORMAT 1

static void read_version(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	uint64_t v;

	(void)into;
	if (!value_count(value->text, &v) || v != FORMAT)
		problems_add(r->problems, value->mark,
			     "\"assay\" is the version of the file format: "
			     "write 1, not \"%s\"",
			     problem_quote(quoted, value->text));
}

static void read_name(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct experiment *e = into;

	e->name = mem_strdup(value->text);
	reading_name(r, value->mark, "experiment", value->text);
}

#define AT(member) .offset = offsetof(struct experiment, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct key keys[] = {
	{ .name = "assay", BY(read_version, SHAPE_TEXT), .required = true,
	  .doc = "the version of the file format: 1" },
	{ .name = "experiment", BY(read_name, SHAPE_TEXT), .required = true,
	  .doc = "its name" },
	{ .name = "title", .kind = VALUE_LOCALIZED, AT(title),
	  .doc = "what charts and reports call it" },
	{ .name = "description", .kind = VALUE_PARAGRAPH, AT(description),
	  .doc = "a paragraph on the question" },
	{ .name = "hosts", BY(hosts_read, SHAPE_MAPPING), .required = true,
	  .table = &host_keys, .doc = "where runs are made" },
	{ .name = "roles", BY(roles_read, SHAPE_MAPPING),
	  .doc = "parts of a run, and the hosts that can play them" },
	{ .name = "factors", BY(factors_read, SHAPE_MAPPING),
	  .table = &factor_keys, .doc = "what is varied" },
	{ .name = "setups", BY(setups_read, SHAPE_MAPPING),
	  .table = &setup_keys, .form = &setups_form,
	  .doc = "work that runs share",
	  .example = "setups: {build: {per: [compiler], run: make}}" },
	{ .name = "design", BY(design_read, SHAPE_MAPPING),
	  .table = &design_keys, .doc = "which runs are made" },
	{ .name = "benchmarks", BY(benchmarks_read, SHAPE_MAPPING),
	  .required = true, .table = &benchmark_keys,
	  .doc = "what is measured" },
	{ .name = "analysis", .kind = VALUE_OBJECT, .table = &analysis_keys,
	  .doc = "what is compared" },
	{ .name = "charts", BY(charts_read, SHAPE_MAPPING),
	  .table = &chart_keys, .doc = "what is drawn" },
	{ .name = "tables", BY(tables_read, SHAPE_MAPPING),
	  .table = &table_keys, .doc = "what is tabulated" },
	{ .name = "report", .kind = VALUE_OBJECT, .table = &report_keys,
	  .doc = "the document" },
	{ .name = "include", .kind = VALUE_LATER, .doc = "further files" },
	{ .name = "claims", .kind = VALUE_LATER,
	  .doc = "statements to check" },
	{ .name = "profiles", .kind = VALUE_LATER, .doc = "named subsets" },
};

const struct key_table experiment_keys = KEY_TABLE("an experiment", keys);

/* Whether the file says that a newer format follows: then what else is wrong
 * with it in our eyes does not matter. */
static bool is_newer(struct reading *r, const struct yaml_node *root)
{
	const struct yaml_pair *version = yaml_get(root, "assay");
	uint64_t v;

	if (!version || version->value->kind != YAML_SCALAR ||
	    !value_count(version->value->text, &v) || v <= FORMAT)
		return false;
	problems_add(r->problems, version->value->mark,
		     "made for a newer assay: it has format %llu, this assay "
		     "reads format %d; install a newer one",
		     (unsigned long long)v, FORMAT);
	return true;
}

static void complete(struct experiment *e)
{
	matrix_take_all(&e->matrices[0], e);
	layers_build(e);
	if (e->name && !e->title.n)
		localized_add(&e->title, "", e->name);
	if (!e->report_template)
		e->report_template = mem_strdup("default");
	if (!e->report_language)
		e->report_language = mem_strdup("en");
}

static void read_root(struct reading *r, const char *file,
		      const struct yaml_node *root)
{
	struct mark whole = { .file = file };

	if (!root || yaml_is_nothing(root)) {
		problems_add(r->problems, whole,
			     "the file is empty; an experiment starts with "
			     "\"assay: 1\"");
		return;
	}
	if (root->kind != YAML_MAPPING) {
		problems_add(r->problems, root->mark,
			     "an experiment is a mapping that starts with "
			     "\"assay: 1\", not %s", yaml_shape(root));
		return;
	}
	if (is_newer(r, root))
		return;
	keys_read(r, &experiment_keys, root->mark, root, r->e);
	complete(r->e);
	experiment_check(r, root);
}

static void prepare(struct experiment *e, const char *path)
{
	*e = (struct experiment){
		.path = mem_strdup(path),
		.dir = path_dir(path),
		.margin = 0.01,
		.n_matrices = 1,
	};
	e->matrices = mem_zalloc(1, sizeof(*e->matrices));
	e->matrices[0].name = mem_strdup("");
	e->matrices[0].replicates = e->matrices[0].replicates_max = 1;
	strlist_push(&e->files, path);
}

static int finish(struct reading *r, struct yaml_doc *doc, int rc)
{
	if (!rc)
		read_root(r, r->e->files.items[0], doc->root);
	yaml_doc_release(doc);
	problems_sort(r->problems);
	return r->problems->total > r->before ? -1 : 0;
}

int experiment_parse(struct experiment *e, const char *path, const char *data,
		     size_t n, const struct resolver *resolver,
		     const struct experiment_options *options,
		     struct problems *p)
{
	struct reading r = { .problems = p, .e = e, .resolver = resolver,
			     .options = options, .before = p->total };
	struct yaml_doc doc;
	int rc;

	prepare(e, path);
	rc = yaml_doc_parse(&doc, e->files.items[0], data, n, p);
	return finish(&r, &doc, rc);
}

int experiment_read(struct experiment *e, const char *path,
		    const struct resolver *resolver,
		    const struct experiment_options *options,
		    struct problems *p)
{
	struct reading r = { .problems = p, .e = e, .resolver = resolver,
			     .options = options, .before = p->total };
	struct yaml_doc doc;
	int rc;

	prepare(e, path);
	rc = yaml_doc_load(&doc, e->files.items[0], "an experiment file", p);
	return finish(&r, &doc, rc);
}
