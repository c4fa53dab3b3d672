#ifndef STATS_SETUP_H
#define STATS_SETUP_H

/*
 * Once, at the start of a program: GSL reports faults by return code instead
 * of ending the program.
 */
void stats_setup(void);

#endif
