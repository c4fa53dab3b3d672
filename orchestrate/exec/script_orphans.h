#ifndef EXEC_SCRIPT_ORPHANS_H
#define EXEC_SCRIPT_ORPHANS_H

struct buf;
struct strlist;

/*
 * Ends the scripts of settings that go on on a host though their controller is
 * gone: what they still change would be changed for good once the setting is
 * put back. They are those whose shell, or its `timeout`, has one of these marks
 * (job.mark): of campaigns that nobody else can be at work for.
 *
 * All processes of the step's session are ended, TERM, after 2 s KILL; the
 * script waits until none is left. What made a session of its own (a daemon), and
 * what a step that has come to its end left running, is let alone: putting
 * the setting back is what ends it. Exit 75 when some cannot be ended: their
 * numbers are on standard output then.
 */
void script_orphans(struct buf *out, const struct strlist *marks);

/* What script_orphans() needs at most, s. */
#define SCRIPT_ORPHANS_LIMIT 60.0
#define SCRIPT_ORPHANS_STAY 75

#endif
