#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static int64_t now(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t clock_monotonic_ns(void)
{
	return now(CLOCK_MONOTONIC);
}

int64_t clock_wall_ns(void)
{
	return now(CLOCK_REALTIME);
}

char *clock_iso8601(int64_t wall_ns, char text[CLOCK_TEXT_SIZE])
{
	time_t s = (time_t)(wall_ns / 1000000000);
	struct tm tm;

	gmtime_r(&s, &tm);
	strftime(text, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return text;
}

/* Integers only: no locale's decimal comma, and 59.96 s is a minute. */
char *clock_duration(int64_t ns, char text[CLOCK_TEXT_SIZE])
{
	const char *sign = ns < 0 ? "-" : "";
	uint64_t abs = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	uint64_t tenths = (abs + 50000000) / 100000000;
	uint64_t s = (abs + 500000000) / 1000000000;

	if (tenths < 600)
		snprintf(text, CLOCK_TEXT_SIZE, "%s%" PRIu64 ".%" PRIu64 " s",
			 sign, tenths / 10, tenths % 10);
	else if (s < 3600)
		snprintf(text, CLOCK_TEXT_SIZE,
			 "%s%" PRIu64 " min %02" PRIu64 " s", sign, s / 60,
			 s % 60);
	else
		snprintf(text, CLOCK_TEXT_SIZE,
			 "%s%" PRIu64 " h %02" PRIu64 " min", sign, s / 3600,
			 s / 60 % 60);
	return text;
}
