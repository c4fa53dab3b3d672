#include "orchestrate/exec/layer_scripts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

static char *whole(const struct environment *env, const char *body,
		   double timeout)
{
	struct buf out = BUF_INIT;

	if (!body)
		return NULL;
	script_treatment(&out, env, body, timeout);
	return buf_detach(&out);
}

static char *check(const struct environment *env,
		   const struct treatment_def *def)
{
	struct buf out = BUF_INIT;

	script_check(&out, env, def->verify, def->show, def->timeout);
	return buf_detach(&out);
}

int layer_scripts_make(struct layer_scripts *s, const struct experiment *e,
		       const struct binding_run *run, size_t layer,
		       struct error *err)
{
	const struct treatment_def *def =
		layer_treatment(e, layer, run->levels)->def;
	struct environment env = ENVIRONMENT_INIT;
	int result = environment_layer(&env, e, run, layer, err);

	memset(s, 0, sizeof(*s));
	if (!result) {
		s->save = whole(&env, def->save, def->timeout);
		s->apply = whole(&env, def->apply, def->timeout);
		s->check = check(&env, def);
		s->revert = whole(&env, def->revert, def->timeout);
		s->timeout = def->timeout;
	}
	environment_release(&env);
	return result;
}

void layer_scripts_release(struct layer_scripts *s)
{
	free(s->save);
	free(s->apply);
	free(s->check);
	free(s->revert);
	memset(s, 0, sizeof(*s));
}
