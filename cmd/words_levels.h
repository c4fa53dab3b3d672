#ifndef CMD_WORDS_LEVELS_H
#define CMD_WORDS_LEVELS_H

struct experiment;
struct strlist;

/*
 * What may stand for --only and --skip where `current` has been begun:
 * "place=" for each factor, and behind it "place=disk", and behind a comma
 * the levels that are not there yet.
 */
void words_levels(struct strlist *out, const struct experiment *e,
		  const char *current);

#endif
