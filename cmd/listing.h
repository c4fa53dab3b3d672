#ifndef CMD_LISTING_H
#define CMD_LISTING_H

struct document;
struct error;
struct origin;
struct subject;

/*
 * Puts the experiment's files into the document: as they are, or, when they
 * measure something else today, as the campaign's commit has them. What that
 * commit cannot give is left out, and said.
 */
int listing_add_all(struct document *d, const struct subject *s,
		    const struct origin *o, struct error *err);

#endif
