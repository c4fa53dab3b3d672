#ifndef STORE_QUERY_H
#define STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/store/store_attempt.h"
#include "orchestrate/store/store_subset.h"
#include "stats/frame.h"

struct buf;
struct error;
struct store;

/*
 * The observations of one response of one benchmark in a campaign, with
 * every settled run (its newest settling attempt). Runs come ordered by
 * treatment key, replicate and host, so that the result does not depend on
 * the order of insertion; `sequence` is the order of execution among them. A
 * benchmark or response without records gives an empty frame. ERROR_USAGE
 * when it was recorded in two units. Free with frame_release().
 */
int store_frame(struct store *s, int64_t campaign, const char *benchmark,
		const char *response, struct frame *out, struct error *err);

/* Whether the run has a settling attempt: for schedule_missing(). -1 on error. */
int store_run_done(struct store *s, int64_t campaign, const char *run_key);

/* The runs that were settled more than once: only the newest result counts. */
int store_made_again(struct store *s, int64_t campaign, size_t *n,
		     struct error *err);

struct run_status_row {
	char *key, *host, *benchmark, *treatment;
	uint32_t replicate, position;
	bool begun;            /* has an attempt */
	bool ended;            /* its newest attempt has ended */
	enum outcome outcome;  /* of the newest attempt that settled it, else
	                        * of the newest that ended, if any */
	char *reason;          /* of that one; NULL for none */
	int attempts;
	int settlings;         /* attempts that settled it: with more than
	                        * one, it was made again (--retry) */
	double duration;       /* of that one, s; NaN unknown */
};
/* Every planned run, by position; host is where it was last tried, or else
 * where it is to be made. */
int store_status(struct store *s, int64_t campaign,
		 struct run_status_row **out, size_t *n, struct error *err);
void run_status_free(struct run_status_row *rows, size_t n);

/* Everything about one run, for `assay show`. */
struct run_detail {
	char *key, *host;
	struct attempt_detail {
		int64_t id;
		char *host, *commit, *version, *reason;
		struct subset subset; /* of its session */
		bool ended;
		enum outcome outcome;
		int exit_status;
		int64_t started;
		double duration;
		char *out_head, *out_tail, *err_head, *err_tail;
		size_t n_out_head, n_out_tail, n_err_head, n_err_tail;
		bool out_truncated, err_truncated;
		struct observation_row {
			char *response;
			double value;
			char *uom;
		} *observations;
		size_t n_observations;
		struct evidence_row {
			char *factor, *level, *phase, *text;
			size_t n_text;
			int exit_status;
		} *evidence;
		size_t n_evidence;
	} *attempts;
	size_t n_attempts;
};
/*
 * By run key, or by position as decimal text. ERROR_USAGE when there is none,
 * or when a plan that has grown since gave two runs that position. Texts are
 * never NULL, and a NUL is behind them.
 */
int store_run_detail(struct store *s, int64_t campaign, const char *run,
		     struct run_detail *out, struct error *err);
void run_detail_release(struct run_detail *d);

struct host_fact_row { char *host, *key, *value; };
/* Latest value of each (host, key) in the campaign, sorted. */
int store_host_facts(struct store *s, int64_t campaign,
		     struct host_fact_row **out, size_t *n, struct error *err);
void host_facts_free(struct host_fact_row *rows, size_t n);

/*
 * SHA-256 hex over the campaign's settled runs and observations in canonical
 * order (run key, response, sequence; %.17g): the data digest that every
 * figure carries. The same data gives the same digest whatever the order of
 * insertion. What exactly is hashed: docs/store.md.
 */
int store_digest(struct store *s, int64_t campaign, char hex[65],
		 struct error *err);

#endif
