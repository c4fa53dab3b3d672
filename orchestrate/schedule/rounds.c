#include "orchestrate/schedule/rounds.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

/* A number of rounds that no plan can have. */
#define TOO_MANY ((uint64_t)SCHEDULE_MAX_RUNS + 1)

static enum rounds_kind kind_of(const struct matrix *m)
{
	const struct latin *l = &m->latin;
	bool round = l->rows == LATIN_ROUND || l->columns == LATIN_ROUND;
	bool host = l->rows == LATIN_HOST || l->columns == LATIN_HOST;

	if (m->kind != DESIGN_LATIN_SQUARE || !(round || host))
		return ROUNDS_TURNS;
	if (round && host)
		return ROUNDS_HOST_ROUND;
	return host ? ROUNDS_HOST_FACTOR : ROUNDS_FACTOR_ROUND;
}

static bool has_hosts(const struct rounds *r)
{
	return r->kind == ROUNDS_HOST_ROUND || r->kind == ROUNDS_HOST_FACTOR;
}

uint32_t replicate_hosts(const struct matrix *m, const struct role *pool)
{
	enum rounds_kind kind = kind_of(m);

	if (kind == ROUNDS_HOST_ROUND ||
	    (kind == ROUNDS_TURNS && m->blocks == BLOCK_HOST))
		return (uint32_t)pool->n_hosts;
	return 1;
}

uint64_t rounds_replicates(const struct rounds *r, uint32_t role, bool most)
{
	uint64_t n = most ? r->m->replicates_max : r->m->replicates;

	if (most && n < r->m->replicates)
		n = r->m->replicates;
	n *= replicate_hosts(r->m, &r->s->experiment->roles[role]);
	return n < TOO_MANY ? n : TOO_MANY;
}

/* The most of any role that runs the benchmark. */
static uint64_t most_replicates(const struct rounds *r, size_t benchmark)
{
	const struct role_choice *c = &r->s->choices[benchmark];
	uint64_t most = 0;

	for (size_t i = 0; i < c->n; i++) {
		uint64_t n = c->roles[i] == ROLE_NONE ? 0 :
			     rounds_replicates(r, c->roles[i], true);

		if (n > most)
			most = n;
	}
	return most;
}

uint64_t rounds_count(const struct rounds *r)
{
	size_t n_treatments = r->s->expansion->shares[r->matrix].n_treatments;
	uint64_t n = 0;

	for (size_t i = 0; i < r->m->n_benchmarks; i++) {
		n += most_replicates(r, r->m->benchmarks[i]) * n_treatments;
		if (n > SCHEDULE_MAX_RUNS)
			return TOO_MANY;
	}
	return n;
}

uint32_t rounds_blocks(const struct rounds *r)
{
	uint32_t days = r->m->rounds_a_day ? r->m->rounds_a_day : 1;

	switch (r->m->blocks) {
	case BLOCK_HOST:
		return (uint32_t)r->s->experiment->n_hosts;
	case BLOCK_DAY:
		return (uint32_t)((r->n + days - 1) / days);
	case BLOCK_ROUND:
		break;
	}
	return (uint32_t)r->n;
}

static int check_pool(const struct rounds *r, size_t benchmark, uint32_t role,
		      struct error *err)
{
	const struct experiment *e = r->s->experiment;
	const struct role *pool = &e->roles[role];
	const struct mark *at = &r->m->kind_mark;

	if (pool->n_hosts == r->square.k)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "%s:%u:%u: a Latin square of hosts needs as many "
			 "hosts as \"%s\" has levels: these are %zu, and the "
			 "role \"%s\" of benchmark \"%s\" has %zu host%s; "
			 "change one of them", at->file ? at->file : e->path,
			 at->line, at->column, e->factors[r->letters].name,
			 r->square.k, pool->name, e->benchmarks[benchmark].name,
			 pool->n_hosts, pool->n_hosts == 1 ? "" : "s");
}

static int check_pools(const struct rounds *r, struct error *err)
{
	for (size_t i = 0; i < r->m->n_benchmarks; i++) {
		size_t b = r->m->benchmarks[i];
		const struct role_choice *c = &r->s->choices[b];

		for (size_t k = 0; k < c->n; k++)
			if (c->roles[k] != ROLE_NONE &&
			    check_pool(r, b, c->roles[k], err))
				return -1;
	}
	return 0;
}

static int check_side(const struct rounds *r, struct error *err)
{
	const struct experiment *e = r->s->experiment;
	const struct mark *at = &r->m->kind_mark;
	const struct factor *f = &e->factors[r->side];

	if (f->n_levels == r->square.k)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "%s:%u:%u: a Latin square needs as many levels of "
			 "\"%s\" as of \"%s\": they are %zu and %zu",
			 at->file ? at->file : e->path, at->line, at->column,
			 f->name, e->factors[r->letters].name, f->n_levels,
			 r->square.k);
}

static int init_square(struct rounds *r, struct error *err)
{
	const struct latin *latin = &r->m->latin;

	r->letters = (size_t)latin->letters;
	r->side = (size_t)(latin->rows >= 0 ? latin->rows : latin->columns);
	square_init(&r->square, r->s->experiment->factors[r->letters].n_levels);
	if (has_hosts(r) && check_pools(r, err))
		return -1;
	return r->kind == ROUNDS_HOST_ROUND ? 0 : check_side(r, err);
}

int rounds_init(struct rounds *r, const struct schedule *s, size_t matrix,
		struct error *err)
{
	const struct experiment *e = s->experiment;
	uint64_t rounds = 0;

	*r = (struct rounds){
		.s = s,
		.m = &e->matrices[matrix],
		.matrix = (uint32_t)matrix,
		.first = s->first ? s->first + matrix * e->n_roles : NULL,
	};
	r->kind = kind_of(r->m);
	if (r->kind != ROUNDS_TURNS && init_square(r, err))
		return -1;
	for (size_t i = 0; i < r->m->n_benchmarks; i++) {
		uint64_t n = most_replicates(r, r->m->benchmarks[i]);

		if (n > rounds)
			rounds = n;
	}
	if (r->kind == ROUNDS_FACTOR_ROUND)
		rounds *= r->square.k;
	r->n = (size_t)rounds;
	return 0;
}

void rounds_release(struct rounds *r)
{
	square_release(&r->square);
	memset(r, 0, sizeof(*r));
}

void rounds_begin(struct rounds *r, size_t round, struct random *random)
{
	size_t each = r->kind == ROUNDS_HOST_FACTOR ? 1 : r->square.k;

	if (r->kind != ROUNDS_TURNS && random && round % each == 0)
		square_draw(&r->square, random);
}

/* The square's row that this treatment has in this round: a place in the
 * pool, or a level. False: one of its factors is absent. */
static bool row_of(const struct rounds *r, size_t round, size_t treatment,
		   size_t *row)
{
	const struct design *d = r->s->design;
	size_t letter = design_level(d, treatment, r->letters);
	size_t column = round % r->square.k;

	if (r->kind == ROUNDS_HOST_FACTOR)
		column = design_level(d, treatment, r->side);
	if (letter == DESIGN_ABSENT || column == DESIGN_ABSENT)
		return false;
	*row = square_row(&r->square, column, letter);
	return r->kind != ROUNDS_FACTOR_ROUND ||
	       design_level(d, treatment, r->side) != DESIGN_ABSENT;
}

/* The replicate, from 0, and the place of its host where the square has hosts;
 * false: not in this round. */
static bool place_in_square(const struct rounds *r, size_t round,
			    size_t treatment, size_t *replicate, size_t *place)
{
	size_t row;
	bool whole = row_of(r, round, treatment, &row);

	if (r->kind == ROUNDS_FACTOR_ROUND) {
		*replicate = round / r->square.k;
		if (!whole)
			return round % r->square.k == 0;
		return design_level(r->s->design, treatment, r->side) == row;
	}
	if (whole)
		*place = row;
	return true;
}

static uint32_t block_of(const struct rounds *r, size_t round, size_t host)
{
	switch (r->m->blocks) {
	case BLOCK_HOST:
		return r->first_block + (uint32_t)host;
	case BLOCK_DAY:
		if (r->m->rounds_a_day)
			round /= r->m->rounds_a_day;
		break;
	case BLOCK_ROUND:
		break;
	}
	return r->first_block + (uint32_t)round;
}

bool rounds_place(const struct rounds *r, size_t round, size_t benchmark,
		  size_t treatment, struct run *run)
{
	uint32_t role = role_choose(&r->s->choices[benchmark], r->s->design,
				    treatment);
	const struct role *pool = &r->s->experiment->roles[role];
	size_t replicate = round, place = SIZE_MAX, host;

	if (r->kind != ROUNDS_TURNS &&
	    !place_in_square(r, round, treatment, &replicate, &place))
		return false;
	if (replicate >= rounds_replicates(r, role, true))
		return false;
	if (place == SIZE_MAX)
		place = (r->first[role] + replicate) % pool->n_hosts;
	host = pool->hosts[place];
	*run = (struct run){
		.benchmark = (uint16_t)benchmark,
		.treatment = (uint32_t)treatment,
		.replicate = (uint32_t)replicate + 1,
		.block = block_of(r, round, host),
		.matrix = (uint16_t)r->matrix,
		.host = (uint16_t)host,
		.optional = replicate >= rounds_replicates(r, role, false),
	};
	return true;
}
