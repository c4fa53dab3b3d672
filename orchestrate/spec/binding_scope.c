#include "orchestrate/spec/binding_scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/binder.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/formula.h"
#include "orchestrate/spec/treatment_def.h"

/* An experiment that was not read has no binder. */
void scope_init(struct scope *s, const struct experiment *e,
		const struct binding_run *run, size_t layer)
{
	*s = (struct scope){ .e = e, .run = run, .layer = layer,
			     .binder = e->binder };
	if (!s->binder)
		s->binder = s->own = binder_new(e);
}

void scope_release(struct scope *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i].value);
	free(s->items);
	binder_free(s->own);
}

static struct candidate *push(struct scope *s, const struct candidate *like)
{
	MEM_GROW(s->items, s->n, s->cap);
	s->items[s->n] = *like;
	return &s->items[s->n++];
}

void scope_add(struct scope *s, const struct variable *items, size_t n,
	       const struct candidate *like)
{
	for (size_t i = 0; i < n; i++) {
		struct candidate *c;

		/* a required parameter that nothing gave */
		if (!items[i].value && !items[i].lookup)
			continue;
		c = push(s, like);
		c->name = items[i].name;
		c->variable = &items[i];
	}
}

void scope_add_text(struct scope *s, const char *name, const char *value,
		    struct mark mark, const struct candidate *like)
{
	struct candidate *c = push(s, like);

	c->name = name;
	c->mark = mark;
	c->state = CANDIDATE_DONE;
	c->value = mem_strdup(value);
}

/* A text that is being computed, and on whose behalf. */
struct request {
	struct scope *s;
	struct candidate *by;    /* NULL: nobody's */
	struct mark mark;
};

static int fail(const struct request *q, struct error *err, const char *what)
{
	return error_set(err, ERROR_USAGE, "%s:%u:%u: %s",
			 q->mark.file ? q->mark.file : "", q->mark.line,
			 q->mark.column, what);
}

/* Whether what the layer of the stack puts into effect is made of it. */
static bool layer_sees(const struct candidate *c, size_t layer)
{
	if (c->owner == layer || c->layer == BINDING_EXPERIMENT ||
	    c->layer == BINDING_HOST)
		return true;
	return c->layer == BINDING_LEVEL && c->owner < layer;
}

/*
 * A treatment's parameters have the same value for what its levels set as for
 * its scripts, also where another treatment has parameters of that name.
 */
static size_t view_of(const struct candidate *by, const char *name)
{
	const struct treatment_use *u = by ? by->use : NULL;

	return u && variables_find(u->params, u->n_params, name) ?
	       by->owner : SCOPE_NO_LAYER;
}

/* There is no value. That is no mistake when levels decide on it, or a layer
 * of the stack does not see what changes without it. */
static int missing(const struct request *q, const char *name,
		   struct error *err)
{
	const struct scope *s = q->s;
	char *what;
	int rc;

	if (s->layer != SCOPE_NO_LAYER ||
	    factor_find(s->e->factors, s->e->n_factors, name) >= 0 ||
	    binder_is_set(s->binder, name))
		return 0;
	what = mem_printf("\"%s\" has no value on host \"%s\" for benchmark "
			  "\"%s\"; give it one under \"variables\"", name,
			  s->e->hosts[s->run->host].name,
			  s->e->benchmarks[s->run->benchmark].name);
	rc = fail(q, err, what);
	free(what);
	return rc;
}

static int find(struct request *q, const char *name, struct expr_value *out,
		struct error *err)
{
	struct scope *s = q->s;
	size_t view = view_of(q->by, name);
	bool there = false;

	out->kind = EXPR_ABSENT;
	for (size_t i = s->n; i-- > 0;) {
		struct candidate *c = &s->items[i];

		if (strcmp(c->name, name) ||
		    !(view == SCOPE_NO_LAYER ? !c->silent :
					       layer_sees(c, view)))
			continue;
		if (scope_compute(s, c, err) < 0)
			return -1;
		if (c->state == CANDIDATE_DONE) {
			*out = expr_value_of(c->value);
			return 0;
		}
		there = true;
	}
	return there ? 0 : missing(q, name, err);
}

static int get(void *ctx, uint32_t id, struct expr_value *out,
	       struct error *err)
{
	struct request *q = ctx;
	const char *name = binder_words(q->s->binder)->variables.items[id];

	if (q->by && q->by->level && !strcmp(name, "level")) {
		*out = expr_value_of(q->by->level);
		return 0;
	}
	return find(q, name, out, err);
}

/* Appends the value of a text of the experiment. */
static int compute(struct scope *s, struct candidate *by,
		   const struct expr_source *source, struct buf *out,
		   bool *absent, struct error *err)
{
	struct request q = { .s = s, .by = by, .mark = source->mark };
	const struct formula *f = binder_formula(s->binder, source, err);

	return f ? formula_value(f, get, &q, out, absent, err) : -1;
}

static int cycle(struct scope *s, const struct candidate *c,
		 struct error *err)
{
	const struct candidate *by = s->chain[s->depth - 1];
	struct request q = { .s = s, .mark = by->mark };
	struct buf chain = BUF_INIT;
	size_t from = 0;
	int rc;

	while (from < s->depth && s->chain[from] != c)
		from++;
	buf_adds(&chain, from + 1 == s->depth ?
			 "it needs itself to be computed: " :
			 "these variables need each other to be computed: ");
	for (size_t i = from; i < s->depth; i++)
		buf_addf(&chain, "%s -> ", s->chain[i]->name);
	buf_adds(&chain, c->name);
	rc = fail(&q, err, chain.data);
	buf_release(&chain);
	return rc;
}

/* The level that chooses a look-up's case. In a layer of the stack a factor
 * that does not stand beneath it is as if absent. */
static const char *case_of(const struct scope *s, const struct lookup *l)
{
	if (!strcmp(l->by, "host"))
		return s->e->hosts[s->run->host].name;
	for (size_t i = s->n; i-- > 0;)
		if (s->items[i].layer == BINDING_LEVEL &&
		    !s->items[i].variable && !strcmp(s->items[i].name, l->by))
			return s->items[i].value;
	return NULL;
}

/* In a layer, no guess is made for what it does not see. */
static bool is_blind(const struct scope *s, const struct lookup *l,
		     const char *level)
{
	int f = factor_find(s->e->factors, s->e->n_factors, l->by);

	return !level && s->layer != SCOPE_NO_LAYER && f >= 0 &&
	       s->run->levels[f] != DESIGN_ABSENT;
}

static void take_text(const struct scope *s, struct candidate *c)
{
	const struct variable *v = c->variable;
	const struct lookup *l = v->lookup;
	const char *level;

	c->text = v->value;
	c->mark = v->mark;
	c->text_at = v->text_at;
	if (!l)
		return;
	level = case_of(s, l);
	c->text = lookup_find(l, level, &c->mark, &c->text_at);
	if (is_blind(s, l, level))
		c->text = NULL;
	if (!c->text)
		c->mark = l->mark;
}

/* A layer's own parameter that it cannot have. */
static int check_blind(const struct scope *s, const struct candidate *c,
		       struct error *err)
{
	bool parameter = c->layer == BINDING_LIBRARY ||
			 c->layer == BINDING_FACTOR;

	if (s->layer == SCOPE_NO_LAYER || c->owner != s->layer || !parameter)
		return 0;
	return error_set(err, ERROR_USAGE, "%s:%u:%u: parameter \"%s\" needs "
			 "what its treatment does not see: only the levels "
			 "beneath it in the stack, its own, and variables of "
			 "hosts and of the experiment",
			 c->mark.file ? c->mark.file : "", c->mark.line,
			 c->mark.column, c->name);
}

/* What was computed is known only now; what is written was checked where it
 * stands. */
static int check_type(const struct candidate *c, const char *value,
		      struct error *err)
{
	const struct treatment_def *def = c->use ? c->use->def : NULL;
	const struct parameter *p =
		def && c->layer != BINDING_LEVEL ?
		parameters_find(def->params, def->n_params, c->name) : NULL;
	struct buf wanted = BUF_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];

	if (!p || parameter_fits(p, value))
		return 0;
	parameter_expects(p, &wanted);
	error_set(err, ERROR_USAGE, "%s:%u:%u: treatment %s: parameter \"%s\": "
		  "expected %s, and it is computed to \"%s\"",
		  c->mark.file ? c->mark.file : "", c->mark.line,
		  c->mark.column, def->name, c->name, wanted.data,
		  problem_quote(quoted, value));
	buf_release(&wanted);
	return -1;
}

/* Variables in variables grow fast. */
static int check_value(const struct candidate *c, const struct buf *value,
		       struct error *err)
{
	if (value->n > BINDING_MAX_VALUE)
		return error_set(err, ERROR_USAGE, "%s:%u:%u: the value of "
				 "\"%s\" has %zu bytes; at most %d are "
				 "possible", c->mark.file ? c->mark.file : "",
				 c->mark.line, c->mark.column, c->name,
				 value->n, BINDING_MAX_VALUE);
	return check_type(c, value->data, err);
}

static int compute_candidate(struct scope *s, struct candidate *c,
			     struct error *err)
{
	struct expr_source source = { c->text, c->mark, c->text_at };
	struct buf value = BUF_INIT;
	bool absent = !c->text;
	int rc = 0;

	if (c->text && formula_is_plain(c->text))
		buf_adds(&value, c->text);
	else if (c->text)
		rc = compute(s, c, &source, &value, &absent, err);
	if (!rc)
		rc = absent ? check_blind(s, c, err) :
			      check_value(c, &value, err);
	c->state = rc ? CANDIDATE_WAITING :
		   absent ? CANDIDATE_ABSENT : CANDIDATE_DONE;
	if (c->state == CANDIDATE_DONE)
		c->value = buf_detach(&value);
	buf_release(&value);
	return rc;
}

int scope_compute(struct scope *s, struct candidate *c, struct error *err)
{
	int rc;

	if (c->state == CANDIDATE_DONE || c->state == CANDIDATE_ABSENT)
		return 0;
	if (c->state == CANDIDATE_BUSY)
		return cycle(s, c, err);
	take_text(s, c);
	if (s->depth == SCOPE_MAX_DEPTH)
		return error_set(err, ERROR_USAGE, "%s:%u:%u: more than %d "
				 "variables need each other, one after the "
				 "other", c->mark.file ? c->mark.file : "",
				 c->mark.line, c->mark.column,
				 SCOPE_MAX_DEPTH);
	c->state = CANDIDATE_BUSY;
	s->chain[s->depth++] = c;
	rc = compute_candidate(s, c, err);
	s->depth--;
	return rc;
}

int scope_text(struct scope *s, const char *text, struct mark mark,
	       int text_at, char **out, struct error *err)
{
	const struct expr_source source = { text, mark, text_at };
	struct request q = { .s = s, .mark = mark };
	struct formula *formula;
	struct buf value = BUF_INIT;
	bool absent = false;
	int rc = -1;

	*out = NULL;
	formula = binder_compile(s->binder, &source, err);
	if (formula)
		rc = formula_value(formula, get, &q, &value, &absent, err);
	if (!rc && !absent)
		*out = buf_detach(&value);
	formula_free(formula);
	buf_release(&value);
	return rc;
}
