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
	struct subject_options from;
	bool forget;
};

static const struct opt options[] = {
	{ .name = "forget", .kind = OPT_FLAG,
	  .offset = offsetof(struct restore_values, forget),
	  .help = "run nothing: take what is pending for put back by hand" },
	OPTION_PROFILE(struct restore_values),
	OPTION_STORE(struct restore_values),
	OPTION_TAGS(struct restore_values),
	OPTION_END,
};

static const struct operand operands[] = {
	OPERAND_FILE,
	{ .name = "HOST", .help = "only this host; all when not given",
	  .kind = OPERAND_WORD, .source = FROM_HOSTS, .optional = true },
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

static void add_state(struct buf *out, const struct saved_state *state)
{
	buf_addf(out, "%s: %s=%s was found as \"", state->host, state->factor,
		 state->level);
	print_add(out, state->saved);
	buf_adds(out, "\"\n");
}

/* What no script can put back would stay pending for ever. Shown first: only
 * then it may be forgotten. */
static int forget(struct subject *s, const char *host, size_t *n,
		  struct error *err)
{
	struct saved_state *pending = NULL;
	struct buf out = BUF_INIT;
	size_t n_pending = 0;
	int rc = store_state_pending(s->store, host, &pending, &n_pending,
				     err);

	for (size_t i = 0; i < n_pending; i++)
		add_state(&out, &pending[i]);
	if (!rc)
		rc = print_out(&out, err);
	for (; !rc && *n < n_pending; ++*n)
		rc = store_state_reverted(s->store, pending[*n].id, err);
	saved_states_free(pending, n_pending);
	buf_release(&out);
	return rc;
}

/* 1 when there is no store yet, so nothing to do. */
static int open_store(struct subject *s, const char *host, struct error *err)
{
	if (!path_exists(s->store_path))
		return 1;
	if (store_open(&s->store, s->store_path, STORE_WRITE, err))
		return -1;
	return host ? check_host(s, host, err) : 0;
}

static int restore(struct subject *s, const char *host, size_t *n,
		   struct error *err)
{
	struct progress progress;
	int rc;

	progress_init(&progress, false);
	rc = pool_restore(s->store, &s->experiment, host, progress_event,
			  &progress, n, err);
	progress_release(&progress);
	return rc;
}

static void say_count(struct buf *out, size_t n, bool forgotten)
{
	if (n)
		buf_addf(out, "%zu setting%s %sput back%s\n", n,
			 n == 1 ? "" : "s", forgotten ? "taken for " : "",
			 forgotten ? " by hand" : "");
	else
		buf_adds(out, "nothing to put back\n");
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct restore_values *v = values;
	const char *host = operand_get(got, 1);
	struct subject s;
	struct buf out = BUF_INIT;
	size_t n = 0;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_STAND_IN, err);

	if (rc)
		goto out;
	rc = open_store(&s, host, err);
	if (!rc)
		rc = v->forget ? forget(&s, host, &n, err) :
				 restore(&s, host, &n, err);
	if (rc >= 0) {
		say_count(&out, n, v->forget);
		rc = print_out(&out, err);
	}
out:
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
		"run.\n\n"
		"A setting that cannot be put back by its script stays pending, "
		"and no more runs are made on its host. Put it back by hand, "
		"then use --forget: it prints for each setting the host, the "
		"factor, the level and the state that was found, and records "
		"it as put back. Nothing is run on the host, and what is "
		"forgotten is never put back by assay any more.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct restore_values),
	.example = "assay restore experiments/quickstart.yaml alpha",
	.explanation = "Puts the host alpha back as it was found.",
	.see_also = "run status",
	.run = run,
};
