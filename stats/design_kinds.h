#ifndef STATS_DESIGN_KINDS_H
#define STATS_DESIGN_KINDS_H

struct axes;
struct design;
struct design_options;
struct error;

/*
 * One maker for each kind of design: fills `cells` and `n_treatments` of a
 * design whose factors are set and checked. For design_make() only.
 */
typedef int design_maker(struct design *d, const struct design_options *o,
			 const struct axes *axes, struct error *err);
design_maker design_full, design_one_at_a_time, design_fractional,
	design_latin_square, design_list;

#endif
