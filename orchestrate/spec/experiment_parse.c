#include "orchestrate/spec/experiment_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/binder.h"
#include "orchestrate/spec/design_section.h"
#include "orchestrate/spec/format_version.h"
#include "orchestrate/spec/includes.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/matrix_tags.h"
#include "orchestrate/spec/profiles.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/variables.h"
#include "orchestrate/spec/yaml_cache.h"

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

static const struct form version_form = {
	.kind = FORM_TEXT, .pattern = "1", .what = "1",
};
static const struct form name_form = {
	.kind = FORM_TEXT, .pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
	.what = "a name",
};
static const struct form file_form = { .kind = FORM_TEXT,
				       .what = "a file's name" };
static const struct form files_form = { .kind = FORM_LIST,
					.item = &file_form };
static const struct form include_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &file_form, &files_form, NULL },
};
static const struct form level_text = { .kind = FORM_TEXT,
					.what = "a level's name" };
static const struct form level_object = { .kind = FORM_OBJECT,
					  .table = &level_keys };
static const struct form variables_form = {
	.kind = FORM_MAP, .what = "a variable's name", .item = &value_form,
	.pattern = "[A-Za-z_][A-Za-z0-9_]*",
};
static const struct form level_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &level_text, &level_object,
					     NULL },
};
static const struct form levels_form = { .kind = FORM_LIST,
					 .item = &level_form, .min = 1 };
static const struct form factor_object = { .kind = FORM_OBJECT,
					   .table = &factor_keys };
static const struct form factor_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &levels_form, &factor_object,
					     NULL },
};
static const struct form factors_form = {
	.kind = FORM_MAP, .item = &factor_form, .what = "a factor's name",
};
static const struct form design_form = { .kind = FORM_OBJECT,
					 .table = &design_keys };
static const struct form matrix_form = { .kind = FORM_OBJECT,
					 .table = &matrix_keys };
static const struct form matrices_form = {
	.kind = FORM_MAP, .item = &matrix_form, .min = 1,
	.what = "a matrix's name", .pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};
static const struct form profile_form = { .kind = FORM_OBJECT,
					  .table = &profile_keys };
static const struct form profiles_form = {
	.kind = FORM_MAP, .item = &profile_form,
	.what = "a profile's name", .pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};
static const struct form chart_form = { .kind = FORM_OBJECT,
					.table = &chart_keys };
static const struct form charts_form = {
	.kind = FORM_MAP, .item = &chart_form, .what = "a chart's name",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};
static const struct form table_form = { .kind = FORM_OBJECT,
					.table = &table_keys };
static const struct form tables_form = {
	.kind = FORM_MAP, .item = &table_form, .what = "a table's name",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};

/* Each builds on those above it. */
static const struct key keys[] = {
	{ .name = "assay", BY(format_version_read, SHAPE_TEXT),
	  .required = true, .form = &version_form,
	  .doc = "the version of the file format: 1", .example = "assay: 1" },
	{ .name = "experiment", BY(read_name, SHAPE_TEXT), .required = true,
	  .form = &name_form, .doc = "its name",
	  .example = "experiment: storage-drivers" },
	{ .name = "title", .kind = VALUE_LOCALIZED, AT(title),
	  .doc = "what charts and reports call it",
	  .fallback = "the experiment's name",
	  .example = "title: {en: Storage drivers, fi: Levyajurit}" },
	{ .name = "description", .kind = VALUE_PARAGRAPH, AT(description),
	  .doc = "a paragraph on the question", .fallback = "none",
	  .example = "description: Which driver is fastest for small writes?" },
	{ .name = "include", BY(include_section_read, SHAPE_TEXT | SHAPE_LIST),
	  .form = &include_form,
	  .doc = "files with the same keys, relative to this one: mappings "
		 "are merged key by key, anything else is replaced; this file "
		 "goes over what it includes, later files over earlier ones, "
		 "and a key with nothing behind it removes",
	  .fallback = "none", .example = "include: [hosts.yaml, disks.yaml]" },
	{ .name = "variables", BY(variables_read_section, SHAPE_MAPPING),
	  .form = &variables_form, .fallback = "none",
	  .doc = "variables for all scripts; what hosts, factors, levels and "
		 "benchmarks say is nearer",
	  .example = "variables: {port: 5000, peer: = port + 1}" },
	{ .name = "hosts", BY(hosts_read, SHAPE_MAPPING), .required = true,
	  .table = &host_keys, .form = &hosts_form,
	  .doc = "where runs are made",
	  .example = "hosts: {here: local, sut: {ssh: bench1}}" },
	{ .name = "roles", BY(roles_read, SHAPE_MAPPING), .form = &roles_form,
	  .doc = "parts of a run, and the hosts that can play them",
	  .fallback = "one, \"sut\", of the only host",
	  .example = "roles: {server: sut, client: [load1, load2]}" },
	{ .name = "factors", BY(factors_read, SHAPE_MAPPING),
	  .table = &factor_keys, .form = &factors_form,
	  .doc = "what is varied",
	  .fallback = "none", .example = "factors: {threads: [1, 2, 4]}" },
	{ .name = "setups", BY(setups_read, SHAPE_MAPPING),
	  .table = &setup_keys, .form = &setups_form,
	  .doc = "work that runs share", .fallback = "none",
	  .example = "setups: {build: {per: [compiler], run: make}}" },
	{ .name = "benchmarks", BY(benchmarks_read, SHAPE_MAPPING),
	  .required = true, .table = &benchmark_keys, .form = &benchmarks_form,
	  .doc = "what is measured",
	  .example = "benchmarks: {randread: {use: fio, with: {size: 16G}}}" },
	{ .name = "analysis", .kind = VALUE_OBJECT, .table = &analysis_keys,
	  .doc = "what is compared",
	  .example = "analysis: {baseline: {platform: native}}" },
	{ .name = "design", BY(design_read, SHAPE_MAPPING),
	  .absent = design_absent, .table = &design_keys,
	  .form = &design_form, .doc = "which runs are made",
	  .fallback = "every combination of levels, once",
	  .example = "design: {kind: full-factorial, replicates: 10}" },
	{ .name = "matrices", BY(matrices_read, SHAPE_MAPPING),
	  .table = &matrix_keys, .form = &matrices_form,
	  .doc = "parts of the experiment with factors, benchmarks and a "
		 "design of their own; they are not crossed with each other",
	  .fallback = "one of all factors and benchmarks",
	  .example = "matrices: {disk: {factors: [storage], benchmarks: "
		     "[fio]}, net: {factors: [mtu], benchmarks: [iperf]}}" },
	{ .name = "profiles", BY(profiles_section_read, SHAPE_MAPPING),
	  .table = &profile_keys, .form = &profiles_form,
	  .doc = "named changes of this file, for --profile: what one has "
		 "goes over the file like over what it includes",
	  .fallback = "none",
	  .example = "profiles: {quick: {design: {replicates: 2}}}" },
	{ .name = "charts", BY(charts_read, SHAPE_MAPPING),
	  .table = &chart_keys, .form = &charts_form, .doc = "what is drawn",
	  .fallback = "none",
	  .example = "charts: {speed: {kind: bars, x: platform, y: "
		     "bandwidth}}" },
	{ .name = "tables", BY(tables_read, SHAPE_MAPPING),
	  .table = &table_keys, .form = &tables_form,
	  .doc = "what is tabulated", .fallback = "none",
	  .example = "tables: {all: {y: bandwidth, rows: platform}}" },
	{ .name = "report", .kind = VALUE_OBJECT, .table = &report_keys,
	  .doc = "the document", .example = "report: {template: default}" },
	{ .name = "claims", .kind = VALUE_LATER,
	  .doc = "statements to check" },
};

const struct key_table experiment_keys =
	KEY_TABLE("an experiment", keys, .elsewhere = "include");

static void complete(struct experiment *e)
{
	layers_build(e);
	if (e->name && !e->title.n)
		localized_add(&e->title, "", e->name);
	if (!e->report_template)
		e->report_template = mem_strdup("default");
	if (!e->report_language)
		e->report_language = mem_strdup("en");
}

static int wrong_root(struct reading *r, const char *file,
		      const struct yaml_node *root)
{
	struct mark whole = { .file = file };

	if (!root || yaml_is_nothing(root))
		return problems_add(r->problems, whole,
				    "the file is empty; an experiment starts "
				    "with \"assay: 1\"");
	if (root->kind != YAML_MAPPING)
		return problems_add(r->problems, root->mark,
				    "an experiment is a mapping that starts "
				    "with \"assay: 1\", not %s",
				    yaml_shape(root));
	return format_is_newer(r, root) ? -1 : 0;
}

/* From the tree with all that it includes. */
static void read_tree(struct reading *r, const struct yaml_node *root)
{
	root = profiles_apply(r, root);
	if (!root)
		return;
	r->root = root;
	keys_read(r, &experiment_keys, root->mark, root, r->e);
	complete(r->e);
	experiment_check(r);
	matrices_narrow(r);
}

static void read_root(struct reading *r, const char *file,
		      const struct yaml_node *root)
{
	struct includes in;

	if (wrong_root(r, file, root) < 0)
		return;
	if (includes_read(&in, r, file, root) == 0) {
		r->made = &in.made;
		read_tree(r, in.root);
		r->root = NULL;
		r->made = NULL;
	}
	includes_release(&in);
}

static void prepare(struct experiment *e, const char *path)
{
	*e = (struct experiment){
		.path = mem_strdup(path),
		.dir = path_dir(path),
		.margin = 0.01,
	};
	strlist_push(&e->files, path);
}

/* `doc` NULL: there is no tree. */
static int finish(struct reading *r, const struct yaml_doc *doc)
{
	int rc;

	if (doc)
		read_root(r, r->e->files.items[0], doc->root);
	rc = r->problems->total > r->before ? -1 : 0;
	problems_sort(r->problems);
	problems_unique(r->problems);
	if (!rc)
		r->e->binder = binder_new(r->e);
	return rc;
}

int experiment_parse(struct experiment *e, const char *path, const char *data,
		     size_t n, const struct resolver *resolver,
		     const struct experiment_options *options,
		     struct problems *p)
{
	struct reading r = { .problems = p, .e = e, .resolver = resolver,
			     .grammar = &experiment_keys,
			     .options = options, .before = p->total };
	struct yaml_doc doc;
	int rc;

	prepare(e, path);
	rc = yaml_doc_parse(&doc, e->files.items[0], data, n, p);
	rc = finish(&r, rc ? NULL : &doc);
	yaml_doc_release(&doc);
	return rc;
}

int experiment_read(struct experiment *e, const char *path,
		    const struct resolver *resolver,
		    const struct experiment_options *options,
		    struct problems *p)
{
	struct reading r = { .problems = p, .e = e, .resolver = resolver,
			     .grammar = &experiment_keys,
			     .options = options, .before = p->total };
	struct yaml_cache own = YAML_CACHE_INIT;
	struct yaml_cache *cache =
		options && options->cache ? options->cache : &own;
	int rc;

	prepare(e, path);
	rc = finish(&r, yaml_cache_load(cache, e->files.items[0],
					"an experiment file", p));
	yaml_cache_release(&own);
	return rc;
}
