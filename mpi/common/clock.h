/* The clock of all timings: CLOCK_MONOTONIC, which all processes under one kernel share, and the
 * common clock of ranks that do not share one. */
#ifndef CONTEND_CLOCK_H
#define CONTEND_CLOCK_H

#include <stdbool.h>
#include <time.h>

/* A clock as another one shows it: reading + offset + drift (reading - at). */
struct contend_clock_model {
    double at;     /* reading, in seconds */
    double offset; /* there, in seconds */
    double drift;  /* seconds per second */
};

/* Whole seconds of the clock. */
long long contend_clock_seconds(void);

/* Readings count from this second on. A small number keeps the last nanosecond of a double after
 * months of uptime. All ranks that compare instants must set the same one. */
void contend_clock_set_epoch(long long seconds);

/* What makes this rank's readings those of the common clock; all 0 where it reads that one. */
void contend_clock_set_common(struct contend_clock_model model);

/* Smallest step seen between two successive readings, in seconds. */
double contend_clock_resolution(void);

/* Makes sleeps end on time (the default timer slack of Linux is 50 us). */
void contend_clock_prepare(void);

/* Returns at `instant` or just after. Sleeps; if it may spin, only the last 50 us are spun. */
void contend_wait_until(double instant, bool may_spin);

extern long long contend_clock_epoch;
extern struct contend_clock_model contend_clock_common;

static inline double contend_clock_apply(const struct contend_clock_model *model, double reading)
{
    return reading + (model->offset + model->drift * (reading - model->at));
}

/* Seconds since the epoch by this rank's own clock. */
static inline double contend_own_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail: probed by contend_clock_prepare */
    return (double)(now.tv_sec - contend_clock_epoch) + 1e-9 * (double)now.tv_nsec;
}

/* Seconds since the epoch by the common clock. */
static inline double contend_now(void)
{
    return contend_clock_apply(&contend_clock_common, contend_own_now());
}

#endif
