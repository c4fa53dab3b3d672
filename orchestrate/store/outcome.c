#include <string.h>

#include "orchestrate/store/outcome.h"
#include "orchestrate/store/store_attempt.h"

static const char *const names[] = {
	[OUTCOME_OK] = "ok",
	[OUTCOME_FAILED] = "failed",
	[OUTCOME_TIMEOUT] = "timeout",
	[OUTCOME_INVALID] = "invalid",
	[OUTCOME_LOST] = "lost",
	[OUTCOME_STOPPED] = "stopped",
};

#define N_NAMES (sizeof(names) / sizeof(names[0]))

const char *outcome_name(enum outcome o)
{
	return (size_t)o < N_NAMES ? names[o] : "lost";
}

enum outcome outcome_parse(const char *name)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		if (name && strcmp(name, names[i]) == 0)
			return (enum outcome)i;
	}
	return OUTCOME_LOST;
}

bool outcome_settles(enum outcome o)
{
	return o == OUTCOME_OK || o == OUTCOME_FAILED ||
	       o == OUTCOME_TIMEOUT || o == OUTCOME_INVALID;
}

enum run_status outcome_status(enum outcome o)
{
	switch (o) {
	case OUTCOME_OK:
		return RUN_OK;
	case OUTCOME_TIMEOUT:
		return RUN_CENSORED;
	case OUTCOME_INVALID:
		return RUN_INVALID;
	case OUTCOME_FAILED:
	case OUTCOME_LOST:
	case OUTCOME_STOPPED:
		break;
	}
	return RUN_FAILED;
}
