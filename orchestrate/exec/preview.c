#include "orchestrate/exec/preview.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/layer_scripts.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/exec/run_text.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"

struct preview {
	struct buf *out;
	const struct experiment *e;
	struct planned planned;
	struct layer_scripts *scripts; /* n_layers; no apply: passed over */
};

static void begin(const struct preview *p, const char *step)
{
	buf_addf(p->out, "# host %s: %s",
		 p->e->hosts[p->planned.run.host].name, step);
}

static void add_script(const struct preview *p, size_t layer,
		       const char *step, const char *script)
{
	begin(p, step);
	buf_addf(p->out, " %s=", layer_name(p->e, layer));
	layer_level(p->e, layer, p->planned.levels, p->out);
	buf_addf(p->out, "\n%s\n", script);
}

static int make_scripts(struct preview *p, struct error *err)
{
	for (size_t i = 0; i < p->e->n_layers; i++)
		if (layer_treatment(p->e, i, p->planned.levels) &&
		    layer_scripts_make(&p->scripts[i], p->e, &p->planned.run,
				       i, err))
			return -1;
	return 0;
}

static void add_applying(const struct preview *p)
{
	for (size_t i = 0; i < p->e->n_layers; i++) {
		const struct layer_scripts *s = &p->scripts[i];

		if (!s->apply)
			continue;
		if (s->save)
			add_script(p, i, "save", s->save);
		add_script(p, i, "apply", s->apply);
		add_script(p, i, "verify", s->check);
	}
}

static int add_run(const struct preview *p, const struct schedule *s,
		   size_t run, struct error *err)
{
	begin(p, "run ");
	schedule_run_key(s, run, p->out);
	buf_addc(p->out, '\n');
	if (run_text(p->out, p->e, &p->planned.run, PREVIEW_CAMPAIGN,
		     PREVIEW_TOKEN, err))
		return -1;
	buf_addc(p->out, '\n');
	return 0;
}

static void add_reverting(const struct preview *p)
{
	struct buf revert = BUF_INIT;

	for (size_t i = 0; i < p->e->n_layers; i++)
		if (p->scripts[i].apply)
			add_script(p, i, "verify again", p->scripts[i].check);
	for (size_t i = p->e->n_layers; i > 0; i--) {
		const struct layer_scripts *s = &p->scripts[i - 1];

		if (!s->apply)
			continue;
		buf_clear(&revert);
		script_with_saved(&revert, s->revert,
				  s->save ? PREVIEW_SAVED : "");
		add_script(p, i - 1, "revert", revert.data);
		if (s->save)
			add_script(p, i - 1, "save, to compare with the first,",
				   s->save);
	}
	buf_release(&revert);
}

int preview_run(struct buf *out, const struct experiment *e,
		const struct schedule *s, size_t run, struct error *err)
{
	struct preview p = { .out = out, .e = e };
	int result;

	p.scripts = mem_zalloc(e->n_layers + 1, sizeof(*p.scripts));
	planned_init(&p.planned, e);
	planned_set(&p.planned, s, run);
	buf_adds(out, "# What is sent to the host when nothing is in effect "
		 "yet. In place of what is\n# known only then: "
		 PREVIEW_CAMPAIGN " (the campaign's directory), "
		 PREVIEW_TOKEN " (the\n# run's), " PREVIEW_SAVED
		 " (what save printed).\n");
	result = make_scripts(&p, err);
	if (!result) {
		add_applying(&p);
		result = add_run(&p, s, run, err);
	}
	if (!result)
		add_reverting(&p);
	planned_release(&p.planned);
	for (size_t i = 0; i < e->n_layers; i++)
		layer_scripts_release(&p.scripts[i]);
	free(p.scripts);
	return result;
}
