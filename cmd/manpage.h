#ifndef CMD_MANPAGE_H
#define CMD_MANPAGE_H

struct buf;
struct command;
struct error;

/*
 * Appends a manual page in mdoc(7): "assay", or "assay-COMMAND". ERROR_USAGE
 * when there is no such page.
 */
int manpage_write(struct buf *out, const char *page, struct error *err);

#endif
