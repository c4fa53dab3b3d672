#ifndef EXEC_ABLE_H
#define EXEC_ABLE_H

struct experiment;
struct problems;

/*
 * What can be said in the file and planned, but not made into runs by this
 * version: one problem for each, at its place. Services, monitors, files to
 * keep, several hosts in a run, more runs until an interval is narrow, days as
 * blocks, treatments that restart a host or belong to another role's hosts.
 */
void exec_check_able(const struct experiment *e, struct problems *p);

#endif
