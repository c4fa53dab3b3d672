#ifndef STORE_CAMPAIGN_H
#define STORE_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct subset;
struct store;

/* One execution of a design; resumable. Strings are owned by the struct. */
struct campaign {
	int64_t id;
	char *uuid;        /* 32 hex digits, random */
	char *recipe;      /* experiment_recipe() */
	char *experiment;  /* name */
	char *commit;      /* of the latest session that made a run, else of the
	                    * latest; NULL when outside git */
	char *version;     /* assay's, of that session */
	uint64_t seed;
	int64_t started;   /* wall, ns */
};
void campaign_release(struct campaign *c);

/* The newest campaign; 1 when there is none (not an error), 0 when found. */
int store_campaign_latest(struct store *s, struct campaign *out,
			  struct error *err);
/*
 * The newest campaign that measured this; one where a run is settled comes
 * before those where none is when `with_results`. 1 when there is none.
 */
int store_campaign_by_recipe(struct store *s, const char *recipe,
			     bool with_results, struct campaign *out,
			     struct error *err);
/* A campaign by id or uuid prefix; ERROR_USAGE when there is none. */
int store_campaign_find(struct store *s, const char *name,
			struct campaign *out, struct error *err);

/* What a store holds, oldest first. */
struct campaign_row {
	struct campaign campaign;
	size_t n_settled; /* runs */
};
int store_campaigns(struct store *s, struct campaign_row **out, size_t *n,
		    struct error *err);
void campaign_rows_free(struct campaign_row *rows, size_t n);

/* Records a new campaign from recipe, experiment, seed; fills id, uuid, started. */
int store_campaign_new(struct store *s, struct campaign *c,
		       struct error *err);
/*
 * Records one invocation of `assay run`: commit (NULL allowed), version, and
 * what part of the plan it makes (NULL: all). Its id goes with every attempt.
 */
int store_session_new(struct store *s, int64_t campaign, const char *commit,
		      const char *version, const struct subset *subset,
		      int64_t *id, struct error *err);

/* A planned run; strings borrowed during the call. */
struct planned_run {
	const char *key;        /* schedule_run_key(): unique in a campaign */
	const char *benchmark;
	const char *treatment;  /* treatment_key() */
	uint32_t replicate;
	const char *host;
	uint32_t position;      /* in the schedule, 1 .. */
	const char *const *factor_names; /* n_factors, with their levels */
	const char *const *level_names;
	size_t n_factors;
};

/* Adds runs that are not there yet (by key) in one transaction; `n` runs from
 * next(ctx, i, &run). Already recorded runs stay as they are. */
int store_plan(struct store *s, int64_t campaign, size_t n,
	       void (*next)(void *ctx, size_t i, struct planned_run *run),
	       void *ctx, struct error *err);

#endif
