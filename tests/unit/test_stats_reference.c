/*
 * Every value, refusal and warning of tests/data/stats/cases.tsv that the
 * statistics offer. What is not offered yet is named in `not_offered`, and
 * nothing else is left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/contrast.h"
#include "stats/describe.h"
#include "stats/interval.h"
#include "stats/order.h"
#include "stats/sorted.h"

#define CASES "tests/data/stats/cases.tsv"

struct vector {
	double *v;
	size_t n;
};

/* A case's inputs, and what the functions made of them. */
struct kase {
	char id[64], family[64];
	bool refuse;
	struct vector x, y;
	double conf, p;
	bool computed;
	int status;      /* 0, or -1 when a function refused */
	unsigned warnings;
	struct estimate mean, median, ratio;
	struct order_interval order;
};

/* "family.quantity", "family!warning", "family.*": everything of a family. */
static const char *const not_offered[] = {
	"anova1.*", "anova2.*", "anova3.*", "bootstrap_diff.*",
	"bootstrap_mean.*", "bootstrap_median.*", "bootstrap_ratio.*",
	"censored.*", "changepoint.*", "corr.*", "cov_window.*", "effect.*",
	"fisher.*", "friedman.*", "hierarchical.*", "kruskal.*",
	"mannwhitney.*", "mlr_classify.*", "mser.*", "outliers.*",
	"p_adjust.*", "permutation2.*", "permutation_paired.*", "power.*",
	"proportion.*", "ratio_paired.*", "regress.*", "series.*",
	"shapiro.*", "signedrank.*", "steady_state.*", "suite.*", "tost.*",
	"ttest2.*", "ttest_paired.*",
	"describe.sum", "describe.var", "describe.sem", "describe.cv",
	"describe.iqr", "describe.mad", "describe.mad_scaled",
	"describe.trim20_mean", "describe.skew_g1", "describe.kurt_g2",
	"describe.kurt_G2", "describe.autocorr1", "describe.gmean",
	"describe.gsd", "describe.gmean_ci_lo", "describe.gmean_ci_hi",
	"describe.hmean", "describe.hd50", "describe.hd90",
	"describe!autocorrelated",
	"quantile_ci!quantile_ci_unbounded",
	"ttest1.t", "ttest1.df", "ttest1.p", "ttest1.p_less",
	"ttest1.p_greater",
	"ratio.fieller_welch.df", "ratio.fieller_welch.g",
	"ratio.fieller_pooled.ci_lo", "ratio.fieller_pooled.ci_hi",
	"ratio.fieller_pooled.bounded", "ratio.kj.ci_lo", "ratio.kj.ci_hi",
	"ratio.delta_method.se", "ratio.gmean_ratio",
	"ratio.gmean_ratio.ci_lo", "ratio.gmean_ratio.ci_hi",
	"ratio.gmean_ratio.p", "ratio.ratio_medians",
};
#define N_NOT_OFFERED (sizeof(not_offered) / sizeof(not_offered[0]))

/* The answers; `name` is among them or the quantity is not offered. */
struct answer {
	const char *name;
	double value;
};

static size_t answers_describe(const struct kase *k, struct answer *a)
{
	const double *x = k->x.v;
	size_t n = k->x.n;
	const struct answer all[] = {
		{ "n", (double)k->mean.n },
		{ "mean", k->mean.value },
		{ "sd", k->mean.sd },
		{ "min", describe_quantile(x, n, 0) },
		{ "max", describe_quantile(x, n, 1) },
		{ "q05", describe_quantile(x, n, 0.05) },
		{ "q25", describe_quantile(x, n, 0.25) },
		{ "q50", describe_quantile(x, n, 0.5) },
		{ "q75", describe_quantile(x, n, 0.75) },
		{ "q90", describe_quantile(x, n, 0.9) },
		{ "q95", describe_quantile(x, n, 0.95) },
		{ "q99", describe_quantile(x, n, 0.99) },
		{ "median", describe_median(x, n) },
		{ "skew_G1", describe_skewness(x, n) },
		{ "mean_ci_lo", k->mean.low },
		{ "mean_ci_hi", k->mean.high },
		{ "median_ci_lo", k->median.low },
		{ "median_ci_hi", k->median.high },
		{ "median_ci_coverage", k->median.coverage },
	};

	memcpy(a, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

static size_t answers_ttest1(const struct kase *k, struct answer *a)
{
	const struct answer all[] = {
		{ "n", (double)k->mean.n },
		{ "mean", k->mean.value },
		{ "ci_lo", k->mean.low },
		{ "ci_hi", k->mean.high },
	};

	memcpy(a, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

/* The value of rank r of n, open outside 1 .. n. */
static double of_rank(const struct kase *k, size_t rank)
{
	double *sorted = sorted_copy(k->x.v, k->x.n), v;

	v = !rank ? -INFINITY : rank > k->x.n ? INFINITY : sorted[rank - 1];
	free(sorted);
	return v;
}

static size_t answers_quantile_ci(const struct kase *k, struct answer *a)
{
	const struct answer all[] = {
		{ "n", (double)k->x.n },
		{ "order_lo", (double)k->order.low },
		{ "order_hi", (double)k->order.high },
		{ "quantile_ci_lo", of_rank(k, k->order.low) },
		{ "quantile_ci_hi", of_rank(k, k->order.high) },
		{ "quantile_ci_coverage", k->order.coverage },
	};

	memcpy(a, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

static size_t answers_ratio(const struct kase *k, struct answer *a)
{
	const struct answer all[] = {
		{ "n1", (double)k->ratio.n },
		{ "n2", (double)k->ratio.n_base },
		{ "ratio_means", k->ratio.value },
		{ "fieller_welch.ci_lo", k->ratio.low },
		{ "fieller_welch.ci_hi", k->ratio.high },
		{ "fieller_welch.bounded",
		  !(k->ratio.warnings & ESTIMATE_UNBOUNDED_RATIO) },
	};

	memcpy(a, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

static void compute_mean(struct kase *k)
{
	struct error err = ERROR_INIT;

	k->status = interval_mean(k->x.v, k->x.n, k->conf, &k->mean, &err);
	k->warnings = k->mean.warnings;
}

static void compute_describe(struct kase *k)
{
	struct error err = ERROR_INIT;
	int status;

	compute_mean(k);
	status = interval_median(k->x.v, k->x.n, k->conf, &k->median, &err);
	assert_int_equal(k->status, status);
	k->warnings |= k->median.warnings;
}

static void compute_quantile_ci(struct kase *k)
{
	k->order = order_interval(k->x.n, k->p, k->conf);
}

static void compute_ratio(struct kase *k)
{
	struct error err = ERROR_INIT;

	k->status = contrast_ratio(k->x.v, k->x.n, k->y.v, k->y.n, k->conf,
				   &k->ratio, &err);
	k->warnings = k->ratio.warnings;
}

static const struct family {
	const char *name;
	void (*compute)(struct kase *k);
	size_t (*answers)(const struct kase *k, struct answer *a);
} families[] = {
	{ "describe", compute_describe, answers_describe },
	{ "ttest1", compute_mean, answers_ttest1 },
	{ "quantile_ci", compute_quantile_ci, answers_quantile_ci },
	{ "ratio", compute_ratio, answers_ratio },
};

static const struct {
	const char *code;
	unsigned bit;
} warning_codes[] = {
	{ "n_lt_2", ESTIMATE_N_LT_2 },
	{ "n_lt_3_ci", ESTIMATE_N_LT_3 },
	{ "median_ci_unbounded", ESTIMATE_MEDIAN_UNBOUNDED },
	{ "zero_variance", ESTIMATE_ZERO_VARIANCE },
	{ "unbounded_ratio", ESTIMATE_UNBOUNDED_RATIO },
};

struct tally {
	size_t values, misses;
	bool used[N_NOT_OFFERED];
};

static void miss(struct tally *t, const struct kase *k, const char *name,
		 const char *what)
{
	print_error("%s (%s) %s: %s\n", k->id, k->family, name, what);
	t->misses++;
}

static const struct family *find_family(const char *name)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strcmp(families[i].name, name))
			return &families[i];
	return NULL;
}

/* Whether family.name (or family!name) is listed as not offered. */
static bool listed(struct tally *t, const char *family, char mark,
		   const char *name)
{
	char exact[160], whole[160];

	snprintf(exact, sizeof(exact), "%s%c%s", family, mark, name);
	snprintf(whole, sizeof(whole), "%s.*", family);
	for (size_t i = 0; i < N_NOT_OFFERED; i++) {
		if (strcmp(not_offered[i], exact) &&
		    strcmp(not_offered[i], whole))
			continue;
		t->used[i] = true;
		return true;
	}
	return false;
}

static void check_value(struct tally *t, const struct kase *k,
			const char *name, double got, double rel, double abs,
			const char *text)
{
	char what[256];
	double want;
	bool ok;

	if (!strcmp(text, "null"))
		want = NAN;
	else if (!strcmp(text, "true") || !strcmp(text, "false"))
		want = text[0] == 't';
	else
		want = strtod(text, NULL);
	if (isnan(want) || isinf(want))
		ok = isnan(want) ? isnan(got) : got == want;
	else
		ok = fabs(got - want) <= fmax(rel * fabs(want), abs);
	t->values++;
	if (ok)
		return;
	snprintf(what, sizeof(what), "wanted %s, got %.17g, tolerance %g %g",
		 text, got, rel, abs);
	miss(t, k, name, what);
}

static void check_out(struct tally *t, const struct kase *k, char *fields[8])
{
	const struct family *f = find_family(k->family);
	struct answer answers[32];
	size_t n = f && k->computed ? f->answers(k, answers) : 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(answers[i].name, fields[4]))
			continue;
		check_value(t, k, fields[4], answers[i].value,
			    strtod(fields[5], NULL), strtod(fields[6], NULL),
			    fields[7]);
		if (listed(t, k->family, '.', fields[4]))
			miss(t, k, fields[4], "offered, yet listed");
		return;
	}
	if (!listed(t, k->family, '.', fields[4]))
		miss(t, k, fields[4], "neither computed nor listed");
}

static void check_warn(struct tally *t, const struct kase *k,
		       const char *code)
{
	size_t n = sizeof(warning_codes) / sizeof(warning_codes[0]);

	if (listed(t, k->family, '!', code))
		return;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(warning_codes[i].code, code))
			continue;
		t->values++;
		if (!(k->warnings & warning_codes[i].bit))
			miss(t, k, code, "warning not shown");
		return;
	}
	miss(t, k, code, "unknown warning");
}

static void check_refused(struct tally *t, const struct kase *k,
			  const char *reason)
{
	if (!k->computed) {
		if (!listed(t, k->family, '.', "*"))
			miss(t, k, reason, "unknown family");
		return;
	}
	t->values++;
	if (!k->status)
		miss(t, k, reason, "not refused");
}

static struct vector parse_vector(const char *text)
{
	struct vector v = { .v = mem_zalloc(strlen(text) + 1, sizeof(double)) };
	char *end;

	for (;;) {
		double x = strtod(text, &end);

		if (end == text)
			break;
		v.v[v.n++] = x;
		text = end;
	}
	return v;
}

static void read_input(struct kase *k, const char *name, const char *text)
{
	if (!strcmp(name, "x") && !k->x.v)
		k->x = parse_vector(text);
	else if (!strcmp(name, "y") && !k->y.v)
		k->y = parse_vector(text);
	else if (!strcmp(name, "conf"))
		k->conf = strtod(text, NULL);
	else if (!strcmp(name, "p"))
		k->p = strtod(text, NULL);
}

static void kase_start(struct kase *k, char *fields[8])
{
	free(k->x.v);
	free(k->y.v);
	memset(k, 0, sizeof(*k));
	if (!fields)
		return;
	snprintf(k->id, sizeof(k->id), "%s", fields[0]);
	snprintf(k->family, sizeof(k->family), "%s", fields[1]);
	k->refuse = !strcmp(fields[2], "refuse");
	k->p = 0.5;
}

static void compute(struct tally *t, struct kase *k)
{
	const struct family *f = find_family(k->family);

	if (k->computed || !f)
		return;
	f->compute(k);
	k->computed = true;
	if (k->status && !k->refuse)
		miss(t, k, "status", "refused");
}

static void check_row(struct tally *t, struct kase *k, char *fields[8])
{
	if (strcmp(k->id, fields[0]))
		kase_start(k, fields);
	if (!strcmp(fields[3], "in")) {
		read_input(k, fields[4], fields[7]);
		return;
	}
	compute(t, k);
	if (!strcmp(fields[3], "out"))
		check_out(t, k, fields);
	else if (!strcmp(fields[3], "warn"))
		check_warn(t, k, fields[4]);
	else if (!strcmp(fields[3], "refuse"))
		check_refused(t, k, fields[4]);
	else
		miss(t, k, fields[3], "unknown role");
}

/* Splits a line at its tabs; false when it has not 8 fields. */
static bool split(char *line, char *fields[8])
{
	line[strcspn(line, "\r\n")] = '\0';
	for (size_t i = 0; i < 8; i++) {
		fields[i] = line;
		line = line ? strchr(line, '\t') : NULL;
		if (line)
			*line++ = '\0';
	}
	return fields[7] && !line;
}

static void reference_cases_hold(void **state)
{
	struct tally t = { .values = 0 };
	struct kase k = { .id = "" };
	char *line = NULL, *fields[8];
	size_t size = 0;
	FILE *f = fopen(CASES, "r");

	(void)state;
	if (!f)
		fail_msg("cannot open %s", CASES);
	assert_true(getline(&line, &size, f) > 0); /* the heading */
	while (getline(&line, &size, f) > 0) {
		assert_true(split(line, fields));
		check_row(&t, &k, fields);
	}
	kase_start(&k, NULL);
	for (size_t i = 0; i < N_NOT_OFFERED; i++)
		if (!t.used[i])
			fail_msg("'%s' is listed but there is no such case",
				 not_offered[i]);
	free(line);
	fclose(f);
	assert_int_equal(t.misses, 0);
	assert_int_equal(t.values, 529);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reference_cases_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
