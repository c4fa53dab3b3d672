#include "orchestrate/spec/yaml_fault.h"

#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "orchestrate/spec/problem.h"

/* The library's words, and ours. */
static const struct {
	const char *theirs;
	const char *ours;
} words[] = {
	{ "mapping values are not allowed in this context",
	  "unexpected \":\"; check the indentation, or quote a text that "
	  "holds \": \"" },
	{ "found character that cannot start any token",
	  "a value cannot start with this character; indent with spaces, not "
	  "tabs, and quote a text that starts with @, % or `" },
	{ "found a tab character that violates indentation",
	  "a tab cannot indent; use spaces" },
	{ "could not find expected ':'",
	  "expected \":\" behind the key; check quotes and indentation" },
	{ "did not find expected key",
	  "expected a key or the end of the mapping; check indentation and "
	  "quotes" },
	{ "did not find expected '-' indicator",
	  "expected \"- \" or the end of the list; check the indentation" },
	{ "did not find expected ',' or ']'", "expected \",\" or \"]\"" },
	{ "did not find expected ',' or '}'", "expected \",\" or \"}\"" },
	{ "did not find expected node content", "expected a value" },
	{ "did not find expected <document start>",
	  "unexpected text after the end of the document" },
	{ "block sequence entries are not allowed in this context",
	  "unexpected \"- \"; a list starts on a line of its own" },
	{ "found unexpected end of stream",
	  "the file ends too early" },
	{ "found unexpected document indicator",
	  "the document ends too early" },
	{ "found unknown escape character",
	  "unknown escape; write \\\\ for a backslash or use single quotes" },
	{ "did not find expected hexdecimal number",
	  "expected hexadecimal digits behind \\x, \\u or \\U" },
	{ "found invalid Unicode character escape code",
	  "this escape is no character" },
};

static const char *reword(const char *theirs)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].theirs, theirs))
			return words[i].ours;
	return theirs;
}

/* "while parsing a flow sequence" to "flow sequence"; NULL: not worth it. */
static const char *noun(const char *context)
{
	static const struct {
		const char *theirs;
		const char *ours;
	} nouns[] = {
		{ "while parsing a flow sequence", "list" },
		{ "while parsing a block collection", "list" },
		{ "while parsing a flow mapping", "mapping" },
		{ "while parsing a block mapping", "mapping" },
		{ "while scanning a quoted scalar", "quoted text" },
		{ "while parsing a quoted scalar", "quoted text" },
	};

	for (size_t i = 0; context && i < sizeof(nouns) / sizeof(*nouns); i++)
		if (!strcmp(nouns[i].theirs, context))
			return nouns[i].ours;
	return NULL;
}

int yaml_fault(const struct yaml_parser_s *parser, const char *file,
	       struct problems *p)
{
	struct mark at = { .file = file };
	struct buf text = BUF_INIT;
	const char *where = noun(parser->context);

	if (parser->error == YAML_SCANNER_ERROR ||
	    parser->error == YAML_PARSER_ERROR) {
		at.line = (unsigned)parser->problem_mark.line + 1;
		at.column = (unsigned)parser->problem_mark.column + 1;
	}
	buf_adds(&text, parser->problem ? reword(parser->problem) :
					  "not readable as YAML");
	if (where)
		buf_addf(&text, " (in the %s that starts on line %zu)", where,
			 parser->context_mark.line + 1);
	problems_add(p, at, "%s", text.data);
	buf_release(&text);
	return -1;
}
