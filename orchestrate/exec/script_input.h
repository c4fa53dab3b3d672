#ifndef EXEC_SCRIPT_INPUT_H
#define EXEC_SCRIPT_INPUT_H

struct buf;
struct run_script;

/*
 * What the outermost thing that a run enters gets on standard input: a
 * script with all the rest in it. With several executions $repeat is to be
 * put in it for each: in place of TOKEN-repeat.
 */
void script_input(struct buf *out, const struct run_script *run);

#endif
