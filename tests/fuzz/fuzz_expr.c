/*
 * Any text as an expression, as a value and as a range. Beside crashes it looks
 * for broken promises: what does not compile has one message of one line,
 * inside the text; what has a value that is a number prints it so that it
 * reads back; nothing but a mistake in the text has no value.
 *
 * With -DFUZZ_STANDALONE it is a program that runs the files it is given.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "base/utf8.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/expr.h"
#include "orchestrate/spec/formula.h"
#include "orchestrate/spec/range.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                     \
	do {                                                                \
		if (!(condition)) {                                         \
			fprintf(stderr, "line %d: %s\n", __LINE__,          \
				#condition);                                \
			abort();                                            \
		}                                                           \
	} while (0)

/* Values of all kinds; NULL is absent. "d" is a level, too. */
static const struct {
	const char *name;
	const char *value;
} variables[] = {
	{ "a", "8" }, { "b", "docker" }, { "c", NULL }, { "d", "0" },
	{ "t", "true" }, { "big", "1e300" }, { "size", "64K" }, { "e", "" },
};
#define N_VARIABLES (sizeof(variables) / sizeof(*variables))

static enum expr_meaning name_of(void *ctx, const char *name, struct mark at,
				 uint32_t *id)
{
	(void)ctx;
	(void)at;
	for (uint32_t i = 0; i < N_VARIABLES; i++)
		if (!strcmp(variables[i].name, name)) {
			*id = i;
			return *name == 'd' ? EXPR_AMBIGUOUS : EXPR_VARIABLE;
		}
	return !strcmp(name, "docker") ? EXPR_WORD : EXPR_UNKNOWN;
}

static const char *fact_of(void *ctx, const char *of, const char *fact,
			   struct mark at)
{
	if (!strcmp(of, "sut") && !strcmp(fact, "cpus"))
		return "4";
	problems_add(ctx, at, "no such fact");
	return NULL;
}

static void names_of(void *ctx, struct strlist *out)
{
	(void)ctx;
	for (size_t i = 0; i < N_VARIABLES; i++)
		strlist_push(out, variables[i].name);
	strlist_push(out, "docker");
	strlist_push(out, "mq-deadline");
}

static int get(void *ctx, uint32_t id, struct expr_value *out,
	       struct error *err)
{
	(void)ctx;
	(void)err;
	MUST(id < N_VARIABLES);
	*out = (struct expr_value){ .kind = EXPR_ABSENT };
	if (variables[id].value)
		*out = expr_value_of(variables[id].value);
	return 0;
}

static int each(void *ctx, uint32_t id, const char *text, struct mark at)
{
	(void)ctx;
	MUST(id < N_VARIABLES && text && at.line == 3);
	return 0;
}

static void check_line(const char *text)
{
	MUST(text[0] && utf8_valid(text, strlen(text), NULL));
	MUST(!strpbrk(text, "\n\r\t\x1b"));
}

static void check_problem(const struct problems *p, size_t size)
{
	MUST(p->total == 1);
	MUST(p->items[0].line == 3 && p->items[0].column >= 7 &&
	     p->items[0].column <= 8 + size);
	check_line(p->items[0].text);
}

static void check_value(const struct expr_value *v)
{
	char text[NUMBER_SIZE];
	double back;

	if (v->kind != EXPR_NUMBER)
		return;
	MUST(isfinite(v->number));
	number_print(text, v->number);
	MUST(number_parse(text, &back));
	MUST(!(back < v->number) && !(back > v->number));
}

static void as_expr(const char *text, struct expr_symbols *symbols,
		    struct problems *p)
{
	const struct expr_source source = { text, { "f", 3, 7 }, 1 };
	struct expr *x = expr_compile(&source, symbols, p);
	struct error err = ERROR_INIT;
	struct expr_value v;

	if (!x) {
		check_problem(p, strlen(text));
		return;
	}
	MUST(p->total == 0);
	MUST(expr_each_comparison(x, each, NULL) == 0);
	if (expr_eval(x, get, NULL, &v, &err) == 0)
		check_value(&v);
	else
		check_line(err.text);
	err = (struct error)ERROR_INIT;
	if (expr_test(x, get, NULL, &err) < 0)
		check_line(err.text);
	expr_free(x);
}

static void as_value(const char *text, struct expr_symbols *symbols,
		     struct problems *p)
{
	const struct expr_source source = { text, { "f", 3, 7 }, 1 };
	struct formula *f = formula_compile(&source, symbols, p);
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	bool absent;

	if (!f) {
		check_problem(p, strlen(text));
		return;
	}
	if (formula_value(f, get, NULL, &out, &absent, &err) < 0)
		check_line(err.text);
	else if (formula_is_plain(text))
		MUST(!strcmp(out.data, text));
	buf_release(&out);
	formula_free(f);
}

/* "first last step": three words. */
static void as_range(char *text, struct problems *p)
{
	struct experiment e = { .name = NULL };
	struct reading r = { .problems = p, .e = &e };
	struct yaml_node nodes[4] = { { .kind = YAML_SCALAR } };
	const struct yaml_node *ends[] = { &nodes[0], &nodes[1] };
	struct range range = { .ends = &nodes[3] };
	struct strlist levels = STRLIST_INIT;
	char *rest = NULL, *word = strtok_r(text, " ", &rest);
	size_t n = 0;

	for (; n < 3 && word; word = strtok_r(NULL, " ", &rest), n++)
		nodes[n] = (struct yaml_node){
			.kind = YAML_SCALAR, .text = word,
			.mark = { "f", 3, 7 },
		};
	if (n < 3 || *nodes[0].text == '=' || *nodes[1].text == '=')
		return;
	nodes[3] = (struct yaml_node){ .kind = YAML_SEQUENCE, .items = ends,
				       .n_items = 2, .mark = { "f", 3, 7 } };
	if (*nodes[2].text == 'p') {
		nodes[2].text++;
		range.points = &nodes[2];
	} else {
		range.step = &nodes[2];
	}
	if (range_levels(&r, &range, &levels) < 0)
		check_problem(p, 0);
	else
		MUST(levels.n && levels.n <= RANGE_MAX_LEVELS && !p->total);
	for (size_t i = 1; i < levels.n; i++)
		MUST(strcmp(levels.items[i], levels.items[i - 1]));
	strlist_release(&levels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct problems p = PROBLEMS_INIT;
	struct expr_symbols symbols = { .name = name_of, .names = names_of,
					.fact = fact_of, .ctx = &p };
	struct buf text = BUF_INIT;

	buf_add(&text, data, size);
	as_expr(text.data, &symbols, &p);
	problems_release(&p);
	as_value(text.data, &symbols, &p);
	problems_release(&p);
	as_range(text.data, &p);
	problems_release(&p);
	buf_release(&text);
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "base/path.h"

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct buf data = BUF_INIT;

	for (int i = 1; i < argc; i++) {
		if (path_read(argv[i], 1 << 24, &data, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			return 2;
		}
		LLVMFuzzerTestOneInput((const uint8_t *)data.data, data.n);
	}
	buf_release(&data);
	return 0;
}
#endif
