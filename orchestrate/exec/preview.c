#include "orchestrate/exec/preview.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/layer_scripts.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/exec/run_text.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/schedule/partners.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/role.h"

struct preview {
	struct buf *out;
	const struct experiment *e;
	struct planned planned;
	struct partners partners;      /* the hosts that take part */
	struct layer_scripts *scripts; /* n_layers for each of them; no apply:
	                                * passed over */
};

static struct layer_scripts *scripts_of(const struct preview *p, size_t k)
{
	return &p->scripts[k * p->e->n_layers];
}

static void begin(const struct preview *p, size_t k, const char *step)
{
	buf_addf(p->out, "# host %s: %s",
		 p->e->hosts[p->partners.hosts[k]].name, step);
}

static void add_script(const struct preview *p, size_t k, size_t layer,
		       const char *step, const char *script)
{
	begin(p, k, step);
	buf_addf(p->out, " %s=", layer_name(p->e, layer));
	layer_level(p->e, layer, p->planned.levels, p->out);
	buf_addf(p->out, "\n%s\n", script);
}

/* What the layers do on the k-th host. */
static int make_scripts(struct preview *p, size_t k, struct error *err)
{
	struct binding_run run = p->planned.run;

	run.host = p->partners.hosts[k];
	partners_layers(&p->partners, k);
	for (size_t i = 0; i < p->e->n_layers; i++)
		if (p->partners.wanted[i] &&
		    layer_treatment(p->e, i, p->planned.levels) &&
		    layer_scripts_make(&scripts_of(p, k)[i], p->e, &run, i,
				       err))
			return -1;
	return 0;
}

static void add_applying(const struct preview *p, size_t k)
{
	for (size_t i = 0; i < p->e->n_layers; i++) {
		const struct layer_scripts *s = &scripts_of(p, k)[i];

		if (!s->apply)
			continue;
		if (s->save)
			add_script(p, k, i, "save", s->save);
		add_script(p, k, i, "apply", s->apply);
		add_script(p, k, i, "verify", s->check);
	}
}

static bool takes_part(struct preview *p, const char *role, size_t k)
{
	int r = role ? role_find(p->e, role) : -1;
	size_t n = r < 0 ? 0 : partners_hosts(&p->partners, (size_t)r);

	for (size_t i = 0; i < n; i++)
		if (p->partners.pool[i] == p->partners.hosts[k])
			return true;
	return false;
}

static void add_planned(const struct preview *p, size_t k, const char *what,
			const char *name, struct mark at)
{
	begin(p, k, what);
	if (name)
		buf_addf(p->out, " %s", name);
	if (at.line)
		buf_addf(p->out, " (%s:%u:%u)", at.file, at.line, at.column);
	buf_adds(p->out, ": planned, but `assay run` cannot do it yet\n");
}

/* What happens there at the same time as the run. */
static void add_beside(struct preview *p, size_t k)
{
	const struct experiment *e = p->e;
	const struct benchmark *b = &e->benchmarks[p->planned.run.benchmark];
	const struct role *own = &e->roles[p->partners.roles[0]];
	const size_t *levels = p->planned.levels;

	for (size_t i = 0; i < b->n_services; i++)
		if (takes_part(p, service_role(e, &b->services[i], levels), k))
			add_planned(p, k, "service", b->services[i].name,
				    b->services[i].mark);
	for (size_t i = 0; i < b->n_monitors; i++)
		if (takes_part(p, monitor_role(e, &b->monitors[i], levels), k))
			add_planned(p, k, "monitor", b->monitors[i].name,
				    b->monitors[i].mark);
	if (k && takes_part(p, own->name, k))
		add_planned(p, k, "run, at the same time, as role", own->name,
			    own->count.mark);
}

static int add_run(const struct preview *p, const struct schedule *s,
		   size_t run, struct error *err)
{
	begin(p, 0, "run ");
	schedule_run_key(s, run, p->out);
	buf_addc(p->out, '\n');
	if (run_text(p->out, p->e, &p->planned.run, PREVIEW_CAMPAIGN,
		     PREVIEW_TOKEN, err))
		return -1;
	buf_addc(p->out, '\n');
	return 0;
}

static void add_reverting(const struct preview *p, size_t k)
{
	const struct layer_scripts *scripts = scripts_of(p, k);
	struct buf revert = BUF_INIT;

	for (size_t i = 0; i < p->e->n_layers; i++)
		if (scripts[i].apply)
			add_script(p, k, i, "verify again", scripts[i].check);
	for (size_t i = p->e->n_layers; i > 0; i--) {
		const struct layer_scripts *s = &scripts[i - 1];

		if (!s->apply)
			continue;
		buf_clear(&revert);
		script_with_saved(&revert, s->revert,
				  s->save ? PREVIEW_SAVED : "");
		add_script(p, k, i - 1, "revert", revert.data);
		if (s->save)
			add_script(p, k, i - 1,
				   "save, to compare with the first,",
				   s->save);
	}
	buf_release(&revert);
}

static int add_all(struct preview *p, const struct schedule *s, size_t run,
		   struct error *err)
{
	size_t n = p->partners.n_hosts;

	for (size_t k = 0; k < n; k++)
		if (make_scripts(p, k, err))
			return -1;
	for (size_t k = 0; k < n; k++)
		add_applying(p, k);
	for (size_t k = 0; k < n; k++)
		add_beside(p, k);
	if (add_run(p, s, run, err))
		return -1;
	for (size_t k = 0; k < n; k++)
		add_reverting(p, k);
	return 0;
}

int preview_run(struct buf *out, const struct experiment *e,
		const struct schedule *s, size_t run, struct error *err)
{
	struct preview p = { .out = out, .e = e };
	size_t n;
	int result;

	planned_init(&p.planned, e);
	planned_set(&p.planned, s, run);
	partners_init(&p.partners, s, NULL);
	partners_list(&p.partners, run);
	n = p.partners.n_hosts * e->n_layers;
	p.scripts = mem_zalloc(n + 1, sizeof(*p.scripts));
	buf_adds(out, "# What is sent to the host when nothing is in effect "
		 "yet. In place of what is\n# known only then: "
		 PREVIEW_CAMPAIGN " (the campaign's directory), "
		 PREVIEW_TOKEN " (the\n# run's), " PREVIEW_SAVED
		 " (what save printed).\n");
	result = add_all(&p, s, run, err);
	for (size_t i = 0; i < n; i++)
		layer_scripts_release(&p.scripts[i]);
	free(p.scripts);
	partners_release(&p.partners);
	planned_release(&p.planned);
	return result;
}
