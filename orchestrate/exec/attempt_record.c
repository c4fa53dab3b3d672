#include "orchestrate/exec/attempt_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/exec/judge.h"
#include "orchestrate/exec/stack.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

const struct benchmark *attempt_benchmark(const struct attempt *a)
{
	const struct run *run = &a->o.schedule->runs[a->run];

	return &a->o.experiment->benchmarks[run->benchmark];
}

/* Makes the judgement durable; 0, or -1 and the verdict is ATTEMPT_STORE. */
static int record(struct attempt *a, struct judgement *j)
{
	int result = store_attempt_end(a->o.store, a->id, &j->end, &a->err);

	if (result) {
		a->report.verdict = ATTEMPT_STORE;
	} else {
		a->report.verdict = ATTEMPT_ENDED;
		a->report.outcome = j->end.outcome;
		if (j->end.reason)
			buf_adds(&a->reason, j->end.reason);
	}
	judgement_release(j);
	return result;
}

void attempt_end_without(struct attempt *a, enum outcome outcome,
			 const char *reason)
{
	struct judgement j;

	judge_without(&j, outcome, reason);
	record(a, &j);
	attempt_finish(a, a->report.verdict);
}

void attempt_end_broken(struct attempt *a, enum outcome outcome,
			const struct error *err)
{
	struct judgement j;
	struct error why = *err;

	judge_without(&j, outcome, why.text);
	if (record(a, &j)) {
		attempt_finish(a, ATTEMPT_STORE);
		return;
	}
	a->err = why;
	attempt_finish(a, ATTEMPT_BROKEN);
}

/* The channel is not needed any more; its end finishes the attempt. `word`
 * (may be NULL) goes to the host as the last. */
static void close_channel(struct attempt *a, const char *word)
{
	const struct executor_ops *ops = a->o.executor->ops;

	a->state = CLOSING;
	if (a->channel_over) {
		attempt_finish(a, a->report.verdict);
		return;
	}
	if (word)
		ops->write(a->o.executor, &a->job, word, strlen(word));
	ops->eof(a->o.executor, &a->job);
}

/* Only what is recorded may be forgotten. What cannot be found out later, the
 * host keeps for us. */
static void record_and_close(struct attempt *a, struct judgement *j,
			     const struct error *drift)
{
	char *keep = mem_printf("keep %s\n", drift ? drift->text : "ok");

	close_channel(a, record(a, j) ? keep : "forget\n");
	free(keep);
}

/* Result and settings are known: judges, records, and only then lets the
 * host forget. */
static void settle(struct attempt *a, const struct error *drift)
{
	struct judgement j;

	/* once more, as the text may have moved since */
	result_parse(&a->result, a->job.out.data, a->job.out.n, a->token);
	if (a->run == ATTEMPT_NO_RUN)
		judge_without(&j, OUTCOME_LOST, a->o.lost ? a->o.lost :
			      "its run is not in the experiment any more");
	else
		judge(&j, &a->result, attempt_benchmark(a),
		      a->o.extractors[a->o.schedule->runs[a->run].benchmark],
		      drift);
	record_and_close(a, &j, drift);
}

/* A collected run, by what its own controller found before the store failed. */
static void settle_kept(struct attempt *a)
{
	struct slice kept = a->result.kept;
	struct error drift;

	if (kept.n == 2 && memcmp(kept.data, "ok", 2) == 0) {
		settle(a, NULL);
		return;
	}
	error_set(&drift, ERROR_NEGATIVE, "%.*s", (int)kept.n, kept.data);
	settle(a, &drift);
}

static void on_verified(void *ctx, enum stack_verdict verdict,
			const struct error *err)
{
	struct attempt *a = ctx;

	switch (verdict) {
	case STACK_OK:
		settle(a, NULL);
		break;
	case STACK_FAILED:
		settle(a, err);
		break;
	case STACK_BROKEN:
	case STACK_FAILED_BROKEN:
	case STACK_LOST:
	case STACK_STORE:
		a->err = *err;
		a->report.verdict = verdict == STACK_STORE ? ATTEMPT_STORE :
							     ATTEMPT_OPEN;
		close_channel(a, NULL);
		break;
	}
}

/* Nobody can say under which settings it was measured: no result, but no
 * verdict on the treatment either; the run is made again. */
static void settle_unknown(struct attempt *a)
{
	struct judgement j;

	judge_without(&j, OUTCOME_LOST,
		      "collected after its controller had died, when it was no "
		      "longer known which settings were in effect");
	close_channel(a, record(a, &j) ? NULL : "forget\n");
}

void attempt_take_result(struct attempt *a)
{
	a->state = VERIFYING;
	if (a->run == ATTEMPT_NO_RUN || !a->result.ended || a->result.stopped) {
		settle(a, NULL);
	} else if (a->result.kept.n) {
		settle_kept(a);
	} else if (a->collecting && !a->adopted) {
		settle_unknown(a);
	} else {
		stack_verify(a->o.stack, a->id, on_verified, a);
	}
}

void attempt_refuse_result(struct attempt *a)
{
	struct judgement j;

	judge_without(&j, OUTCOME_LOST,
		      "the host sent something else than a result");
	close_channel(a, record(a, &j) ? NULL : "forget\n");
}
