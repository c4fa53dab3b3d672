#include "cmd/starter.h"

const char *starter_text(enum starter kind)
{
	switch (kind) {
	case STARTER_LOCAL:
		return starter_local;
	case STARTER_PAIR:
		return starter_pair;
	case STARTER_STORAGE:
		return starter_storage;
	}
	return starter_local;
}
