#include "cmd/view_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/strlist.h"
#include "cmd/help.h"
#include "cmd/view.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/treatment_def.h"

#define NS 1e9

/* Up to its full stop, on one line. */
static void add_sentence(struct buf *out, const char *doc)
{
	bool blank = false;

	for (doc += strspn(doc, " \n\t"); *doc; doc++) {
		bool end = *doc == '.' && (!doc[1] || strchr(" \n", doc[1]));

		if (end)
			return;
		if (strchr(" \n\t", *doc)) {
			blank = true;
			continue;
		}
		if (blank)
			buf_addc(out, ' ');
		blank = false;
		buf_addc(out, *doc);
	}
}

/* At a character's first byte; how wide characters are does not matter. */
static void cut(struct buf *line, int width)
{
	size_t keep = line->n;
	int columns = 0;

	for (size_t i = 0; i < line->n; i++)
		if (((unsigned char)line->data[i] & 0xc0) != 0x80 &&
		    ++columns == width)
			keep = i;
	if (width <= 0 || columns <= width)
		return;
	line->n = keep;
	line->data[keep] = '\0';
	buf_adds(line, "…");
}

static int widest(const struct view *views, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		if (strlen(views[i].name) > width)
			width = strlen(views[i].name);
	return (int)width;
}

static void add_line(struct buf *out, const struct view *v, int names,
		     int width)
{
	struct buf line = BUF_INIT, sentence = BUF_INIT;

	add_sentence(&sentence, v->doc);
	if (sentence.n)
		buf_addf(&line, "  %-9s  %-*s  %s", v->kind, names, v->name,
			 sentence.data);
	else
		buf_addf(&line, "  %-9s  %s", v->kind, v->name);
	cut(&line, width);
	buf_addf(out, "%s\n", line.data);
	buf_release(&line);
	buf_release(&sentence);
}

void views_list(struct buf *out, const struct view *views, size_t n,
		const struct strlist *folders, int width)
{
	int names = widest(views, n);

	for (size_t i = 0; i < folders->n; i++) {
		bool any = false;

		for (size_t k = 0; k < n; k++) {
			struct buf folder = BUF_INIT;

			view_folder(&views[k], &folder);
			if (!strcmp(folder.data, folders->items[i])) {
				if (!any)
					buf_addf(out, "%s%s\n",
						 out->n ? "\n" : "",
						 folder.data);
				any = true;
				add_line(out, &views[k], names, width);
			}
			buf_release(&folder);
		}
	}
}

static void add_duration(struct buf *out, double seconds)
{
	char text[CLOCK_TEXT_SIZE];

	buf_adds(out, clock_duration((int64_t)(seconds * NS), text));
}

static void add_list(struct buf *out, const char *title,
		     const struct strlist *items, const char *none)
{
	if (!items->n && !none)
		return;
	buf_addf(out, "%-10s", title);
	for (size_t i = 0; i < items->n; i++)
		buf_addf(out, "%s%s", i ? ", " : "", items->items[i]);
	buf_addf(out, "%s\n", items->n ? "" : none);
}

static void add_value(struct buf *out, const struct variable *v)
{
	if (v->value) {
		buf_adds(out, *v->value ? v->value : "''");
		return;
	}
	buf_addf(out, "by %s:", v->lookup->by);
	for (size_t i = 0; i < v->lookup->n_cases; i++)
		buf_addf(out, " %s %s,", v->lookup->cases[i].name,
			 v->lookup->cases[i].value);
	buf_addf(out, " else %s",
		 v->lookup->otherwise ? v->lookup->otherwise : "none");
}

static void add_parameters(struct buf *out, const struct view *v)
{
	if (v->n_params)
		buf_adds(out, "\nParameters\n");
	for (size_t i = 0; i < v->n_params; i++) {
		const struct parameter *p = &v->params[i];

		buf_addf(out, "  %s: ", p->var.name);
		parameter_expects(p, out);
		if (parameter_is_required(p)) {
			buf_adds(out, "; must be given\n");
		} else {
			buf_adds(out, "; default ");
			add_value(out, &p->var);
			buf_addc(out, '\n');
		}
		if (p->doc)
			help_fill(out, p->doc, 6);
	}
}

static void add_sets(struct buf *out, const struct treatment_def *d)
{
	if (d->n_set)
		buf_adds(out, "\nSets, for what stands above it and for the "
			      "benchmark\n");
	for (size_t i = 0; i < d->n_set; i++) {
		buf_addf(out, "  %s: ", d->set[i].name);
		add_value(out, &d->set[i]);
		buf_addc(out, '\n');
	}
}

static void add_treatment(struct buf *out, const struct treatment_def *d)
{
	if (!strchr(d->name, '/'))
		add_list(out, "Levels", &d->levels, "any");
	add_list(out, "Needs", &d->needs, NULL);
	buf_addf(out, "%-10s%s\n", "Runs as",
		 d->needs_root ? "root" : "the user that logs in");
	if (d->applies_to)
		buf_addf(out, "%-10shosts of the role %s\n", "Where",
			 d->applies_to);
	buf_addf(out, "%-10s", "A change");
	if (d->cost > 0)
		add_duration(out, d->cost);
	else
		buf_adds(out, "of unknown length");
	buf_adds(out, d->reboot ? ", and a restart; each script at most "
				: "; each script at most ");
	add_duration(out, d->timeout);
	buf_addc(out, '\n');
}

static void add_responses(struct buf *out, const struct view *v)
{
	static const char *const better[] = {
		[BETTER_HIGHER] = ", higher is better",
		[BETTER_LOWER] = ", lower is better",
	};

	buf_adds(out, "\nResponses\n");
	for (size_t i = 0; i < v->n_responses; i++) {
		const struct response *x = &v->responses[i];
		const char *side = x->better == BETTER_UNSAID
					   ? "" : better[x->better];

		buf_addf(out, "  %s: %s%s%s\n", x->name, x->uom,
			 *x->uom || !*side ? "" : "no unit", side);
	}
}

static void add_timing(struct buf *out, const struct view *v)
{
	add_list(out, "Needs", v->needs, NULL);
	if (v->monitor) {
		buf_addf(out, "%-10s", "Every");
		add_duration(out, v->monitor->interval);
		buf_addc(out, '\n');
	} else if (v->benchmark->timeout > 0) {
		buf_addf(out, "%-10s", "At most");
		add_duration(out, v->benchmark->timeout);
		buf_addc(out, '\n');
	}
}

static void add_script(struct buf *out, const struct view_script *s)
{
	bool start = true;

	buf_addf(out, "\n%s\n", s->key);
	for (const char *p = s->text; *p; p++) {
		if (start && *p != '\n')
			buf_adds(out, "  ");
		buf_addc(out, *p);
		start = *p == '\n';
	}
	if (!start)
		buf_addc(out, '\n');
}

void view_text(struct buf *out, const struct view *v, bool scripts)
{
	buf_addf(out, "%s %s\n%s\n", v->kind, v->name, v->file);
	if (*v->doc) {
		buf_addc(out, '\n');
		help_fill(out, v->doc, 0);
	}
	buf_addc(out, '\n');
	if (v->treatment)
		add_treatment(out, v->treatment);
	else
		add_timing(out, v);
	add_parameters(out, v);
	if (v->treatment)
		add_sets(out, v->treatment);
	else
		add_responses(out, v);
	buf_adds(out, "\nExample\n");
	view_example(v, 2, out);
	for (size_t i = 0; scripts && i < v->n_scripts; i++)
		add_script(out, &v->scripts[i]);
	if (scripts)
		return;
	buf_adds(out, "\nScripts (--scripts shows them):");
	for (size_t i = 0; i < v->n_scripts; i++)
		buf_addf(out, "%s %s", i ? "," : "", v->scripts[i].key);
	buf_addc(out, '\n');
}
