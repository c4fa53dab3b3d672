#include "orchestrate/exec/script.h"

#include <math.h>

#include "base/buf.h"
#include "orchestrate/exec/environment.h"

/*
 * What the runner and the scripts that end a run share; they are in the run's directory.
 * `sweep` finds processes that left the group (a session of their own) by the
 * environment they were started with.
 */
static const char ending[] =
	"sweep() {\n"
	"	for i in 1 2 3 4 5; do\n"
	"		found=$(grep -ls \"ASSAY_TOKEN=$t\" "
	"/proc/[0-9]*/environ)\n"
	"		[ \"$found\" ] || return 0\n"
	"		for e in $found; do\n"
	"			e=${e#/proc/}\n"
	"			kill -KILL \"${e%/environ}\"\n"
	"		done\n"
	"	done\n"
	"} 2>/dev/null\n"
	"group() {\n"
	"	pid=\n"
	"	read -r pid <pid && kill -\"$1\" \"-$pid\"\n"
	"} 2>/dev/null\n"
	"nap() {\n"
	"	sleep \"$1\" &\n"
	"	s=$!\n"
	"	wait \"$s\"\n"
	"}\n"
	/* whoever still holds the output by now gets no more of our time */
	"let_go() {\n"
	"	nap 1\n"
	"	sweep\n"
	"	nap 1\n"
	"	read -r filters <filters\n"
	"	kill $filters\n"
	"} 2>/dev/null\n"
	"die_slowly() {\n"
	"	group TERM\n"
	"	nap 2\n"
	"	group KILL\n"
	"	let_go\n"
	"}\n";

/*
 * The runner: $1 token, $2 time limit in seconds; in the run's directory, with the
 * channel as standard input, and `live` as file 9, which nothing else may
 * inherit (hence the parentheses: for a function dash only moves it aside).
 * Forks are counted: each costs more than half a millisecond.
 *
 * alarm: a pipe that only the time limit's sleep holds; so the process that
 * watches it has no child that could outlive it.
 * filter: keeps the first bytes of a stream; cat fails when the file reaches
 * its size limit (512-byte blocks), then tail keeps the last ones.
 * drained: whether both filters have ended, by their state in /proc; after
 * the command's end this is a matter of microseconds, unless a process that
 * left the group holds the pipe.
 */
static const char runner[] =
	"t=$1\n"
	"limit=$2\n"
	"filter() {\n"
	"	exec 4<\"$1.pipe\"\n"
	"	trap '' XFSZ\n"
	"	trap 'kill \"$c\"; exit' TERM\n"
	"	ulimit -f \"$2\"\n"
	"	cat <&4 >\"$1\" &\n"
	"	c=$!\n"
	"	wait \"$c\" || exec tail -c 65536 <&4 >\"$1.tail\"\n"
	"} 2>/dev/null\n"
	"watch() {\n"
	"	read -r x <alarm\n"
	"	trap 'kill \"$s\"; exit' TERM\n"
	/* not `:`, which would end the shell when the file cannot be made */
	"	true >timeout\n"
	"	die_slowly\n"
	"} 2>/dev/null\n"
	"guard() {\n"
	"	trap 'kill \"$s\"; exit' TERM\n"
	"	let_go\n"
	"} 2>/dev/null\n"
	"drained() {\n"
	"	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do\n"
	"		state=Z\n"
	"		read -r x x state x <\"/proc/$fo/stat\"\n"
	"		[ \"$state\" = Z ] || continue\n"
	"		read -r x x state x <\"/proc/$fe/stat\"\n"
	"		[ \"$state\" = Z ] && return\n"
	"	done\n"
	"	return 1\n"
	"} 2>/dev/null\n"
	"(filter out 2048) 9>&- &\n"
	"fo=$!\n"
	"(filter err 128) 9>&- &\n"
	"fe=$!\n"
	"echo \"$fo $fe\" >filters\n"
	"exec 5>out.pipe 6>err.pipe\n"
	"if ! read -r go || [ \"$go\" != go ]; then\n"
	"	exec 5>&- 6>&-\n"
	"	wait\n"
	"	exit\n"
	"fi\n"
	": >started\n"
	"exec </dev/null\n"
	"sleep \"$limit\" >alarm 5>&- 6>&- 9>&- &\n"
	"sl=$!\n"
	"(watch) 5>&- 6>&- 9>&- &\n"
	"w=$!\n"
	"read -r up x </proc/uptime\n"
	"(\n"
	"	. ./env\n"
	"	export ASSAY_TOKEN=\"$t\"\n"
	"	cd work\n"
	"	exec setsid sh ../script\n"
	") >&5 2>&6 5>&- 6>&- 9>&- &\n"
	"pid=$!\n"
	"echo \"$pid\" >pid\n"
	"exec 5>&- 6>&-\n"
	"[ -e stop ] && group TERM\n"
	"wait \"$pid\"\n"
	"status=$?\n"
	"read -r up2 x </proc/uptime\n"
	"early=\n"
	"[ -e timeout ] && early=timeout\n"
	"[ -e stop ] && early=stop\n"
	"if [ \"$early\" ]; then\n"
	"	wait \"$fo\" \"$fe\"\n"
	"	group KILL\n"
	"	sweep\n"
	"	kill \"$w\" \"$sl\" 2>/dev/null\n"
	"else\n"
	"	kill \"$w\" \"$sl\" 2>/dev/null\n"
	"	kill -KILL \"-$pid\" 2>/dev/null\n"
	"	if ! drained; then\n"
	"		(guard) 9>&- &\n"
	"		g=$!\n"
	"		wait \"$fo\" \"$fe\"\n"
	"		kill \"$g\"\n"
	"	fi\n"
	"fi\n"
	"{\n"
	"	echo \"exit $status\"\n"
	"	echo \"uptime $up $up2\"\n"
	"	[ \"$early\" ] && echo \"$early\"\n"
	"	echo cpu\n"
	"	times\n"
	"	echo end\n"
	"} >meta\n"
	": >done\n";

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

static void add_start(struct buf *out, const struct run_script *run)
{
	struct buf env = BUF_INIT, text = BUF_INIT;

	environment_write(run->env, &env);
	buf_adds(&text, ending);
	buf_adds(&text, runner);
	buf_adds(out,
		 "		cd \"$d\" && mkfifo out.pipe err.pipe live "
		 "alarm || exit 70\n"
		 "		exec 3<&0 9<>live\n");
	add_file(out, "env", env.data);
	add_file(out, "script", run->body);
	buf_adds(out, "		setsid sh -c ");
	buf_add_shell(out, text.data);
	buf_addf(out, " assay \"$t\" %.15g <&3 3<&- >/dev/null "
		 "2>runner.err &\n", run->timeout);
	buf_adds(out,
		 "		printf '\\nassay %s ready\\n' \"$t\"\n"
		 "		exec 3<&- 8<live 9>&-\n"
		 "		read -r x <&8\n"
		 "		exec 8<&-\n"
		 "		[ -e started ] || exec rm -rf \"$d\"\n");
	buf_release(&text);
	buf_release(&env);
}

void script_run(struct buf *out, const struct run_script *run)
{
	buf_adds(out, "main() {\n");
	buf_adds(out, ending);
	add_place(out, run->place, run->token);
	buf_adds(out,
		 "	[ -d \"$c\" ] || mkdir -p \"$c\" || exit 70\n"
		 "	if [ -d \"$d\" ]; then\n"
		 "	cd \"$d\" || exit 70\n");
	buf_adds(out, wait_live);
	buf_adds(out,
		 "	else\n"
		 "		mkdir \"$d\" \"$d/work\" || exit 70\n");
	add_start(out, run);
	buf_adds(out, "	fi\n");
	add_result(out);
	buf_adds(out, "}\nmain; exit\n");
}

void script_collect(struct buf *out, const char *place, const char *token)
{
	buf_adds(out, "main() {\n");
	buf_adds(out, ending);
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
	buf_adds(out, ending);
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

static void add_limited(struct buf *out, const char *body, double timeout)
{
	buf_addf(out, "timeout -k 2 %.15g sh -c ", ceil(timeout));
	buf_add_shell(out, body);
}

void script_treatment(struct buf *out, const struct environment *env,
		      const char *body, double timeout)
{
	environment_write(env, out);
	buf_adds(out, "main() {\n");
	add_limited(out, body, timeout);
	buf_adds(out, " </dev/null\n}\nmain; exit\n");
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
	buf_adds(out, "exit 0\n}\nmain; exit\n");
}

void script_with_saved(struct buf *out, const char *script, const char *saved)
{
	buf_adds(out, "export saved=");
	buf_add_shell(out, saved);
	buf_addf(out, "\n%s", script);
}
