/*
 * Any bytes as an experiment file, the whole way from text to expanded design,
 * schedule and variables, and as a definition. Beside crashes it looks for
 * broken promises: an experiment that loads has no dangling index, one that
 * does not has a message, and messages are single lines of UTF-8.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "base/utf8.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/role.h"
#include "orchestrate/spec/treatment_def.h"
#include "stats/fraction.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                     \
	do {                                                                \
		if (!(condition)) {                                         \
			fprintf(stderr, "line %d: %s\n", __LINE__,          \
				#condition);                                \
			abort();                                            \
		}                                                           \
	} while (0)

static const char treatment_text[] =
	"treatment: t\n"
	"params: {p: {type: integer, max: 9, default: 1}, q: {doc: required}}\n"
	"levels: [a, b]\nset: {s: '${p}', u: = level}\nenter: sh -s\n"
	"save: s\napply: a\nverify: v\nrevert: r\n";

static const char benchmark_text[] =
	"benchmark: b\n"
	"params: {p: {default: 1}, q: {}}\n"
	"needs: [x]\ntimeout: 1m\nrun: r\nlabel: {en: l}\n"
	"responses: {r: {json: ., uom: s, better: lower}}\n";

static const char monitor_text[] =
	"monitor: m\n"
	"params: {p: {default: 1}}\n"
	"needs: [x]\nrun: r\nresponses: {r: {json: .}}\n";

/* Names that start with t, b or m are found. */
static struct treatment_def *find_treatment(void *ctx, const char *name,
					    struct mark use,
					    struct strlist *files,
					    struct problems *p)
{
	struct treatment_def *d;
	struct yaml_doc doc;

	(void)ctx;
	(void)files;
	if (name[0] != 't') {
		problems_add(p, use, "not found");
		return NULL;
	}
	MUST(yaml_doc_parse(&doc, "t.yaml", treatment_text,
			    strlen(treatment_text), p) == 0);
	d = treatment_read(&doc, "t.yaml", "t", p);
	yaml_doc_release(&doc);
	MUST(d);
	return d;
}

/* "tf": every level of it is the one treatment there is. */
static bool find_family(void *ctx, const char *name, struct strlist *levels)
{
	(void)ctx;
	if (strcmp(name, "tf"))
		return false;
	strlist_push(levels, "a");
	strlist_push(levels, "b");
	return true;
}

static struct benchmark_def *find_benchmark(void *ctx, const char *name,
					    struct mark use,
					    struct strlist *files,
					    struct problems *p)
{
	struct benchmark_def *d;
	struct yaml_doc doc;

	(void)ctx;
	(void)files;
	if (name[0] != 'b') {
		problems_add(p, use, "not found");
		return NULL;
	}
	MUST(yaml_doc_parse(&doc, "b.yaml", benchmark_text,
			    strlen(benchmark_text), p) == 0);
	d = benchmark_read(&doc, "b.yaml", "b", p);
	yaml_doc_release(&doc);
	MUST(d);
	return d;
}

static struct monitor_def *find_monitor(void *ctx, const char *name,
					struct mark use, struct strlist *files,
					struct problems *p)
{
	struct monitor_def *d;
	struct yaml_doc doc;

	(void)ctx;
	(void)files;
	if (name[0] != 'm') {
		problems_add(p, use, "not found");
		return NULL;
	}
	MUST(yaml_doc_parse(&doc, "m.yaml", monitor_text,
			    strlen(monitor_text), p) == 0);
	d = monitor_read(&doc, "m.yaml", "m", p);
	yaml_doc_release(&doc);
	MUST(d);
	return d;
}

static void check_problems(const struct problems *p)
{
	MUST(p->n <= PROBLEMS_MAX && p->n <= p->total);
	for (size_t i = 0; i < p->n; i++) {
		const char *text = p->items[i].text;

		MUST(text[0] && utf8_valid(text, strlen(text), NULL));
		MUST(!strpbrk(text, "\n\r\t\x1b"));
		MUST(strlen(text) < 1024);
	}
}

static void check_conditions(const struct experiment *e,
			     const struct condition *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		MUST(c[i].factor < e->n_factors);
		MUST(c[i].level < e->factors[c[i].factor].n_levels ||
		     c[i].level == DESIGN_ABSENT);
	}
}

static void check_drawings(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_charts; i++) {
		const struct chart *c = &e->charts[i];

		MUST(c->benchmark < e->n_benchmarks);
		MUST(c->response < e->benchmarks[c->benchmark].n_responses);
		MUST(c->x < e->n_factors);
		MUST(c->series >= -1 && c->series < (int)e->n_factors);
		check_conditions(e, c->where, c->n_where);
	}
	for (size_t i = 0; i < e->n_tables; i++) {
		const struct table_spec *t = &e->tables[i];

		MUST(t->benchmark < e->n_benchmarks);
		MUST(t->response < e->benchmarks[t->benchmark].n_responses);
		for (size_t k = 0; k < t->n_rows; k++)
			MUST(t->rows[k] < e->n_factors);
		MUST(t->columns >= -1 && t->columns < (int)e->n_factors);
		check_conditions(e, t->where, t->n_where);
	}
}

static void check_use(const struct treatment_use *t)
{
	MUST(t->n_given <= t->n_params);
	MUST(t->def || !t->n_params);
	for (size_t i = 0; i < t->n_params; i++)
		MUST(!t->params[i].value != !t->params[i].lookup);
}

static void check_level(const struct experiment *e, size_t factor,
			size_t level)
{
	const struct level_use *u = &e->uses[factor].levels[level];

	MUST(e->factors[factor].levels[level].name[0]);
	MUST(u->mark.line && u->n_given <= u->n_vars);
	check_use(&u->treatment);
	for (size_t i = 0; i < u->n_vars; i++)
		MUST(!u->vars[i].value != !u->vars[i].lookup);
}

static void check_factors(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_factors; i++) {
		MUST(e->factors[i].n_levels);
		MUST(e->uses[i].definition || !e->uses[i].treatment.def);
		check_use(&e->uses[i].treatment);
		for (size_t k = 0; k < e->factors[i].n_levels; k++)
			check_level(e, i, k);
	}
}

/* Either text, or a look-up; whose cases and else are texts. */
static void check_text_or_lookup(const char *text, const struct lookup *l)
{
	MUST(!text != !l);
	if (!l)
		return;
	MUST(l->by && l->n_cases);
	for (size_t i = 0; i < l->n_cases; i++)
		MUST(l->cases[i].name && l->cases[i].value);
}

static void check_services(const struct benchmark *b)
{
	for (size_t i = 0; i < b->n_services; i++) {
		const struct service *s = &b->services[i];

		MUST(s->name && s->name[0] && s->timeout > 0);
		MUST((s->ready == READY_NOW) == !s->ready_value);
		check_text_or_lookup(s->role, s->role_by);
		check_text_or_lookup(s->script, s->script_by);
	}
}

static void check_monitors(const struct benchmark *b)
{
	for (size_t i = 0; i < b->n_monitors; i++) {
		const struct monitor *m = &b->monitors[i];

		MUST(m->name && m->name[0] && m->script && m->interval > 0);
		MUST(m->n_given <= m->n_params);
		check_text_or_lookup(m->role, m->role_by);
	}
}

/* Whatever the levels and the host, there is a role that runs a script. */
static void check_parts(const struct experiment *e, const struct benchmark *b)
{
	size_t *levels = mem_zalloc(e->n_factors, sizeof(*levels));
	const char *role = benchmark_role(e, b, levels);
	int i = role ? role_find(e, role) : -1;

	MUST(i >= 0 && e->roles[i].n_hosts);
	for (size_t k = 0; k < e->roles[i].n_hosts; k++)
		MUST(benchmark_script(e, b, levels, e->roles[i].hosts[k],
				      NULL));
	free(levels);
}

static void check_benchmarks(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_benchmarks; i++) {
		const struct benchmark *b = &e->benchmarks[i];

		check_text_or_lookup(b->script, b->script_by);
		check_text_or_lookup(b->role, b->role_by);
		MUST((!b->script || b->script[0]) && b->timeout > 0);
		MUST(b->repeats);
		MUST(b->n_responses && b->n_given <= b->n_params);
		for (size_t k = 0; k < b->n_responses; k++)
			MUST(b->responses[k].pattern && b->responses[k].uom);
		check_parts(e, b);
		check_services(b);
		check_monitors(b);
	}
}

static void check_roles(const struct experiment *e)
{
	MUST(e->n_roles);
	for (size_t i = 0; i < e->n_roles; i++) {
		const struct role *role = &e->roles[i];

		MUST(role->n_hosts);
		for (size_t k = 0; k < role->n_hosts; k++)
			MUST(role->hosts[k] < e->n_hosts);
		check_text_or_lookup(role->count.value, role->count.lookup);
	}
}

static void check_setups(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_setups; i++) {
		const struct setup *s = &e->setups[i];

		MUST(s->treatment.def && s->treatment.def->apply);
		MUST(s->treatment.def->verify && s->treatment.def->revert);
		for (size_t k = 0; k < s->n_per; k++) {
			MUST(s->per[k] < e->n_factors);
			MUST(!k || s->per[k] > s->per[k - 1]);
		}
	}
}

#include "tests/fuzz/check_matrices.h"
#include "tests/fuzz/check_plan.h"

static void check_experiment(const struct experiment *e)
{
	char hex[65];

	MUST(e->name && e->title.n && e->n_hosts && e->n_benchmarks);
	check_roles(e);
	check_setups(e);
	check_matrices(e);
	MUST(e->margin >= 0 && e->margin < 1);
	MUST(e->report_template && e->report_language);
	check_factors(e);
	check_benchmarks(e);
	check_conditions(e, e->baseline, e->n_baseline);
	check_drawings(e);
	experiment_recipe(e, hex);
	check_plan(e);
}

/* Files that the experiment names: a name that starts with "s" stands for the
 * text itself, others for one that is good, or are not there. Nothing is read
 * from disk. */
struct text {
	const char *data;
	size_t n;
};

static int read_file(void *ctx, const char *path, size_t max, struct buf *out,
		     struct error *err)
{
	const struct text *self = ctx;

	buf_clear(out);
	if (*path == 's' && self->n <= max)
		buf_add(out, self->data, self->n);
	else if (*path == 'c')
		buf_adds(out, "f,g\n1,\"x\"\n2,\n");
	else if (*path == 'i')
		buf_adds(out, "hosts: {h: local}\n"
			      "factors: {f: [1, 2], g: [x, y]}\n");
	else
		return error_set(err, ERROR_USAGE, "%s: not there", path);
	return 0;
}

/* With those profiles; adds the names of all that there are to `names`. */
static void with_profiles(const char *data, size_t size,
			  const struct strlist *profiles,
			  struct strlist *names)
{
	const struct resolver resolver = { .treatment = find_treatment,
					   .family = find_family,
					   .benchmark = find_benchmark,
					   .monitor = find_monitor };
	struct text self = { data, size };
	const struct file_source files = { .read = read_file, .ctx = &self };
	const struct experiment_options options = {
		.profiles = profiles, .tags = profiles->n ? "not t" : NULL,
		.files = &files,
	};
	struct problems p = PROBLEMS_INIT;
	struct experiment e;
	int rc = experiment_parse(&e, "fuzz.yaml", data, size, &resolver,
				  &options, &p);

	MUST((rc == 0) == (p.total == 0));
	if (rc == 0)
		check_experiment(&e);
	check_problems(&p);
	for (size_t i = 0; names && i < e.profile_names.n; i++)
		strlist_push(names, e.profile_names.items[i]);
	experiment_release(&e);
	problems_release(&p);
}

static void as_experiment(const char *data, size_t size)
{
	const struct strlist none = STRLIST_INIT;
	struct strlist names = STRLIST_INIT;

	with_profiles(data, size, &none, &names);
	if (names.n)
		with_profiles(data, size, &names, NULL);
	strlist_release(&names);
}

static void as_definition(const char *data, size_t size)
{
	struct problems p = PROBLEMS_INIT;
	struct yaml_doc doc;

	if (yaml_doc_parse(&doc, "fuzz.yaml", data, size, &p) == 0) {
		struct treatment_def *t =
			treatment_read(&doc, "fuzz.yaml", "t", &p);
		struct benchmark_def *b =
			benchmark_read(&doc, "fuzz.yaml", "b", &p);
		struct monitor_def *m =
			monitor_read(&doc, "fuzz.yaml", "m", &p);

		MUST(!t || (t->apply && t->verify && t->revert && t->doc));
		MUST(!b || (b->script && b->n_responses && b->doc));
		treatment_def_free(t);
		MUST(!m || (m->script && m->doc && m->interval > 0));
		benchmark_def_free(b);
		monitor_def_free(m);
	} else {
		MUST(p.total);
	}
	check_problems(&p);
	yaml_doc_release(&doc);
	problems_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_experiment((const char *)data, size);
	as_definition((const char *)data, size);
	return 0;
}
