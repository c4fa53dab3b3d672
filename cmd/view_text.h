#ifndef CMD_VIEW_TEXT_H
#define CMD_VIEW_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct strlist;
struct view;

/* A line for each definition, folder by folder: its kind, its name, the first
 * sentence of what it says of itself, cut at `width` columns (0: whole). */
void views_list(struct buf *out, const struct view *views, size_t n,
		const struct strlist *folders, int width);

/* Everything about one; its scripts only when they are asked for. */
void view_text(struct buf *out, const struct view *v, bool scripts);

#endif
