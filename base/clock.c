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

char *clock_duration(int64_t ns, char text[CLOCK_TEXT_SIZE])
{
	int64_t s = (ns + 500000000) / 1000000000;

	if (ns < 60 * (int64_t)1000000000)
		snprintf(text, CLOCK_TEXT_SIZE, "%.1f s", (double)ns / 1e9);
	else if (s < 3600)
		snprintf(text, CLOCK_TEXT_SIZE,
			 "%" PRId64 " min %02" PRId64 " s", s / 60, s % 60);
	else
		snprintf(text, CLOCK_TEXT_SIZE,
			 "%" PRId64 " h %02" PRId64 " min", s / 3600,
			 s / 60 % 60);
	return text;
}
