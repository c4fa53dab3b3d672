#ifndef CMD_COMPLETE_H
#define CMD_COMPLETE_H

struct buf;

/* Completion scripts, made from the command table. */
enum shell {
	SHELL_BASH,
	SHELL_ZSH,
	SHELL_FISH,
};

void complete_write(struct buf *out, enum shell shell);

/* one file each */
void complete_bash(struct buf *out);
void complete_zsh(struct buf *out);
void complete_fish(struct buf *out);

#endif
