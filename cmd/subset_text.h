#ifndef CMD_SUBSET_TEXT_H
#define CMD_SUBSET_TEXT_H

#include <stdint.h>

struct buf;
struct json;
struct subset;

/* "profile quick, tags net and not slow, only place=disk; replicates=3";
 * "the whole plan". Appended. */
void subset_text(struct buf *out, const struct subset *s);
/* An object with the keys profiles, tags and narrowing. */
void subset_json(struct json *j, const struct subset *s);

/*
 * Lines that say with which subsets of the plan the campaign's runs were made:
 * none when it was always the whole plan.
 */
struct error;
struct store;
struct strlist;
int subset_lines(struct strlist *out, struct store *store, int64_t campaign,
		 struct error *err);

#endif
