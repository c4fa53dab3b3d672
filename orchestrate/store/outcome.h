#ifndef STORE_OUTCOME_H
#define STORE_OUTCOME_H

#include "orchestrate/store/store_attempt.h"

/* From the text in the store, whose CHECK admits no other; else LOST. */
enum outcome outcome_parse(const char *name);

/* What analysis makes of a settling outcome: a timeout is censored. */
enum run_status outcome_status(enum outcome o);

#endif
