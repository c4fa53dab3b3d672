#include "cmd/methods.h"

#include "base/buf.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"

static void add_definition(struct buf *out, const struct experiment *e,
			   size_t factor)
{
	const char *name = e->uses[factor].definition;

	if (name)
		buf_addf(out, " (definition %s)", name);
	else
		buf_adds(out, " (definitions by level)");
}

void methods_settings(struct buf *out, const struct experiment *e)
{
	const char *before = "Settings: ";

	for (size_t l = 0; l < e->n_layers; l++) {
		const struct layer *layer = &e->layers[l];

		buf_adds(out, before);
		before = ", ";
		if (layer->kind == LAYER_SETUP) {
			buf_addf(out, "%s (a set-up)",
				 e->setups[layer->index].name);
			continue;
		}
		buf_adds(out, factor_label(&e->factors[layer->index],
					   e->report_language));
		add_definition(out, e, layer->index);
	}
	if (*before == ',')
		buf_adds(out,
			 ". Each was applied by its definition, read back "
			 "before and again after the measured command of "
			 "every run, and put back at the end to the state it "
			 "was found in. A run whose setting was not, or no "
			 "longer, in effect is invalid and does not count.");
}
