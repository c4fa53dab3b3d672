#include "cmd/subset_text.h"

#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "cmd/print.h"
#include "orchestrate/store/store_subset.h"

static void add(struct buf *out, size_t start, const char *what,
		const char *text)
{
	if (!text)
		return;
	buf_addf(out, "%s%s", out->n > start ? "; " : "", what);
	print_add(out, text);
}

void subset_text(struct buf *out, const struct subset *s)
{
	size_t start = out->n;
	bool many = s->profiles && strchr(s->profiles, ',');

	if (subset_is_all(s))
		buf_adds(out, "the whole plan");
	add(out, start, many ? "profiles " : "profile ", s->profiles);
	add(out, start, "tags ", s->tags);
	add(out, start, "", s->narrowing);
}

void subset_json(struct json *j, const struct subset *s)
{
	json_object(j);
	json_put_string(j, "profiles", s->profiles);
	json_put_string(j, "tags", s->tags);
	json_put_string(j, "narrowing", s->narrowing);
	json_object_end(j);
}
