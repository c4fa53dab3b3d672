#include "orchestrate/spec/responses.h"

#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

/* The two ways to give a pattern, before it is known which one it is. */
struct response_reading {
	struct response response;
	char *json;
	char *regex;
};

static const struct choice better[] = {
	{ "higher", BETTER_HIGHER },
	{ "lower", BETTER_LOWER },
	{ NULL, 0 },
};

#define AT(member) .offset = offsetof(struct response_reading, member)

static const struct key keys[] = {
	{ .name = "json", .kind = VALUE_TEXT, AT(json),
	  .doc = "a jq program that yields numbers from JSON output",
	  .example = "json: .jobs[].read.iops" },
	{ .name = "regex", .kind = VALUE_TEXT, AT(regex),
	  .doc = "a Perl-compatible regular expression; the number is its "
		 "group \"value\", else its first group, else all it matches",
	  .example = "regex: 'rate: (?<value>[0-9.]+)'" },
	{ .name = "uom", .kind = VALUE_TEXT, AT(response.uom),
	  .doc = "unit of measure", .example = "uom: MiB/s" },
	{ .name = "better", .kind = VALUE_CHOICE, AT(response.better),
	  .choices = better, .doc = "which direction is an improvement",
	  .example = "better: higher" },
	{ .name = "label", .kind = VALUE_LOCALIZED, AT(response.label),
	  .doc = "how charts and tables call it", .fallback = "its name",
	  .example = "label: {en: Throughput, fi: Siirtonopeus}" },
};

/* ends with NULL */
static const char *const response_one_of[] = { "json", "regex", NULL };

const struct key_table response_keys =
	KEY_TABLE("a response", keys, .exactly_one = response_one_of);

static const struct form response_form = {
	.kind = FORM_OBJECT, .table = &response_keys,
};
const struct form responses_form = {
	.kind = FORM_MAP, .what = "a response", .item = &response_form,
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*", .min = 1,
};

static void take_pattern(struct reading *r, struct response_reading *rr,
			 struct mark at)
{
	if (!rr->json == !rr->regex)
		problems_add(r->problems, at,
			     "response \"%s\" needs exactly one of \"json\" "
			     "and \"regex\"", rr->response.name);
	rr->response.kind = rr->json ? EXTRACT_JSON : EXTRACT_REGEX;
	rr->response.pattern = rr->json ? rr->json : rr->regex;
	if (rr->json)
		free(rr->regex);
}

static void read_response(struct reading *r, const struct yaml_pair *pair,
			  struct response *out)
{
	struct response_reading rr = { .json = NULL };

	rr.response.name = mem_strdup(pair->key);
	rr.response.mark = pair->mark;
	keys_read(r, &response_keys, pair->mark, pair->value, &rr);
	take_pattern(r, &rr, pair->mark);
	if (!rr.response.uom)
		rr.response.uom = mem_strdup("");
	*out = rr.response;
}

void responses_read(struct reading *r, const struct yaml_node *map,
		    struct response **out, size_t *n)
{
	size_t entries = reading_entries(r, map, "responses");

	if (!map->n_pairs)
		problems_add(r->problems, map->mark,
			     "no response: a benchmark measures at least one");
	*out = mem_zalloc(entries, sizeof(**out));
	*n = 0;
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &map->pairs[i];

		reading_name(r, pair->mark, "response", pair->key);
		if (reading_mapping(r, pair->value, pair->key))
			read_response(r, pair, &(*out)[(*n)++]);
	}
}

static void response_release(struct response *x)
{
	free(x->name);
	free(x->pattern);
	free(x->uom);
	localized_release(&x->label);
}

void responses_release(struct response *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		response_release(&items[i]);
	free(items);
}
