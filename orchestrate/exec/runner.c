#include "orchestrate/exec/runner.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/buf.h"
#include "orchestrate/exec/script.h"

/*
 * `sweep` finds processes that left the group (a session of their own) by the
 * environment they were started with.
 */
const char runner_ending[] =
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
static const char beginning[] =
	"t=$1\n"
	"n=\n"
	"early=\n"
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
	"	true >\"timeout$n\"\n"
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
	"exec </dev/null\n";

/* Starts the time limit and the command. */
static const char launch[] =
	"sleep \"$limit\" >alarm 5>&- 6>&- 9>&- &\n"
	"sl=$!\n"
	"(watch) 5>&- 6>&- 9>&- &\n"
	"w=$!\n"
	"read -r up x </proc/uptime\n"
	"(\n"
	/* `env` may set any name, these of ours, too */
	"	export ASSAY_TOKEN=\"$t\"\n"
	"	set -- \"$repeat\"\n"
	"	. ./env\n";
static const char launch_end[] =
	") >&5 2>&6 5>&- 6>&- 9>&- &\n"
	"pid=$!\n"
	"echo \"$pid\" >pid\n";

/* The only execution: nobody writes to the pipes but the command. */
static const char once_wait[] =
	"exec 5>&- 6>&-\n"
	"[ -e stop ] && group TERM\n"
	"wait \"$pid\"\n"
	"status=$?\n"
	"read -r up2 x </proc/uptime\n"
	"spans=\"uptime $up $up2\"\n"
	"[ -e timeout ] && early=timeout\n"
	"[ -e stop ] && early=stop\n"
	"if [ ! \"$early\" ]; then\n"
	"	kill \"$w\" \"$sl\" 2>/dev/null\n"
	"	kill -KILL \"-$pid\" 2>/dev/null\n"
	"fi\n";

/* One of several: its time limit has its own mark, and is known to be over
 * before `alarm` is used again. */
static const char execute[] =
	"execute() {\n"
	"	n=.$1.$2\n"
	"	last=\"execution $1 $2\"\n"
	"	repeat=0\n"
	"	[ \"$1\" = warmup ] || repeat=$2\n"
	"	printf '\\nassay %s %s %s\\n' \"$t\" \"$1\" \"$2\" >&5\n"
	"	printf '\\nassay %s %s %s\\n' \"$t\" \"$1\" \"$2\" >&6\n";
static const char execute_wait[] =
	"	[ -e stop ] && group TERM\n"
	"	wait \"$pid\"\n"
	"	status=$?\n"
	"	read -r up2 x </proc/uptime\n"
	"	[ \"$1\" = warmup ] || spans=\"$spans\n"
	"uptime $up $up2\"\n"
	"	[ -e \"timeout$n\" ] && early=timeout\n"
	"	[ -e stop ] && early=stop\n"
	"	[ \"$early\" ] && return 1\n"
	"	kill \"$w\" \"$sl\" 2>/dev/null\n"
	"	wait \"$w\" \"$sl\" 2>/dev/null\n"
	"	kill -KILL \"-$pid\" 2>/dev/null\n"
	"	sweep\n"
	"	return \"$status\"\n"
	"}\n"
	/* $1 times the kind $2 */
	"series() {\n"
	"	k=0\n"
	"	while [ \"$k\" -lt \"$1\" ]; do\n"
	"		k=$((k + 1))\n"
	"		execute \"$2\" \"$k\" || return\n"
	"	done\n"
	"}\n"
	"spans=\n";

static const char ending[] =
	"if [ \"$early\" ]; then\n"
	"	wait \"$fo\" \"$fe\"\n"
	"	group KILL\n"
	"	sweep\n"
	"	kill \"$w\" \"$sl\" 2>/dev/null\n"
	"elif ! drained; then\n"
	"	(guard) 9>&- &\n"
	"	g=$!\n"
	"	wait \"$fo\" \"$fe\"\n"
	"	kill \"$g\"\n"
	"fi\n"
	"{\n"
	"	echo \"exit $status\"\n"
	"	echo \"$spans\"\n"
	"	[ \"$early\" ] && echo \"$early\"\n"
	"	echo cpu\n"
	"	times\n"
	"	echo end\n"
	"} >meta\n"
	": >done\n";

static void add_launch(struct buf *out, const struct run_script *run,
		       bool many)
{
	const char *input = many ? " <../now" : " <../input";

	buf_adds(out, launch);
	if (many)
		buf_adds(out, "	export repeat=\"$1\"\n");
	buf_addf(out, "	cd work\n	exec setsid sh ../script%s\n",
		 run->n_enter ? input : "");
	buf_adds(out, launch_end);
}

static void add_many(struct buf *out, const struct run_script *run)
{
	buf_adds(out, execute);
	if (run->n_enter)
		buf_adds(out, "	sed \"s/$t-repeat/$repeat/\" input >now "
			      "9>&-\n");
	add_launch(out, run, true);
	buf_adds(out, execute_wait);
	buf_addf(out, "series %" PRIu32 " warmup && series %" PRIu32
		      " repeat\n"
		      "exec 5>&- 6>&-\n"
		      "spans=\"$last$spans\"\n",
		 run->warmup, run->repeats);
}

void runner_text(struct buf *out, const struct run_script *run)
{
	buf_adds(out, runner_ending);
	buf_adds(out, beginning);
	if (script_is_single(run)) {
		add_launch(out, run, false);
		buf_adds(out, once_wait);
	} else {
		add_many(out, run);
	}
	buf_adds(out, ending);
}
