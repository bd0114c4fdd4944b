/* Moments: nanoseconds of CLOCK_MONOTONIC, which every emulated host shares. */
#include "moment.h"

#include <time.h>

#include "../common/fail.h"

/* The switch may lose the processor between two readings: the closest pair of a few is right. */
#define READINGS 3

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        contend_fail_errno("cannot read clock %d", (int)clock);
    return time.tv_sec * CONTEND_NS_PER_S + time.tv_nsec;
}

int64_t contend_now(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t contend_real_offset(void)
{
    int64_t offset = 0, narrowest = INT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        const int64_t before = contend_now();
        const int64_t real = read_clock(CLOCK_REALTIME);
        const int64_t width = contend_now() - before;
        if (width < narrowest) {
            narrowest = width;
            offset = real - (before + width / 2);
        }
    }
    return offset;
}
