#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Monotonic time: for durations only. Nanoseconds since an unknown start. */
int64_t clock_monotonic_ns(void);

/* Wall time: for labels only. Nanoseconds since 1970-01-01T00:00:00Z. */
int64_t clock_wall_ns(void);

#define CLOCK_TEXT_SIZE 32
/* "2026-11-30T20:47:04Z"; returns `text`. */
char *clock_iso8601(int64_t wall_ns, char text[CLOCK_TEXT_SIZE]);

/* "1.3 s", "4 min 05 s", "9 h 40 min"; returns `text`. */
char *clock_duration(int64_t ns, char text[CLOCK_TEXT_SIZE]);

#endif
