#ifndef EXEC_RUNNER_H
#define EXEC_RUNNER_H

struct buf;
struct run_script;

/*
 * The detached runner of a run: shell text, $1 token, $2 time limit of each
 * execution in seconds; in the run's directory, with the channel as standard
 * input, and `live` as file 9, which nothing else may inherit (hence the
 * parentheses: for a function dash only moves it aside). Waits for "go".
 *
 * It reads `env` (exports) and `script`, which it executes with the exports
 * in `work`; standard input is /dev/null, or for a run that enters something
 * the file `input`, made anew from it for each execution when there are several.
 *
 * It writes `out` and `err` (with `.tail`) and at the end `meta`, one line each:
 *
 *	exit 3                    of the last execution
 *	execution warmup 1        the last one, when there are several
 *	uptime 1847.65 1850.12    of each measured execution
 *	timeout, stop             it was ended early
 *	cpu, then `times`
 *	end
 *
 * When there are several executions, "\nassay TOKEN warmup 1\n" or
 * "\nassay TOKEN repeat 1\n" stands in front of what each of them says, in
 * both streams. They follow one another; what one of them left running is
 * ended before the next. The first that fails is the last.
 */
void runner_text(struct buf *out, const struct run_script *run);

/* What the runner and the scripts that end a run share: sweep, group, nap,
 * let_go, die_slowly. */
extern const char runner_ending[];

#endif
