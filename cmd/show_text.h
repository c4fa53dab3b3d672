#ifndef CMD_SHOW_TEXT_H
#define CMD_SHOW_TEXT_H

struct buf;
struct run_detail;

/* What `assay show` shows. */
void show_text(struct buf *out, const struct run_detail *d);
void show_json(struct buf *out, const struct run_detail *d);

#endif
