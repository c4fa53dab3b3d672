#include "cmd/run_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "orchestrate/schedule/schedule.h"

/* Comparing with more names would take seconds. */
#define NAMES_MAX 20000

static bool is_number(const char *name)
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

static bool find_key(size_t *run, const struct schedule *s, const char *name,
		     struct strlist *names)
{
	struct buf key = BUF_INIT;
	bool found = false;

	for (size_t i = 0; i < s->n_runs && !found; i++) {
		buf_clear(&key);
		schedule_run_key(s, i, &key);
		found = !strcmp(key.data, name);
		if (found)
			*run = i;
		else if (names->n < NAMES_MAX)
			strlist_push(names, key.data);
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

int run_name_find(size_t *run, const struct schedule *s, const char *name,
		  struct error *err)
{
	struct strlist names = STRLIST_INIT;
	size_t treatment;
	int rc = 0;

	if (is_number(name))
		return find_number(run, s, name, err);
	if (strchr(name, '#')) {
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
