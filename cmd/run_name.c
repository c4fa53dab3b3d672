#include "cmd/run_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/schedule/schedule.h"

/* Comparing with more names would take seconds. */
#define NAMES_MAX 20000

bool run_name_is_number(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static int find_number(size_t *run, const struct schedule *s,
		       const char *name, struct error *err)
{
	unsigned long long n = strtoull(name, NULL, 10);

	for (size_t i = 0; i < s->n_runs; i++) {
		if (s->runs[i].position == n) {
			*run = i;
			return 0;
		}
	}
	return error_set(err, ERROR_USAGE,
			 "there is no run %s: they go from %u to %u%s", name,
			 s->runs[0].position, s->runs[s->n_runs - 1].position,
			 s->n_runs < s->n_planned ? ", of which some are left "
						    "out"
						  : "");
}

/* The treatment's number; n_treatments when it is none. */
static size_t find_treatment(const struct schedule *s, const char *name,
			     struct strlist *names)
{
	struct buf key = BUF_INIT;
	size_t n = s->design->n_treatments, i;

	for (i = 0; i < n; i++) {
		buf_clear(&key);
		treatment_key(s->design, i, &key);
		if (!strcmp(key.data, name))
			break;
		if (names->n < NAMES_MAX)
			strlist_push(names, key.data);
	}
	buf_release(&key);
	return i;
}

/*
 * Looks among the keys for `name`, which may lack the benchmark in front, the
 * replicate at the end, or both: then the first that fits.
 */
static bool find_key(size_t *run, const struct schedule *s, const char *name,
		     struct strlist *names)
{
	bool benchmark = strchr(name, '/'), replicate = strchr(name, '#');
	struct buf key = BUF_INIT;
	bool found = false;

	for (size_t i = 0; i < s->n_runs && !found; i++) {
		char *part;

		buf_clear(&key);
		schedule_run_key(s, i, &key);
		part = benchmark ? key.data : key.data + strcspn(key.data, "/");
		part += !benchmark && *part;
		if (!replicate)
			part[strcspn(part, "#")] = '\0';
		found = !strcmp(part, name);
		if (found)
			*run = i;
		else if (names->n < NAMES_MAX)
			strlist_push(names, part);
	}
	buf_release(&key);
	return found;
}

static bool find_first(size_t *run, const struct schedule *s,
		       size_t treatment)
{
	for (size_t i = 0; i < s->n_runs; i++) {
		if (s->runs[i].treatment == treatment) {
			*run = i;
			return true;
		}
	}
	return false;
}

static int not_found(const char *name, const struct strlist *names,
		     struct error *err)
{
	const char *near = strlist_nearest(
		name, (const char *const *)names->items, names->n);

	return error_set(err, ERROR_USAGE,
			 "there is no run '%s'%s%s%s", name,
			 near ? "; did you mean '" : ": `assay plan --all` "
						     "lists their numbers and "
						     "keys",
			 near ? near : "", near ? "'?" : "");
}

/* Orders "factor=level" by the factor, as a key does. */
static int compare_factors(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t n = strcspn(x, "="), m = strcspn(y, "=");
	int order = memcmp(x, y, n < m ? n : m);

	return order ? order : (n > m) - (n < m);
}

char *run_name_canonical(const char *name)
{
	size_t benchmark = strcspn(name, "/"), n;
	struct strlist factors = STRLIST_INIT;
	struct buf out = BUF_INIT;
	const char *p;

	benchmark = name[benchmark] ? benchmark + 1 : 0;
	buf_add(&out, name, benchmark);
	for (p = name + benchmark; *p && *p != '#'; p += n + (p[n] == ',')) {
		n = strcspn(p, ",#");
		strlist_push_nodup(&factors, mem_strndup(p, n));
	}
	if (factors.n)
		qsort(factors.items, factors.n, sizeof(factors.items[0]),
		      compare_factors);
	for (size_t i = 0; i < factors.n; i++)
		buf_addf(&out, "%s%s", i ? "," : "", factors.items[i]);
	buf_adds(&out, p);
	strlist_release(&factors);
	return buf_detach(&out);
}

static int find_named(size_t *run, const struct schedule *s, const char *name,
		      struct error *err)
{
	struct strlist names = STRLIST_INIT;
	size_t treatment;
	int rc = 0;

	if (strpbrk(name, "/#")) {
		if (!find_key(run, s, name, &names))
			rc = not_found(name, &names, err);
	} else {
		treatment = find_treatment(s, name, &names);
		if (treatment == s->design->n_treatments)
			rc = not_found(name, &names, err);
		else if (!find_first(run, s, treatment))
			rc = error_set(err, ERROR_USAGE,
				       "treatment %s has no run among those "
				       "that are left", name);
	}
	strlist_release(&names);
	return rc;
}

int run_name_find(size_t *run, const struct schedule *s, const char *name,
		  struct error *err)
{
	char *canonical;
	int rc;

	if (run_name_is_number(name))
		return find_number(run, s, name, err);
	canonical = run_name_canonical(name);
	rc = find_named(run, s, canonical, err);
	free(canonical);
	return rc;
}
