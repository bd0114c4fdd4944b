/* The clock of all timings: CLOCK_MONOTONIC, the same for all processes under one kernel. */
#ifndef CONTEND_CLOCK_H
#define CONTEND_CLOCK_H

#include <stdbool.h>
#include <time.h>

/* Whole seconds of the clock. */
long long contend_clock_seconds(void);

/* contend_now counts from this second on. A small number keeps the last nanosecond of a double
 * after months of uptime. All ranks that compare instants must set the same one. */
void contend_clock_set_epoch(long long seconds);

/* Smallest step seen between two successive readings, in seconds. */
double contend_clock_resolution(void);

/* Makes sleeps end on time (the default timer slack of Linux is 50 us). */
void contend_clock_prepare(void);

/* Returns at `instant` or just after. Sleeps; if it may spin, only the last 50 us are spun. */
void contend_wait_until(double instant, bool may_spin);

extern long long contend_clock_epoch;

/* Seconds since the epoch. */
static inline double contend_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail: probed by contend_clock_prepare */
    return (double)(now.tv_sec - contend_clock_epoch) + 1e-9 * (double)now.tv_nsec;
}

#endif
