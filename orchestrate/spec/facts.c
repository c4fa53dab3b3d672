#include "orchestrate/spec/facts.h"

#include "base/mem.h"

int facts_text(struct reading *r, const struct yaml_node *node, char **out,
	       bool *known)
{
	const char *text = reading_text(r, node, "level");

	(void)known;
	if (!text)
		return -1;
	*out = mem_strdup(text);
	return 0;
}
