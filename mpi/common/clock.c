/* The clock of all timings: CLOCK_MONOTONIC, and the common clock of ranks that do not share one.
 */
#include "clock.h"

#include <errno.h>
#include <math.h>
#include <sys/prctl.h>

#include "require.h"

/* A sleeper wakes some 5 to 50 us late, by the processor's idle state; spinning hides that. */
#define SPIN_LEAD 50e-6

long long contend_clock_epoch = 0;
struct contend_clock_model contend_clock_common = {0};

long long contend_clock_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        contend_abort(1, "clock_gettime(CLOCK_MONOTONIC) failed with errno %d", errno);
    return (long long)now.tv_sec;
}

void contend_clock_set_epoch(long long seconds) { contend_clock_epoch = seconds; }

void contend_clock_set_common(struct contend_clock_model model) { contend_clock_common = model; }

double contend_clock_resolution(void)
{
    double smallest = INFINITY;
    for (int i = 0; i < 1000; i++) { /* enough to meet two readings without an interrupt */
        const double before = contend_now();
        double after = contend_now();
        while (after <= before)
            after = contend_now();
        smallest = fmin(smallest, after - before);
    }
    return smallest;
}

void contend_clock_prepare(void)
{
    contend_clock_seconds();
    /* 1 ns is the least: 0 would mean the default. Where refused, windows begin less sharply. */
    (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

/* For a time, not until an instant: the clock that is read may be another than sleeps go by. */
static void sleep_for(double seconds)
{
    const double whole = floor(seconds);
    const struct timespec time = {.tv_sec = (time_t)whole,
                                  .tv_nsec = (long)((seconds - whole) * 1e9)};
    const int code = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    if (code != 0 && code != EINTR)
        contend_abort(1, "clock_nanosleep failed with error %d", code);
}

void contend_wait_until(double instant, bool may_spin)
{
    const double wake = may_spin ? instant - SPIN_LEAD : instant;
    for (double left = wake - contend_now(); left > 0.0; left = wake - contend_now())
        sleep_for(left);
    while (contend_now() < instant)
        ;
}
