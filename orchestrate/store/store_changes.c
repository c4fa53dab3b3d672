#include "orchestrate/store/store_changes.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/store/store_private.h"

/* What happens on a host around settings, and its rank when two events bear
 * the same time. */
enum event_kind {
	EVENT_END,      /* of an attempt */
	EVENT_REVERTED,
	EVENT_BEGIN,
	EVENT_SAVED,    /* a state, before `apply` */
	EVENT_APPLIED,  /* and read back */
	EVENT_OTHER,    /* evidence of something else, or of a failure */
};

static const char sql[] =
	"WITH event (host, recorded, kind, factor) AS ("
	" SELECT a.host, o.ended, 0, NULL"
	"  FROM outcome AS o JOIN attempt AS a ON a.id = o.attempt"
	"  JOIN run AS r ON r.id = a.run WHERE r.campaign = ?1"
	" UNION ALL"
	" SELECT s.host, v.recorded, 1, s.factor"
	"  FROM reverted AS v JOIN saved_state AS s ON s.id = v.state"
	"  WHERE s.campaign = ?1"
	" UNION ALL"
	" SELECT a.host, a.started, 2, NULL"
	"  FROM attempt AS a JOIN run AS r ON r.id = a.run"
	"  WHERE r.campaign = ?1"
	" UNION ALL"
	" SELECT host, recorded, 3, factor FROM saved_state"
	"  WHERE campaign = ?1"
	" UNION ALL"
	" SELECT e.host, e.recorded,"
	"  CASE WHEN e.phase = 'apply' AND e.exit_status = 0"
	"   THEN 4 ELSE 5 END, e.factor"
	"  FROM evidence AS e JOIN attempt AS a ON a.id = e.attempt"
	"  JOIN run AS r ON r.id = a.run WHERE r.campaign = ?1)"
	"SELECT host, recorded, kind, coalesce(factor, '') FROM event"
	" ORDER BY host, recorded, kind";

struct samples {
	double *items;
	size_t n, cap;
};

static void samples_push(struct samples *s, double seconds)
{
	MEM_GROW(s->items, s->n, s->cap);
	s->items[s->n++] = seconds;
}

struct taken {
	char *factor;
	struct samples apply, revert;
};

/* Where the reading of events is. */
struct timeline {
	struct taken *factors;
	size_t n, cap;
	char *host;
	int64_t last;           /* of the event before */
	enum event_kind kind;
	int64_t before_saved;   /* of the event before a state was saved */
	bool in_attempt;        /* what is before belongs to the same go */
	struct put_back {
		size_t factor;
		double seconds;
	} *put_back;            /* in it, when it is known to go on */
	size_t n_put_back, cap_put_back;
};

static size_t find_factor(struct timeline *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->factors[i].factor, name))
			return i;
	MEM_GROW(t->factors, t->n, t->cap);
	t->factors[t->n] = (struct taken){ .factor = mem_strdup(name) };
	return t->n++;
}

static double seconds_since(int64_t from, int64_t to)
{
	return (double)(to - from) / 1e9;
}

/* A controller that died in an attempt may have been followed days later by
 * `assay restore`: what nothing follows in the attempt is nobody's time. */
static void keep_put_back(struct timeline *t, bool goes_on)
{
	for (size_t i = 0; i < t->n_put_back && goes_on; i++)
		samples_push(&t->factors[t->put_back[i].factor].revert,
			     t->put_back[i].seconds);
	t->n_put_back = 0;
}

static void take_reverted(struct timeline *t, int64_t at, const char *factor)
{
	struct put_back *p;

	if (!t->in_attempt ||
	    (t->kind != EVENT_BEGIN && t->kind != EVENT_REVERTED))
		return;
	MEM_GROW(t->put_back, t->n_put_back, t->cap_put_back);
	p = &t->put_back[t->n_put_back++];
	p->factor = find_factor(t, factor);
	p->seconds = seconds_since(t->last, at);
}

static void take_applied(struct timeline *t, int64_t at, const char *factor)
{
	size_t f;

	if (!t->in_attempt || t->kind != EVENT_SAVED)
		return;
	f = find_factor(t, factor); /* may move them */
	samples_push(&t->factors[f].apply, seconds_since(t->before_saved, at));
}

static void take_event(struct timeline *t, int64_t at, enum event_kind kind,
		       const char *factor)
{
	if (kind != EVENT_REVERTED)
		keep_put_back(t, kind != EVENT_BEGIN && t->in_attempt);
	if (kind == EVENT_REVERTED)
		take_reverted(t, at, factor);
	else if (kind == EVENT_SAVED)
		t->before_saved = t->last;
	else if (kind == EVENT_APPLIED)
		take_applied(t, at, factor);
	else if (kind == EVENT_BEGIN || kind == EVENT_END)
		t->in_attempt = kind == EVENT_BEGIN;
	t->last = at;
	t->kind = kind;
}

static void take_row(struct timeline *t, sqlite3_stmt *stmt)
{
	char *host = db_column_text(stmt, 0);
	char *factor = db_column_text(stmt, 3);

	if (!t->host || strcmp(host, t->host) != 0) {
		keep_put_back(t, false);
		t->in_attempt = false;
		t->kind = EVENT_END;
	}
	free(t->host);
	t->host = host;
	take_event(t, sqlite3_column_int64(stmt, 1),
		   (enum event_kind)sqlite3_column_int(stmt, 2), factor);
	free(factor);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(struct samples *s)
{
	if (!s->n)
		return 0;
	qsort(s->items, s->n, sizeof(*s->items), by_value);
	return (s->items[(s->n - 1) / 2] + s->items[s->n / 2]) / 2;
}

static int by_factor(const void *a, const void *b)
{
	const struct change_time *x = a, *y = b;

	return strcmp(x->factor, y->factor);
}

static void conclude(struct timeline *t, struct change_time **out, size_t *n)
{
	struct change_time *times = mem_zalloc(t->n + 1, sizeof(*times));

	*n = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct taken *f = &t->factors[i];

		if (!f->apply.n)
			continue;
		times[(*n)++] = (struct change_time){
			.factor = f->factor,
			.apply = median(&f->apply),
			.n_apply = f->apply.n,
			.revert = median(&f->revert),
			.n_revert = f->revert.n,
		};
		f->factor = NULL;
	}
	qsort(times, *n, sizeof(*times), by_factor);
	*out = times;
}

static void timeline_release(struct timeline *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->factors[i].factor);
		free(t->factors[i].apply.items);
		free(t->factors[i].revert.items);
	}
	free(t->factors);
	free(t->put_back);
	free(t->host);
}

int store_change_times(struct store *s, int64_t campaign,
		       struct change_time **out, size_t *n,
		       struct error *err)
{
	struct timeline t = { .n = 0 };
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(&s->db, &stmt, sql, BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0)
		take_row(&t, stmt);
	db_end(stmt);
	if (!rc)
		conclude(&t, out, n);
	timeline_release(&t);
	return rc;
}

void change_times_free(struct change_time *times, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(times[i].factor);
	free(times);
}
