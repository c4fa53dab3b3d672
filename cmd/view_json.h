#ifndef CMD_VIEW_JSON_H
#define CMD_VIEW_JSON_H

#include <stddef.h>

struct buf;
struct library_list;
struct strlist;
struct view;

/* {"folders", "families", "definitions"}: everything about the views. */
void views_json(struct buf *out, const struct view *views, size_t n,
		const struct library_list *l, const struct strlist *folders);

#endif
