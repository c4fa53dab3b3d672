#ifndef PLOT_REPORT_TEMPLATE_PARSE_H
#define PLOT_REPORT_TEMPLATE_PARSE_H

#include <stddef.h>

struct error;

enum template_tag {
	TAG_TEXT,     /* what stands between tags */
	TAG_ESCAPED,
	TAG_RAW,
	TAG_SECTION,
	TAG_INVERTED,
	TAG_END,
	TAG_COMMENT,
};

/* A template as a flat list; sections know where they end. */
struct template_node {
	enum template_tag tag;
	const char *text; /* the text or the name; borrowed */
	size_t n;
	unsigned line;
	size_t end;       /* of a section: the index of its TAG_END */
};

struct template {
	const char *name;
	struct template_node *nodes;
	size_t n;
	size_t cap;
};

int template_parse(struct template *t, const char *name, const char *text,
		   struct error *err);
void template_release(struct template *t);

#endif
