#include "cmd/show_text.h"

#include <math.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cmd/print.h"
#include "cmd/subset_text.h"
#include "cmd/tally.h"
#include "orchestrate/store/store_query.h"

/* Indented, and fit for a terminal whatever the bytes are. */
static void add_block(struct buf *out, const char *text, size_t n)
{
	struct buf safe = BUF_INIT;
	bool start = true;

	utf8_add_printable(&safe, text, n);
	for (size_t i = 0; i < safe.n; i++) {
		if (start)
			buf_adds(out, "    ");
		buf_addc(out, safe.data[i]);
		start = safe.data[i] == '\n';
	}
	if (!start)
		buf_addc(out, '\n');
	buf_release(&safe);
}

static void add_stream(struct buf *out, const char *name, const char *head,
		       size_t n_head, const char *tail, size_t n_tail,
		       bool truncated)
{
	if (!n_head && !n_tail) {
		buf_addf(out, "  %s: empty\n", name);
		return;
	}
	buf_addf(out, "  %s:\n", name);
	add_block(out, head, n_head);
	if (truncated)
		buf_addf(out, "    ... too long: only the first %zu and the "
			      "last %zu bytes were kept ...\n",
			 n_head, n_tail);
	add_block(out, tail, n_tail);
}

static void add_evidence(struct buf *out, const struct evidence_row *e)
{
	buf_addf(out, "  %s%s%s%s%s:", e->phase, e->factor ? " " : "",
		 e->factor ? e->factor : "", e->level ? "=" : "",
		 e->level ? e->level : "");
	if (e->exit_status > 0)
		buf_addf(out, " exit status %d", e->exit_status);
	buf_addc(out, '\n');
	add_block(out, e->text, e->n_text);
}

static void add_outcome(struct buf *out, const struct attempt_detail *a)
{
	char text[CLOCK_TEXT_SIZE];

	if (!a->ended) {
		buf_adds(out, "  not ended: its controller was stopped; the "
			      "next 'assay run' collects it\n");
		return;
	}
	buf_addf(out, "  outcome: %s%s", tally_outcome_text(a->outcome),
		 a->reason ? ": " : "");
	print_add(out, a->reason ? a->reason : "");
	buf_addc(out, '\n');
	if (a->exit_status >= 0)
		buf_addf(out, "  exit status: %d\n", a->exit_status);
	if (a->started)
		buf_addf(out, "  started: %s (host's clock)\n",
			 clock_iso8601(a->started, text));
	if (!isnan(a->duration))
		buf_addf(out, "  duration: %.6g s\n", a->duration);
}

static void add_attempt(struct buf *out, const struct attempt_detail *a,
			size_t number)
{
	buf_addf(out, "\nattempt %zu on %s, ", number, a->host);
	if (a->commit)
		buf_addf(out, "commit %.12s, ", a->commit);
	buf_addf(out, "assay %s", a->version ? a->version : "unknown");
	if (!subset_is_all(&a->subset)) {
		buf_adds(out, ", asked for with ");
		subset_text(out, &a->subset);
	}
	buf_addc(out, '\n');
	add_outcome(out, a);
	for (size_t i = 0; i < a->n_observations; i++)
		buf_addf(out, "  %s: %.10g%s%s\n",
			 a->observations[i].response, a->observations[i].value,
			 *a->observations[i].uom ? " " : "",
			 a->observations[i].uom);
	for (size_t i = 0; i < a->n_evidence; i++)
		add_evidence(out, &a->evidence[i]);
	if (!a->ended)
		return;
	add_stream(out, "stdout", a->out_head, a->n_out_head, a->out_tail,
		   a->n_out_tail, a->out_truncated);
	add_stream(out, "stderr", a->err_head, a->n_err_head, a->err_tail,
		   a->n_err_tail, a->err_truncated);
}

void show_text(struct buf *out, const struct run_detail *d)
{
	buf_addf(out, "%s, planned on %s\n", d->key, d->host);
	if (!d->n_attempts)
		buf_adds(out, "not run yet\n");
	if (d->n_attempts > 1)
		buf_addf(out, "%zu attempts; the newest that is ok, failed, "
			      "timed out or invalid counts\n",
			 d->n_attempts);
	for (size_t i = 0; i < d->n_attempts; i++)
		add_attempt(out, &d->attempts[i], i + 1);
}

static void json_stream(struct json *j, const char *name, const char *head,
			size_t n_head, const char *tail, size_t n_tail,
			bool truncated)
{
	json_key(j, name);
	json_object(j);
	json_key(j, "head");
	json_string_n(j, head, n_head);
	if (truncated) {
		json_key(j, "tail");
		json_string_n(j, tail, n_tail);
	}
	json_put_bool(j, "truncated", truncated);
	json_object_end(j);
}

static void json_observations(struct json *j, const struct attempt_detail *a)
{
	json_key(j, "observations");
	json_array(j);
	for (size_t i = 0; i < a->n_observations; i++) {
		json_object(j);
		json_put_string(j, "response", a->observations[i].response);
		json_put_double(j, "value", a->observations[i].value);
		json_put_string(j, "uom", a->observations[i].uom);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_evidence(struct json *j, const struct attempt_detail *a)
{
	json_key(j, "evidence");
	json_array(j);
	for (size_t i = 0; i < a->n_evidence; i++) {
		const struct evidence_row *e = &a->evidence[i];

		json_object(j);
		json_put_string(j, "phase", e->phase);
		json_put_string(j, "factor", e->factor);
		json_put_string(j, "level", e->level);
		json_put_int(j, "exit_status", e->exit_status);
		json_key(j, "text");
		json_string_n(j, e->text, e->n_text);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_attempt(struct json *j, const struct attempt_detail *a)
{
	json_object(j);
	json_put_string(j, "host", a->host);
	json_put_string(j, "commit", a->commit);
	json_put_string(j, "version", a->version);
	json_key(j, "subset");
	subset_json(j, &a->subset);
	json_put_string(j, "outcome",
			a->ended ? outcome_name(a->outcome) : NULL);
	json_put_string(j, "reason", a->reason);
	json_put_int(j, "exit_status", a->exit_status);
	json_put_double(j, "duration", a->duration);
	json_observations(j, a);
	json_evidence(j, a);
	json_stream(j, "stdout", a->out_head, a->n_out_head, a->out_tail,
		    a->n_out_tail, a->out_truncated);
	json_stream(j, "stderr", a->err_head, a->n_err_head, a->err_tail,
		    a->n_err_tail, a->err_truncated);
	json_object_end(j);
}

void show_json(struct buf *out, const struct run_detail *d)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "key", d->key);
	json_put_string(&j, "host", d->host);
	json_key(&j, "attempts");
	json_array(&j);
	for (size_t i = 0; i < d->n_attempts; i++)
		json_attempt(&j, &d->attempts[i]);
	json_array_end(&j);
	json_object_end(&j);
	buf_addc(out, '\n');
}
