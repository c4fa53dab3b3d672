#ifndef CMD_SUBSET_TEXT_H
#define CMD_SUBSET_TEXT_H

struct buf;
struct json;
struct subset;

/* "profile quick, tags net and not slow, only place=disk; replicates=3";
 * "the whole plan". Appended. */
void subset_text(struct buf *out, const struct subset *s);
/* An object with the keys profiles, tags and narrowing. */
void subset_json(struct json *j, const struct subset *s);

#endif
