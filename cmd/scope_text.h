#ifndef CMD_SCOPE_TEXT_H
#define CMD_SCOPE_TEXT_H

struct buf;
struct json;
struct scope;

/* "profile quick, tags net and not slow, only place=disk; replicates=3";
 * "the whole plan". Appended. */
void scope_text(struct buf *out, const struct scope *s);
/* An object with the keys profiles, tags and narrowing. */
void scope_json(struct json *j, const struct scope *s);

#endif
