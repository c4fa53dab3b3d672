#ifndef EXEC_PLACE_H
#define EXEC_PLACE_H

/* The directory of a campaign's runs on a host. Caller frees. */
char *place_name(const char *uuid, const char *host);

/* By which the scripts of the campaign's settings are found on the host while
 * they run (job.mark, script_orphans.h). Caller frees. */
char *place_mark(const char *place);

#endif
