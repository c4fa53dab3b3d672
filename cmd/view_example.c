#include "cmd/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/names.h"
#include "orchestrate/spec/treatment_def.h"

/* A flow scalar that is read back as it is. */
static void add_value(struct buf *out, const char *text)
{
	buf_addc(out, '\'');
	for (; *text; text++)
		buf_adds(out, *text == '\'' ? "''" : (char[]){ *text, 0 });
	buf_addc(out, '\'');
}

static void add_plain(struct buf *out, const char *text)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789./_-";
	bool word = *text && isalnum((unsigned char)*text) &&
		    !text[strspn(text, safe)];

	/* these may be taken for a boolean by other readers of YAML */
	if (word && strcmp(text, "on") && strcmp(text, "off") &&
	    strcmp(text, "yes") && strcmp(text, "no"))
		buf_adds(out, text);
	else
		add_value(out, text);
}

/* Something that the parameter takes. */
static void add_sample(struct buf *out, const struct parameter *p)
{
	switch (p->type) {
	case PARAMETER_INTEGER:
	case PARAMETER_NUMBER:
		add_plain(out, p->min ? p->min : "1");
		break;
	case PARAMETER_SIZE:
		add_plain(out, p->min ? p->min : "1G");
		break;
	case PARAMETER_DURATION:
		add_plain(out, p->min ? p->min : "10s");
		break;
	case PARAMETER_BOOLEAN:
		buf_adds(out, "true");
		break;
	case PARAMETER_PATH:
		buf_addf(out, "/path/of/%s", p->var.name);
		break;
	case PARAMETER_CHOICE:
		add_plain(out, p->choices.items[0]);
		break;
	default:
		for (const char *s = p->var.name; *s; s++)
			buf_addc(out, (char)toupper((unsigned char)*s));
		break;
	}
}

/* "disk: DISK, size: 1G" of those that must be given; how many. */
static size_t add_required(struct buf *out, const struct view *v,
			   const char *separator)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n_params; i++) {
		const struct parameter *p = &v->params[i];

		if (!parameter_is_required(p))
			continue;
		buf_addf(out, "%s%s: ", n++ ? separator : "", p->var.name);
		add_sample(out, p);
	}
	return n;
}

/* A factor's name that is a variable, and none of the parameters. */
static char *factor_name(const struct view *v)
{
	char *name = mem_strndup(v->name, strcspn(v->name, "/"));

	for (char *s = name; *s; s++)
		if (!isalnum((unsigned char)*s))
			*s = '_';
	if (variable_fault(name) ||
	    parameters_find(v->params, v->n_params, name)) {
		char *other = mem_printf("the_%s", name);

		free(name);
		return other;
	}
	return name;
}

static void add_levels(struct buf *out, const struct view *v)
{
	const struct strlist *levels = &v->treatment->levels;
	const char *slash = strchr(v->name, '/');

	if (slash) {
		add_plain(out, slash + 1);
		return;
	}
	for (size_t i = 0; i < levels->n; i++) {
		buf_adds(out, i ? ", " : "");
		add_plain(out, levels->items[i]);
	}
	if (!levels->n)
		buf_adds(out, "ONE, ANOTHER");
}

static void add_factor(struct buf *out, const struct view *v,
		       const char *blanks)
{
	char *name = factor_name(v);
	char *separator = mem_printf("\n%s    ", blanks);
	struct buf given = BUF_INIT;

	buf_addf(out, "%sfactors:\n%s  %s:\n%s    use: %.*s\n%s    levels: [",
		 blanks, blanks, name, blanks, (int)strcspn(v->name, "/"),
		 v->name, blanks);
	add_levels(out, v);
	buf_adds(out, "]\n");
	if (add_required(&given, v, separator))
		buf_addf(out, "%s    %s\n", blanks, given.data);
	buf_release(&given);
	free(separator);
	free(name);
}

static void add_benchmark(struct buf *out, const struct view *v,
			  const char *blanks)
{
	struct buf given = BUF_INIT;

	buf_addf(out, "%sbenchmarks:\n%s  %s:\n%s    use: %s\n", blanks, blanks,
		 v->name, blanks, v->name);
	if (add_required(&given, v, ", "))
		buf_addf(out, "%s    with: {%s}\n", blanks, given.data);
	buf_release(&given);
}

static void add_monitor(struct buf *out, const struct view *v,
			const char *blanks)
{
	struct buf given = BUF_INIT;

	buf_addf(out, "%s    monitors:\n%s    - use: %s\n", blanks, blanks,
		 v->name);
	if (add_required(&given, v, ", "))
		buf_addf(out, "%s      with: {%s}\n", blanks, given.data);
	buf_release(&given);
}

void view_example(const struct view *v, int indent, struct buf *out)
{
	char *blanks = mem_printf("%*s", indent, "");

	if (v->treatment)
		add_factor(out, v, blanks);
	else if (v->benchmark)
		add_benchmark(out, v, blanks);
	else
		add_monitor(out, v, blanks);
	free(blanks);
}
