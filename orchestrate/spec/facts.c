#include "orchestrate/spec/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/expr.h"
#include "orchestrate/spec/formula.h"

/* Names in expressions, and under which a host reports them. */
static const struct fact {
	const char *name;
	const char *key;
	const char *unknown; /* stands in for it */
} facts[] = {
	{ "cpus", "cores", "1" },
	{ "memory", "memory", "1" },
	{ "arch", "machine", "" },
	{ "kernel", "kernel", "" },
	{ "hostname", "hostname", "" },
	{ "os", "os", "" },
	{ "cpu", "cpu", "" },
	{ "boot_id", "boot_id", "" },
	{ "clocksource", "clocksource", "" },
	{ "cpu_governor", "cpu_governor", "" },
	{ "virtualization", "virtualization", "" },
	{ "product", "product", "" },
	{ "user_id", "user_id", "1" },
};
#define N_FACTS (sizeof(facts) / sizeof(*facts))

/* Both "cpus" and "cores" are fine. */
static const struct fact *find(const char *name)
{
	for (size_t i = 0; i < N_FACTS; i++)
		if (!strcmp(facts[i].name, name) ||
		    !strcmp(facts[i].key, name))
			return &facts[i];
	return NULL;
}

const char *fact_key(const char *fact)
{
	const struct fact *f = find(fact);

	return f ? f->key : NULL;
}

void fact_names(struct strlist *out)
{
	for (size_t i = 0; i < N_FACTS; i++)
		strlist_push(out, facts[i].name);
}

/* "16384 kB" in /proc/meminfo means KiB (proc(5)). */
static char *as_value(const struct fact *f, const char *said)
{
	char text[NUMBER_SIZE];
	double v;
	size_t n = number_scan(said, &v);

	if (!strcmp(f->key, "memory") && n && !strcmp(said + n, " kB"))
		return mem_strdup(number_print(text, v * 1024));
	return mem_strdup(said);
}

static struct fact_need *find_need(const struct experiment *e,
				   const char *host, const char *fact)
{
	for (size_t i = 0; i < e->n_facts; i++)
		if (!strcmp(e->facts[i].host, host) &&
		    !strcmp(e->facts[i].fact, fact))
			return &e->facts[i];
	return NULL;
}

static struct fact_need *need(struct reading *r, const char *host,
			      const struct fact *f, struct mark at)
{
	const struct fact_source *source =
		r->options ? r->options->facts : NULL;
	struct experiment *e = r->e;
	struct fact_need *x = find_need(e, host, f->name);
	const char *said;

	if (x)
		return x;
	said = source ? source->get(source->ctx, host, f->key) : NULL;
	e->facts = mem_realloc(e->facts, e->n_facts + 1, sizeof(*e->facts));
	x = &e->facts[e->n_facts++];
	*x = (struct fact_need){
		.host = mem_strdup(host),
		.fact = mem_strdup(f->name),
		.mark = at,
		.known = said,
		.value = said ? as_value(f, said) : mem_strdup(f->unknown),
	};
	return x;
}

/*
 * The hosts that a name stands for: a host, or those of a role. The role that
 * there is when none is written down is called sut.
 */
static size_t hosts_of(const struct experiment *e, const char *of,
		       const size_t **hosts, size_t *one)
{
	*hosts = one;
	for (*one = 0; *one < e->n_hosts; ++*one)
		if (!strcmp(e->hosts[*one].name, of))
			return 1;
	for (size_t i = 0; i < e->n_roles; i++)
		if (!strcmp(e->roles[i].name, of)) {
			*hosts = e->roles[i].hosts;
			return e->roles[i].n_hosts;
		}
	*one = 0;
	return !e->n_roles && e->n_hosts == 1 && !strcmp(of, "sut");
}

static void undefined(struct reading *r, const char *of, struct mark at)
{
	struct strlist names = STRLIST_INIT;
	char quoted[PROBLEM_QUOTE_SIZE], hint[PROBLEM_QUOTE_SIZE];
	const char *near;

	for (size_t i = 0; i < r->e->n_hosts; i++)
		strlist_push(&names, r->e->hosts[i].name);
	for (size_t i = 0; i < r->e->n_roles; i++)
		strlist_push(&names, r->e->roles[i].name);
	near = strlist_nearest(of, (const char *const *)names.items, names.n);
	problem_quote(quoted, of);
	if (near)
		problems_add(r->problems, at, "\"%s\" is no host and no role; "
			     "did you mean \"%s\"?", quoted,
			     problem_quote(hint, near));
	else
		problems_add(r->problems, at, "\"%s\" is no host and no role "
			     "of this experiment", quoted);
	strlist_release(&names);
}

static const char *differ(struct reading *r, const char *of, struct mark at,
			  const struct fact_need *a, const struct fact_need *b)
{
	char qa[PROBLEM_QUOTE_SIZE], qb[PROBLEM_QUOTE_SIZE];

	problems_add(r->problems, at,
		     "the hosts of role \"%s\" differ in \"%s\": %s has %s, "
		     "%s has %s; name one host", of, a->fact, a->host,
		     problem_quote(qa, a->value), b->host,
		     problem_quote(qb, b->value));
	return NULL;
}

const char *facts_get(struct reading *r, const char *of, const char *fact,
		      struct mark at, bool *known)
{
	const struct fact *f = find(fact);
	const struct fact_need *first = NULL, *x;
	struct strlist names = STRLIST_INIT;
	const size_t *hosts;
	size_t one, n = hosts_of(r->e, of, &hosts, &one), first_at = 0;
	bool all = true;

	if (!f) {
		fact_names(&names);
		problems_add_undefined(r->problems, at, "fact", fact,
				       "a host", &names);
		strlist_release(&names);
		return NULL;
	}
	if (!n) {
		undefined(r, of, at);
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		x = need(r, r->e->hosts[hosts[i]].name, f, at);
		all &= x->known;
		/* the list may have moved */
		first = i ? &r->e->facts[first_at] : x;
		if (!i)
			first_at = (size_t)(x - r->e->facts);
		if (x->known && first->known && strcmp(x->value, first->value))
			return differ(r, of, at, first, x);
	}
	if (!all)
		*known = false;
	return all && first ? first->value : f->unknown;
}

const char *facts_known(const struct experiment *e, const char *of,
			const char *fact, const struct host **unknown)
{
	const struct fact *f = find(fact);
	const char *value = NULL;
	const size_t *hosts;
	size_t one, n = f ? hosts_of(e, of, &hosts, &one) : 0;

	*unknown = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct host *h = &e->hosts[hosts[i]];
		const struct fact_need *x = find_need(e, h->name, f->name);

		if (!x || !x->known) {
			*unknown = h;
			return NULL;
		}
		value = x->value;
	}
	return value;
}

/* What facts_text() needs at hand. */
struct text_reading {
	struct reading *r;
	bool known;
};

static enum expr_meaning no_name(void *ctx, const char *name, struct mark at,
				 uint32_t *id)
{
	struct text_reading *t = ctx;
	char quoted[PROBLEM_QUOTE_SIZE];

	(void)id;
	problems_add(t->r->problems, at, "\"%s\": levels can be computed from "
		     "numbers and facts of hosts (such as sut.cpus) only",
		     problem_quote(quoted, name));
	return EXPR_REFUSED;
}

static void no_names(void *ctx, struct strlist *out)
{
	(void)ctx;
	(void)out;
}

static const char *fact_of(void *ctx, const char *of, const char *fact,
			   struct mark at)
{
	struct text_reading *t = ctx;

	return facts_get(t->r, of, fact, at, &t->known);
}

static int compute(struct text_reading *t, const struct yaml_node *node,
		   struct buf *out)
{
	const struct expr_symbols symbols = {
		.name = no_name, .names = no_names, .fact = fact_of, .ctx = t,
	};
	const struct expr_source source = { node->text, node->mark,
					    node->text_at };
	struct formula *f = formula_compile(&source, &symbols,
					    t->r->problems);
	struct error err = ERROR_INIT;
	bool absent;
	int rc = 0;

	if (!f)
		return -1;
	if (formula_value(f, NULL, NULL, out, &absent, &err) < 0) {
		/* no fault of the file when 1 stands in for a fact */
		if (t->known)
			rc = formula_report(t->r->problems, node->mark, &err);
		buf_clear(out);
		buf_addc(out, '1');
	}
	formula_free(f);
	return rc;
}

int facts_text(struct reading *r, const struct yaml_node *node, char **out,
	       bool *known)
{
	struct text_reading t = { .r = r, .known = true };
	const char *text = reading_text(r, node, "level");
	struct buf value = BUF_INIT;
	int rc = 0;

	if (!text)
		return -1;
	if (*text == '=')
		rc = compute(&t, node, &value);
	else
		buf_adds(&value, text);
	if (!t.known)
		*known = false;
	if (!rc)
		*out = buf_detach(&value);
	buf_release(&value);
	return rc;
}
