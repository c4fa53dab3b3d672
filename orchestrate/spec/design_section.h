#ifndef SPEC_DESIGN_SECTION_H
#define SPEC_DESIGN_SECTION_H

#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/keys.h"

/*
 * The design of a matrix while it is read. Which kind it is comes first: the
 * other readers rely on it.
 */
struct design_reading {
	struct matrix *m;
	const struct yaml_node *map;
	const bool *factors; /* by index: whether the matrix varies it */
	enum design_kind kind;
	bool kind_unknown;   /* reported: what fits it cannot be said */
	uint32_t resolution;
	struct replication {
		uint32_t min, max;
		struct stop_rule until;
	} replicates;
	enum block_kind blocks;
	uint32_t rounds_a_day;
	enum order_kind order;
	uint64_t seed;
};

/* The keys of a design, each into a struct design_reading. */
extern const struct key_table design_keys, order_keys, replicates_keys,
	until_keys, blocks_keys, latin_keys, existence_keys;

/*
 * Reads the design of a matrix that has its factors and benchmarks: `map` as
 * it is after merging, NULL when nothing is said. `at` is the place of the
 * matrix.
 */
void design_of_matrix(struct reading *r, struct matrix *m, struct mark at,
		      const struct yaml_node *map);

/* The kinds that a key goes with, as bits. */
#define KIND(kind) (1u << (kind))
/* Whether the key that is being read goes with the design's kind; reports if
 * not. */
bool design_takes(struct reading *r, const struct design_reading *dr,
		  const char *key, unsigned kinds);

/* The index of a factor that the matrix varies, or -1 after reporting. */
int design_factor(struct reading *r, const struct design_reading *dr,
		  struct mark at, const char *name);

typedef void design_key_read(struct reading *r, void *into,
			     const struct yaml_node *value);
/* design_kinds.c */
design_key_read base_read, generators_read, latin_read;
void fraction_check(struct reading *r, const struct design_reading *dr);
/* design_list.c */
design_key_read list_read;
/* design_filters.c */
design_key_read zip_read, include_read, exclude_read, only_read;
/* design_replicates.c */
design_key_read replicates_read;

#endif
