#ifndef SCHEDULE_LINT_H
#define SCHEDULE_LINT_H

struct experiment;
struct expansion;
struct schedule;
struct strlist;

/*
 * What is legal in the design but weakens what can be said from it. Appends
 * lines "file:line:column: what, why it matters; what to do":
 *
 *	replication   1 or 2 runs of each treatment; a hard factor set up once
 *	factors       one level; a level in no treatment
 *	order         as written
 *	blocks        hosts or days as blocks, and only one of them
 *	hosts         levels of a factor that are on different hosts
 *	balance       levels that occur unequally often
 *	confounding   factors that change together, one that follows from
 *	              another, effects that are a sum of others, main effects
 *	              that are aliased with interactions, factors of which never
 *	              both vary
 *	baseline      that no treatment has, or some have no counterpart of
 *	changes       a factor that takes long to change, or restarts the host,
 *	              and is not grouped
 *	drawings      charts and tables of which more than half of the places
 *	              have no treatment
 *
 * `s` is the whole schedule, not narrowed, with any seed. Linear in runs and
 * treatments, quadratic in factors. All treatments are looked at, except for
 * counterparts of a baseline, of which at most 100,000 evenly spread ones are:
 * then the line says so.
 */
void lint_design(const struct experiment *e, const struct expansion *x,
		 const struct schedule *s, struct strlist *warnings);

#endif
