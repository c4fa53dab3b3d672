#include "cmd/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/print.h"
#include "cmd/progress.h"
#include "cmd/subject.h"
#include "orchestrate/exec/pool.h"
#include "orchestrate/store/store.h"
#include "orchestrate/store/store_state.h"

struct restore_values {
	const char *store;
};

static const struct opt options[] = {
	OPTION_STORE(struct restore_values),
	OPTION_END,
};

static const struct operand operands[] = {
	OPERAND_FILE,
	{ .name = "HOST", .help = "only this host; all when not given",
	  .kind = OPERAND_WORD, .optional = true },
	OPERAND_END,
};

/* A host may be gone from the file and still wait to be put back. */
static int check_host(const struct subject *s, const char *host,
		      struct error *err)
{
	const struct experiment *e = &s->experiment;
	const char **names = mem_zalloc(e->n_hosts + 1, sizeof(char *));
	struct saved_state *pending = NULL;
	size_t n = 0;
	bool known = false;
	const char *near;
	int rc = store_state_pending(s->store, host, &pending, &n, err);

	for (size_t i = 0; i < e->n_hosts; i++) {
		names[i] = e->hosts[i].name;
		known = known || !strcmp(names[i], host);
	}
	near = strlist_nearest(host, names, e->n_hosts);
	if (!rc && !known && !n)
		rc = error_set(err, ERROR_USAGE, "there is no host '%s'%s%s%s",
			       host, near ? "; did you mean '" : "",
			       near ? near : "", near ? "'?" : "");
	saved_states_free(pending, n);
	free(names);
	return rc;
}

static int restore(struct subject *s, const char *host, size_t *n,
		   struct error *err)
{
	struct progress progress;
	int rc;

	*n = 0;
	if (!path_exists(s->store_path))
		return 0;
	if (store_open(&s->store, s->store_path, STORE_WRITE, err))
		return -1;
	if (host && check_host(s, host, err))
		return -1;
	progress_init(&progress, false);
	rc = pool_restore(s->store, &s->experiment, host, progress_event,
			  &progress, n, err);
	progress_release(&progress);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct restore_values *v = values;
	struct subject s;
	struct buf out = BUF_INIT;
	size_t n = 0;
	int rc = subject_load(&s, operand_get(got, 0), v->store, err);

	if (!rc)
		rc = restore(&s, operand_get(got, 1), &n, err);
	if (!rc) {
		if (n)
			buf_addf(&out, "%zu setting%s put back\n", n,
				 n == 1 ? "" : "s");
		else
			buf_adds(&out, "nothing to put back\n");
		rc = print_out(&out, err);
	}
	buf_release(&out);
	subject_release(&s);
	return rc;
}

const struct command command_restore = {
	.name = "restore",
	.summary = "put back the settings that a killed run left on hosts",
	.description =
		"Before a setting is applied, the state found is recorded "
		"together with how to put it back. After a crash, a power cut "
		"or a host that was unreachable, this command puts back what "
		"is still pending. 'assay run' does the same before its first "
		"run.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct restore_values),
	.example = "assay restore experiments/quickstart.yaml alpha",
	.explanation = "Puts the host alpha back as it was found.",
	.see_also = "run status",
	.run = run,
};
