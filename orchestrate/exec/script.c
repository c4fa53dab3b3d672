#include "orchestrate/exec/script.h"

#include <math.h>

#include "base/buf.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/runner.h"
#include "orchestrate/exec/script_input.h"

/* Waits for the runner: opening for both directions cannot block. */
static const char wait_live[] =
	"	if [ -p live ]; then\n"
	"		exec 8<>live 7<live 8>&-\n"
	"		read -r x <&7\n"
	"		exec 7<&-\n"
	"	fi\n";

static void add_place(struct buf *out, const char *place,
		      const char *token)
{
	buf_addf(out, "	c=${XDG_CACHE_HOME:-$HOME/.cache}/assay/%s\n",
		 place);
	if (token)
		buf_addf(out, "	t=%s\n	d=$c/$t\n", token);
}

static void add_result(struct buf *out)
{
	/* A runner that was killed may have left its command: that is ended
	 * before anything else is measured. */
	buf_adds(out,
		 "	[ -e done ] || { group KILL; sweep; }\n"
		 "	set -- meta out out.tail err err.tail runner.err "
		 "kept\n"
		 "	printf '\\nassay %s result\\n' \"$t\"\n"
		 "	stat -c '%n %s %.9Y' started \"$@\" 2>/dev/null\n"
		 "	echo\n"
		 "	cat \"$@\" 2>/dev/null\n"
		 "	printf '\\nassay %s end\\n' \"$t\"\n"
		 "	IFS= read -r ack\n"
		 "	case $ack in\n"
		 "	forget) exec rm -rf \"$d\" ;;\n"
		 "	keep*) printf '%s\n' \"$ack\" >kept ;;\n"
		 "	esac\n"
		 "	exit 0\n");
}

static void add_file(struct buf *out, const char *name, const char *text)
{
	buf_adds(out, "		printf %s ");
	buf_add_shell(out, text);
	buf_addf(out, " >%s || exit 70\n", name);
}

/* What the runner reads: see runner.h. */
static void add_files(struct buf *out, const struct run_script *run)
{
	const struct script_enter *outer = run->n_enter ? run->enter : NULL;
	struct buf text = BUF_INIT;

	environment_write(outer ? outer->env : run->env, &text);
	add_file(out, "env", text.data);
	add_file(out, "script", outer ? outer->body : run->body);
	if (outer) {
		buf_clear(&text);
		script_input(&text, run);
		add_file(out, "input", text.data);
	}
	buf_release(&text);
}

static void add_start(struct buf *out, const struct run_script *run)
{
	struct buf text = BUF_INIT;

	runner_text(&text, run);
	buf_adds(out,
		 "		cd \"$d\" && mkfifo out.pipe err.pipe live "
		 "alarm || exit 70\n"
		 "		exec 3<&0 9<>live\n");
	add_files(out, run);
	buf_adds(out, "		setsid sh -c ");
	buf_add_shell(out, text.data);
	buf_addf(out, " assay \"$t\" %.15g <&3 3<&- >/dev/null "
		 "2>runner.err &\n", run->timeout);
	buf_adds(out,
		 "		printf '\\nassay %s ready\\n' \"$t\"\n"
		 "		exec 3<&- 8<live 9>&-\n"
		 "		read -r x <&8\n"
		 "		exec 8<&-\n"
		 "		[ -e started ] || leave\n");
	buf_release(&text);
}

bool script_is_single(const struct run_script *run)
{
	return !run->warmup && run->repeats <= 1;
}

/* Its controller died before "go", and the next one may have swept by now: then
 * nobody comes after us. */
static const char leave[] =
	"leave() {\n"
	"	cd /\n"
	"	rm -rf \"$d\"\n"
	"	rmdir \"$c\" \"${c%/*}\" 2>/dev/null\n"
	"	exit 0\n"
	"}\n";

void script_run(struct buf *out, const struct run_script *run)
{
	buf_adds(out, "main() {\n");
	buf_adds(out, runner_ending);
	buf_adds(out, leave);
	add_place(out, run->place, run->token);
	buf_adds(out,
		 "	if [ -d \"$d\" ]; then\n"
		 "	cd \"$d\" || exit 70\n");
	buf_adds(out, wait_live);
	/* twice: who leaves may take an empty directory from under it */
	buf_adds(out,
		 "	else\n"
		 "		mkdir -p \"$d/work\" || mkdir -p \"$d/work\" || "
		 "exit 70\n");
	add_start(out, run);
	buf_adds(out, "	fi\n");
	add_result(out);
	buf_adds(out, "}\nmain; exit\n");
}

void script_collect(struct buf *out, const char *place, const char *token)
{
	buf_adds(out, "main() {\n");
	buf_adds(out, runner_ending);
	add_place(out, place, token);
	buf_adds(out,
		 "	if ! [ -d \"$d\" ]; then\n"
		 "		printf '\\nassay %s none\\n' \"$t\"\n"
		 "		exit\n"
		 "	fi\n"
		 "	cd \"$d\" || exit 70\n");
	buf_adds(out, wait_live);
	add_result(out);
	buf_adds(out, "}\nmain; exit\n");
}

void script_stop(struct buf *out, const char *place, const char *token)
{
	buf_adds(out, "main() {\n");
	buf_adds(out, runner_ending);
	buf_adds(out,
		 "guard() {\n"
		 "	trap 'kill \"$s\"; exit' TERM\n"
		 "	nap 2\n"
		 "	group KILL\n"
		 "	let_go\n"
		 "} 2>/dev/null\n");
	add_place(out, place, token);
	buf_adds(out,
		 "	cd \"$d\" 2>/dev/null || exit 0\n"
		 "	[ -e meta ] && exit 0\n"
		 "	: >stop\n"
		 "	group TERM\n"
		 "	guard &\n"
		 "	g=$!\n");
	buf_adds(out, wait_live);
	buf_adds(out,
		 "	kill \"$g\" 2>/dev/null\n"
		 "	exit 0\n"
		 "}\n"
		 "main; exit\n");
}

void script_sweep(struct buf *out, const char *place)
{
	buf_adds(out, "main() {\n");
	add_place(out, place, NULL);
	/* a run that is still going keeps its directory: rm it after it ended */
	buf_adds(out,
		 "	cd \"$c\" 2>/dev/null || exit 0\n"
		 "	for d in *; do\n"
		 "		[ -d \"$d\" ] || continue\n"
		 "		[ -e \"$d/meta\" ] || [ ! -e \"$d/started\" ] || "
		 "continue\n"
		 "		rm -rf \"$d\"\n"
		 "	done\n"
		 "	cd /\n"
		 "	rmdir \"$c\" \"${c%/*}\" 2>/dev/null\n"
		 "	exit 0\n"
		 "}\n"
		 "main; exit\n");
}

/*
 * The mark of the shell that got the script (script_orphans.h) goes on to
 * `timeout`, which may outlive it, but not to what the body starts: a daemon
 * that is to stay must not look like a step.
 */
static void add_limited(struct buf *out, const char *body, double timeout)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "unset ASSAY_STEP; %s", body);
	buf_addf(out, "ASSAY_STEP=\"$1\" timeout -k 2 %.15g sh -c ",
		 ceil(timeout));
	buf_add_shell(out, text.data);
	buf_release(&text);
}

void script_treatment(struct buf *out, const struct environment *env,
		      const char *body, double timeout)
{
	environment_write(env, out);
	buf_adds(out, "main() {\n");
	add_limited(out, body, timeout);
	buf_adds(out, " </dev/null\n}\nmain \"$1\"; exit\n");
}

void script_check(struct buf *out, const struct environment *env,
		  const char *verify, const char *show, double timeout)
{
	environment_write(env, out);
	buf_adds(out, "main() {\n");
	add_limited(out, verify, timeout);
	buf_adds(out, " </dev/null >&2 || exit\n");
	if (show) {
		add_limited(out, show, timeout);
		buf_adds(out, " </dev/null\n");
	}
	buf_adds(out, "exit 0\n}\nmain \"$1\"; exit\n");
}

void script_with_saved(struct buf *out, const char *script, const char *saved)
{
	buf_adds(out, "export saved=");
	buf_add_shell(out, saved);
	buf_addf(out, "\n%s", script);
}
