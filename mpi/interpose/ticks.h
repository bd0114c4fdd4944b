/* A clock for what is timed at every call: the processor's own counter, which is read in a third of
 * the time, where it is what CLOCK_MONOTONIC counts by, and that clock itself elsewhere. */
#ifndef CONTEND_TICKS_H
#define CONTEND_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "modes.h"

extern bool contend_counts_ticks;
extern double contend_tick_ns; /* nanoseconds of a tick */

/* Measures the counter against the clock, from when this library was loaded, for a millisecond at
 * least; before any tick is read. */
void contend_start_ticks(void);

static inline int64_t contend_ticks(void)
{
#ifdef __x86_64__
    if (__builtin_expect(contend_counts_ticks, 1))
        return (int64_t)__rdtsc();
#endif
    return contend_nanoseconds();
}

static inline int64_t contend_ticks_to_ns(int64_t ticks)
{
    return (int64_t)((double)ticks * contend_tick_ns);
}

/* When a moment that has just passed was, by contend_nanoseconds. */
int64_t contend_ticks_instant(int64_t ticks);

/* The ticks at an instant of contend_nanoseconds. */
int64_t contend_ticks_at(int64_t instant);

#endif
