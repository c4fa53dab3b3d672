#include "orchestrate/schedule/narrow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/rounds.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/absence.h"
#include "orchestrate/spec/experiment.h"

#define BENCHMARK "benchmark"

/* What one text is about: a factor's levels or the benchmarks. */
struct axis {
	const struct experiment *e;
	int factor;          /* -1: benchmarks */
	const char *name;
	size_t n;
};

static const char *axis_item(const struct axis *a, size_t i)
{
	return a->factor < 0 ? a->e->benchmarks[i].name
			     : a->e->factors[a->factor].levels[i].name;
}

static void axis_init(struct axis *a, const struct experiment *e, int factor)
{
	*a = (struct axis){ .e = e, .factor = factor };
	a->name = factor < 0 ? BENCHMARK : e->factors[factor].name;
	a->n = factor < 0 ? e->n_benchmarks : e->factors[factor].n_levels;
}

/* What this axis leaves out, all false at first. */
static bool *drops_of(struct narrowing *n, const struct axis *a)
{
	bool **drops = a->factor < 0 ? &n->drops_benchmark
				     : &n->drops[a->factor];

	if (!*drops)
		*drops = mem_zalloc(a->n + 1, sizeof(**drops));
	return *drops;
}

/* The text is not what `known` has: says so with the nearest. */
static int unknown(const char *option, const char *text, const char *what,
		   const char *word, const char *of,
		   const struct strlist *known, struct error *err)
{
	struct problems p = PROBLEMS_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];

	problems_add_undefined(&p, (struct mark){ .line = 0 }, what, word, of,
			       known);
	error_set(err, ERROR_USAGE, "%s %s: %s", option,
		  problem_quote(quoted, text), p.items[0].text);
	problems_release(&p);
	return -1;
}

static int find_axis(struct axis *a, const struct experiment *e,
		     const char *option, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	char *name = mem_strndup(text, equals ? (size_t)(equals - text)
					      : strlen(text));
	int factor = factor_find(e->factors, e->n_factors, name), rc = 0;
	struct strlist known = STRLIST_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];

	axis_init(a, e, factor);
	if (!equals) {
		rc = error_set(err, ERROR_USAGE,
			       "%s %s: say which levels, as in factor=level",
			       option, problem_quote(quoted, text));
	} else if (factor < 0 && strcmp(name, BENCHMARK)) {
		for (size_t f = 0; f < e->n_factors; f++)
			strlist_push(&known, e->factors[f].name);
		strlist_push(&known, BENCHMARK);
		rc = unknown(option, text, "factor", name, NULL, &known, err);
	}
	strlist_release(&known);
	free(name);
	return rc;
}

static bool is_named(const char *name, const char *word)
{
	struct buf key = BUF_INIT;
	bool same;

	if (!strcmp(name, word))
		return true;
	treatment_key_escape(name, &key);
	same = !strcmp(key.data, word);
	buf_release(&key);
	return same;
}

/* Marks the word's item as named. */
static int find_item(bool *named, const struct axis *a, const char *option,
		     const char *text, const char *word, struct error *err)
{
	bool is_factor = a->factor >= 0;
	struct strlist known = STRLIST_INIT;
	char *of;
	int rc;

	for (size_t i = 0; i < a->n; i++)
		if (is_named(axis_item(a, i), word)) {
			named[i] = true;
			return 0;
		}
	if (is_factor && !strcmp(word, ABSENT_NAME) &&
	    may_be_absent_for(a->e, ANY_BENCHMARK, (size_t)a->factor)) {
		named[a->n] = true;
		return 0;
	}
	for (size_t i = 0; i < a->n; i++)
		strlist_push(&known, axis_item(a, i));
	of = is_factor ? mem_printf("factor %s", a->name) : NULL;
	rc = unknown(option, text, is_factor ? "level" : BENCHMARK, word, of,
		     &known, err);
	free(of);
	strlist_release(&known);
	return rc;
}

static int find_items(bool *named, const struct axis *a, const char *option,
		      const char *text, struct error *err)
{
	const char *at = strchr(text, '=') + 1;
	int rc = 0;

	while (!rc) {
		size_t length = strcspn(at, ",");
		char *word = mem_strndup(at, length);

		rc = find_item(named, a, option, text, word, err);
		free(word);
		at += length;
		if (!*at++)
			break;
	}
	return rc;
}

/* One pass over the texts for each axis: of one axis, they add up. */
static int parse_list(struct narrowing *n, const struct strlist *texts,
		      bool only, struct error *err)
{
	const char *option = only ? "only" : "skip";
	bool **named = mem_zalloc(n->e->n_factors + 1, sizeof(*named));
	int rc = 0;

	for (size_t i = 0; texts && !rc && i < texts->n; i++) {
		const char *text = texts->items[i];
		struct axis a;
		bool **into;

		rc = find_axis(&a, n->e, option, text, err);
		if (rc)
			break;
		into = &named[a.factor + 1];
		if (!*into)
			*into = mem_zalloc(a.n + 1, sizeof(**into));
		rc = find_items(*into, &a, option, text, err);
	}
	for (size_t f = 0; f <= n->e->n_factors; f++) {
		struct axis a;
		bool *drops;

		if (!named[f])
			continue;
		axis_init(&a, n->e, (int)f - 1);
		drops = drops_of(n, &a);
		/* the last entry is for the absence */
		for (size_t i = 0; i <= a.n; i++)
			drops[i] |= named[f][i] != only;
		free(named[f]);
	}
	free(named);
	return rc;
}

int narrowing_parse(struct narrowing *n, const struct experiment *e,
		    const struct strlist *only, const struct strlist *skip,
		    struct error *err)
{
	*n = (struct narrowing){ .e = e };
	n->drops = mem_zalloc(e->n_factors, sizeof(*n->drops));
	if (parse_list(n, only, true, err))
		return -1;
	return parse_list(n, skip, false, err);
}

void narrowing_release(struct narrowing *n)
{
	for (size_t f = 0; n->drops && f < n->e->n_factors; f++)
		free(n->drops[f]);
	free(n->drops);
	free(n->drops_benchmark);
	memset(n, 0, sizeof(*n));
}

bool narrowing_is_empty(const struct narrowing *n)
{
	for (size_t f = 0; n->drops && f < n->e->n_factors; f++)
		if (n->drops[f])
			return false;
	return !n->drops_benchmark && !n->replicates;
}

bool narrowing_keeps(const struct narrowing *n, const struct schedule *s,
		     size_t run)
{
	const struct run *r = &s->runs[run];
	const struct experiment *e = s->experiment;

	if (n->drops_benchmark && n->drops_benchmark[r->benchmark])
		return false;
	for (size_t f = 0; f < e->n_factors; f++) {
		size_t level;

		if (!n->drops[f])
			continue;
		level = design_level(s->design, r->treatment, f);
		if (n->drops[f][level == DESIGN_ABSENT ? e->factors[f].n_levels
						       : level])
			return false;
	}
	return !n->replicates ||
	       r->replicate <= (uint64_t)n->replicates *
		       replicate_hosts(&e->matrices[r->matrix],
				       &e->roles[schedule_role(s, run)]);
}

void schedule_narrow(struct schedule *s, const struct narrowing *n)
{
	size_t kept = 0;

	s->n_optional = 0;
	for (size_t i = 0; i < s->n_runs; i++) {
		if (!narrowing_keeps(n, s, i))
			continue;
		s->n_optional += s->runs[i].optional;
		s->runs[kept++] = s->runs[i];
	}
	s->n_runs = kept;
}

/* Whether the factor's absence alone is kept. */
static bool is_absence_alone(const struct axis *a, const bool *drops)
{
	if (a->factor < 0 || drops[a->n] ||
	    !may_be_absent_for(a->e, ANY_BENCHMARK, (size_t)a->factor))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!drops[i])
			return false;
	return true;
}

static void add_text(const struct narrowing *n, int factor, struct buf *out)
{
	const bool *drops = factor < 0 ? n->drops_benchmark
				       : n->drops[factor];
	const char *separator = "";
	struct axis a;
	bool only;

	if (!drops)
		return;
	axis_init(&a, n->e, factor);
	/* `only` is what leaves the absence out, or has nothing else */
	only = drops[a.n] || is_absence_alone(&a, drops);
	buf_addf(out, "%s%s %s=%s", out->n ? "; " : "", only ? "only" : "skip",
		 a.name, drops[a.n] || !only ? "" : ABSENT_NAME);
	for (size_t i = 0; i < a.n; i++) {
		if (drops[i] == only)
			continue;
		buf_adds(out, separator);
		separator = ",";
		treatment_key_escape(axis_item(&a, i), out);
	}
}

void narrowing_text(const struct narrowing *n, struct buf *out)
{
	struct buf text = BUF_INIT;

	add_text(n, -1, &text);
	for (size_t f = 0; n->drops && f < n->e->n_factors; f++)
		add_text(n, (int)f, &text);
	if (n->replicates)
		buf_addf(&text, "%sreplicates=%" PRIu32, text.n ? "; " : "",
			 n->replicates);
	buf_add(out, text.data, text.n);
	buf_release(&text);
}
