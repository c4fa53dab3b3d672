#include "orchestrate/exec/script_orphans.h"

#include <stddef.h>

#include "base/buf.h"
#include "base/strlist.h"

/*
 * ask: state, process group and session of a process; its name may hold blanks.
 * note: where the processes of the step are that the process $1 belongs to. The
 * session is a step's own if a shell with the mark leads it, or led it and is
 * gone; a server that gives its commands no session of their own must not be
 * ended itself.
 * look: the numbers of all of them; sessions and groups stay known when what
 * had the mark has ended before the rest.
 */
static const char functions[] =
	"ask() {\n"
	"	read -r line <\"/proc/$1/stat\" || return\n"
	"	set -- ${line##*) }\n"
	"	state=$1 group=$3 session=$4\n"
	"} 2>/dev/null\n"
	"is_own() {\n"
	"	[ \"$session\" -gt 0 ] && [ \"$session\" != \"$here\" ] ||\n"
	"		return\n"
	"	case $marked in *\" $session \"*) return 0 ;; esac\n"
	"	! [ -e \"/proc/$session\" ]\n"
	"}\n"
	"note() {\n"
	"	ask \"$1\" || return\n"
	"	if is_own; then\n"
	"		sessions=\"$sessions $session \"\n"
	"	elif [ \"$group\" = \"$1\" ]; then\n"
	"		groups=\"$groups $1 \"\n"
	"	else\n"
	"		singles=\"$singles $1 \"\n"
	"	fi\n"
	"}\n"
	"is_step() {\n"
	"	[ \"$state\" != Z ] && [ \"$state\" != X ] || return\n"
	"	case $sessions in *\" $session \"*) return 0 ;; esac\n"
	"	case $groups in *\" $group \"*) return 0 ;; esac\n"
	"	case $singles in *\" $1 \"*) return 0 ;; esac\n"
	"	return 1\n"
	"}\n"
	"is_timeout() {\n"
	"	read -r name <\"/proc/$1/comm\" && [ \"$name\" = timeout ]\n"
	"} 2>/dev/null\n"
	"look() {\n"
	"	marked=\n"
	"	singles=\n"
	"	left=\n"
	"	for f in $(find_marks); do\n"
	"		p=${f#/proc/}\n"
	"		p=${p%/*}\n"
	"		case $f in\n"
	"		*/environ) is_timeout \"$p\" || continue ;;\n"
	"		esac\n"
	"		marked=\"$marked $p \"\n"
	"	done\n"
	"	for p in $marked; do\n"
	"		note \"$p\"\n"
	"	done\n"
	"	[ \"$sessions$groups$singles\" ] || return\n"
	"	for f in /proc/[0-9]*; do\n"
	"		p=${f#/proc/}\n"
	"		ask \"$p\" && is_step \"$p\" && left=\"$left $p\"\n"
	"	done\n"
	"	[ \"$left\" ]\n"
	"}\n";

/* A trap of the script has its 2 s: TERM is sent once. */
static const char ending[] =
	"main() {\n"
	"	sessions=\n"
	"	groups=\n"
	"	ask \"$$\"\n"
	"	here=$session\n"
	"	i=0\n"
	"	while look; do\n"
	"		if [ \"$i\" -eq 0 ]; then\n"
	"			kill -TERM $left\n"
	"		elif [ \"$i\" -ge 70 ]; then\n"
	"			echo \"${left# }\"\n"
	"			exit 75\n"
	"		elif [ \"$i\" -ge 20 ]; then\n"
	"			kill -KILL $left\n"
	"		fi\n"
	"		sleep 0.1\n"
	"		i=$((i + 1))\n"
	"	done\n"
	"	exit 0\n"
	"} 2>/dev/null\n"
	"main; exit\n";

/* The bracket keeps grep from finding itself. */
static void add_find(struct buf *out, const struct strlist *marks)
{
	buf_adds(out, "find_marks() {\n	grep -ls");
	for (size_t i = 0; i < marks->n; i++)
		buf_addf(out, " -e '[%c]%s'", marks->items[i][0],
			 marks->items[i] + 1);
	buf_adds(out, " /proc/[0-9]*/cmdline /proc/[0-9]*/environ\n}\n");
}

void script_orphans(struct buf *out, const struct strlist *marks)
{
	add_find(out, marks);
	buf_adds(out, functions);
	buf_adds(out, ending);
}
