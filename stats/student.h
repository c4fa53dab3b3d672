#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

/*
 * Student's t distribution with `df` > 0 degrees of freedom, not necessarily
 * an integer. GSL's own t functions are 3e-8 off in the tail for df > 30;
 * these are good to 1e-12.
 *
 * The GSL functions beneath call GSL's error handler for arguments that are
 * not numbers only, which ours never are. A program should nevertheless start
 * with gsl_set_error_handler_off(): the default handler aborts.
 */

/* P(|T| > t), t >= 0. */
double student_two_sided(double t, double df);

/* The t with P(|T| <= t) = level, 0 < level < 1. */
double student_quantile(double level, double df);

#endif
