#include "cmd/complete.h"

void complete_write(struct buf *out, enum shell shell)
{
	switch (shell) {
	case SHELL_BASH:
		complete_bash(out);
		return;
	case SHELL_ZSH:
		complete_zsh(out);
		return;
	case SHELL_FISH:
		complete_fish(out);
		return;
	}
}
