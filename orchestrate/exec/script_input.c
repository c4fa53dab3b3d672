#include "orchestrate/exec/script_input.h"

#include <string.h>

#include "base/buf.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/script.h"

/* Linux takes arguments of up to 128 KiB. */
#define ARGUMENT_MAX (120 * 1024)

/* The processes in there are found by it, when they have to be ended: those
 * inside of a container are no children of what enters it. */
static void add_token(struct buf *out, const struct run_script *run)
{
	buf_addf(out, "export ASSAY_TOKEN='%s'\n", run->token);
}

/* A shell of its own has the exports from its start on, where `sweep` looks. */
static void add_body(struct buf *out, const struct run_script *run)
{
	bool fits = strlen(run->body) < ARGUMENT_MAX;

	environment_write(run->env, out);
	if (!script_is_single(run))
		buf_addf(out, "export repeat='%s-repeat'\n", run->token);
	add_token(out, run);
	buf_adds(out, fits ? "exec sh -c " : "eval ");
	buf_add_shell(out, run->body);
	buf_adds(out, fits ? " </dev/null\n" : " </dev/null; exit\n");
}

/* The innermost first, as each is a word of the next. */
void script_input(struct buf *out, const struct run_script *run)
{
	struct buf inner = BUF_INIT, text = BUF_INIT;

	add_body(&inner, run);
	for (size_t i = run->n_enter - 1; i > 0; i--) {
		environment_write(run->enter[i].env, &text);
		add_token(&text, run);
		buf_adds(&text, "printf %s ");
		buf_add_shell(&text, inner.data);
		buf_adds(&text, " | sh -c ");
		buf_add_shell(&text, run->enter[i].body);
		buf_addc(&text, '\n');
		buf_release(&inner);
		inner = text;
		buf_init(&text);
	}
	buf_add(out, inner.data, inner.n);
	buf_release(&inner);
}
