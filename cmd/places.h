#ifndef CMD_PLACES_H
#define CMD_PLACES_H

struct buf;
struct error;
struct experiment;
struct strlist;

/* Where things are on this machine. Returned strings are the caller's. */

/*
 * Directories of definitions, in the order they are searched after those
 * beside the experiment: those of $ASSAY_LIBRARY, then the installed ones (or
 * those of the source tree this program was built in).
 */
void places_library(struct strlist *out);

/* results/ beside the experiment file. */
char *places_results(const struct experiment *e);
char *places_store(const struct experiment *e);

/*
 * Reads a report template: a path when `name` has a '/', else
 * report-templates/NAME.html beside the experiment or installed. `path`
 * receives where it was found (the caller's).
 */
int places_template(const struct experiment *e, const char *name, char **path,
		    struct buf *text, struct error *err);

#endif
