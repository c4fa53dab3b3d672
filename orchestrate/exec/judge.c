#include "orchestrate/exec/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/result.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"

static void begin(struct judgement *j)
{
	memset(j, 0, sizeof(*j));
	buf_init(&j->reason);
	j->end.exit_status = -1;
	j->end.duration = NAN;
}

static void finish(struct judgement *j, enum outcome outcome)
{
	j->end.outcome = outcome;
	j->end.reason = outcome == OUTCOME_OK ? NULL : j->reason.data;
	j->end.observations = j->observations;
	j->end.n_observations = outcome == OUTCOME_OK ? j->n : 0;
}

void judgement_release(struct judgement *j)
{
	buf_release(&j->reason);
	free(j->observations);
}

void judge_without(struct judgement *j, enum outcome outcome,
		   const char *reason)
{
	begin(j);
	buf_adds(&j->reason, reason);
	finish(j, outcome);
}

static void take_output(struct output *o, struct slice head,
			struct slice tail, bool truncated)
{
	o->head = head.data;
	o->n_head = head.n;
	o->tail = tail.data;
	o->n_tail = tail.n;
	o->truncated = truncated;
}

/* What the execution that ended the run said last on standard error. */
static struct slice last_words(const struct result *r)
{
	struct slice text = r->err_tail.n ? r->err_tail : r->err_head;
	struct slice rest = text;
	struct execution part;

	while (r->execution && result_next_execution(r, &rest, &part))
		text = part.text;
	return text;
}

/* "warm-up 1 of 2 " in front of what it did; nothing for a single one. */
static bool say_execution(struct judgement *j, const struct result *r,
			  const struct benchmark *b)
{
	if (r->execution)
		buf_addf(&j->reason, "%s %u of %" PRIu32 " ",
			 r->in_warmup ? "warm-up" : "repeat", r->execution,
			 r->in_warmup ? b->warmup : b->repeats);
	return r->execution;
}

/* "exit 3: last line" */
static void say_exit(struct judgement *j, const struct result *r,
		     const struct benchmark *b)
{
	struct slice text = last_words(r);

	if (say_execution(j, r, b))
		buf_adds(&j->reason, "failed: ");
	buf_addf(&j->reason, "exit %d", r->exit_status);
	if (r->exit_status > 128 && r->exit_status < 128 + 65)
		buf_addf(&j->reason, " (signal %d)", r->exit_status - 128);
	reason_add_last_line(&j->reason, text.data, text.n);
}

static void say_size(struct judgement *j, size_t n)
{
	if (n && n % (1024 * 1024) == 0)
		buf_addf(&j->reason, "%zu MiB", n / (1024 * 1024));
	else if (n && n % 1024 == 0)
		buf_addf(&j->reason, "%zu KiB", n / 1024);
	else
		buf_addf(&j->reason, "%zu bytes", n);
}

/* A stream is cut at its limit, or where the host's disk took no more. */
static void say_cut(struct judgement *j, const struct result *r)
{
	buf_adds(&j->reason, "its output was cut: the first ");
	say_size(j, r->out_head.n);
	buf_adds(&j->reason, " and the last ");
	say_size(j, r->out_tail.n);
	buf_adds(&j->reason, " are kept, so numbers may be missing; ");
	if (r->out_head.n < SCRIPT_OUT_HEAD)
		buf_adds(&j->reason, "the host's disk may be full");
	else
		buf_adds(&j->reason, "print less");
}

static int observe(struct judgement *j, struct slice text,
		   const struct response *response, struct extractor *x)
{
	struct extracted values = EXTRACTED_INIT;
	struct error err;
	int result = extractor_run(x, text.data, text.n, &values, &err);

	if (result)
		buf_addf(&j->reason, "response '%s': %s", response->name,
			 err.text);
	for (size_t i = 0; !result && i < values.n; i++) {
		MEM_GROW(j->observations, j->n, j->cap);
		j->observations[j->n++] = (struct observation){
			.response = response->name,
			.value = values.values[i],
			.uom = response->uom,
			.better = response->better,
		};
	}
	extracted_release(&values);
	return result;
}

static int observe_all(struct judgement *j, struct slice text,
		       const struct benchmark *b,
		       struct extractor *const *extractors)
{
	for (size_t i = 0; i < b->n_responses; i++)
		if (observe(j, text, &b->responses[i], extractors[i]))
			return -1;
	return 0;
}

/* Each execution has to give a number for each response. */
static int observe_each(struct judgement *j, const struct result *r,
			const struct benchmark *b,
			struct extractor *const *extractors)
{
	struct slice rest = r->out_head;
	struct execution part;
	uint32_t repeats = 0;

	while (result_next_execution(r, &rest, &part)) {
		if (part.warmup)
			continue;
		if (part.number != repeats + 1) {
			repeats = 0;
			break;
		}
		repeats++;
		if (observe_all(j, part.text, b, extractors)) {
			buf_addf(&j->reason, " in repeat %" PRIu32 " of %"
				 PRIu32, repeats, b->repeats);
			return -1;
		}
	}
	if (repeats == b->repeats)
		return 0;
	buf_adds(&j->reason, "its output cannot be told apart by repeats: a "
		 "line of assay's own is in it, or missing");
	return -1;
}

static enum outcome decide(struct judgement *j, const struct result *r,
			   const struct benchmark *b,
			   struct extractor *const *extractors,
			   const struct error *drift)
{
	if (!r->ended) {
		buf_adds(&j->reason, "the runner on the host was killed, or "
			 "the host's disk is full");
		reason_add_last_line(&j->reason, r->trouble.data,
				     r->trouble.n);
		return OUTCOME_LOST;
	}
	j->end.exit_status = r->exit_status;
	j->end.duration = r->duration;
	if (r->stopped) {
		buf_adds(&j->reason, "stopped by the user");
		return OUTCOME_STOPPED;
	}
	if (drift) {
		buf_adds(&j->reason, drift->text);
		return OUTCOME_INVALID;
	}
	if (r->timed_out) {
		say_execution(j, r, b);
		buf_addf(&j->reason, "did not end within %g s", b->timeout);
		return OUTCOME_TIMEOUT;
	}
	if (r->exit_status != 0) {
		say_exit(j, r, b);
		return OUTCOME_FAILED;
	}
	if (r->out_truncated) {
		say_cut(j, r);
		return OUTCOME_FAILED;
	}
	if (r->execution ? observe_each(j, r, b, extractors) :
			   observe_all(j, r->out_head, b, extractors))
		return OUTCOME_FAILED;
	return OUTCOME_OK;
}

void judge(struct judgement *j, const struct result *r,
	   const struct benchmark *b, struct extractor *const *extractors,
	   const struct error *drift)
{
	begin(j);
	take_output(&j->end.out, r->out_head, r->out_tail, r->out_truncated);
	take_output(&j->end.err, r->err_head, r->err_tail, r->err_truncated);
	j->end.started = r->started;
	finish(j, decide(j, r, b, extractors, drift));
}
