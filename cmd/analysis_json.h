#ifndef CMD_ANALYSIS_JSON_H
#define CMD_ANALYSIS_JSON_H

struct analysis;
struct buf;
struct error;

int analysis_json(struct buf *out, const struct analysis *a,
		  struct error *err);

#endif
