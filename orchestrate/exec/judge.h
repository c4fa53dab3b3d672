#ifndef EXEC_JUDGE_H
#define EXEC_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "orchestrate/store/store_attempt.h"

struct benchmark;
struct error;
struct extractor;
struct result;

/* What a collected run amounts to. `end` points into the judgement and the
 * result's text: use it before either goes. */
struct judgement {
	struct attempt_end end;
	struct buf reason;
	struct observation *observations;
	size_t n;
	size_t cap;
};

/*
 * In this order: the runner was killed, the user stopped it, a setting
 * drifted (`drift`, NULL = none), it timed out, it failed, its output was
 * cut (a number could be missing or halved), a response gave no number, ok.
 * Of several executions, the output of each repeat is searched by itself and
 * has to give every response; its observations follow those of the repeat
 * before. What warm-ups print does not count.
 * `extractors`: one for each response of the benchmark.
 */
void judge(struct judgement *j, const struct result *r,
	   const struct benchmark *b, struct extractor *const *extractors,
	   const struct error *drift);
/* An attempt that ended without a result. */
void judge_without(struct judgement *j, enum outcome outcome,
		   const char *reason);
void judgement_release(struct judgement *j);

#endif
