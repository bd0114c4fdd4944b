/* The time that programs in a lab see, and the real one.
 *
 *     seen = origin + (real - origin) * rate / dilation + offset
 *
 * CONTEND_CLOCK_DILATION  how many times slower than its network the lab is; 1
 * CONTEND_CLOCK_ORIGIN    instant of the clocks of the date at which both agree, in seconds; 0, as
 *                         always for the clocks that count from the start of the machine
 * CONTEND_CLOCK_RATE      of this host's clock; 1. One number for all hosts, or HOST:NUMBER,...
 * CONTEND_CLOCK_OFFSET    of this host's clock in seconds; 0. Likewise
 *
 * They are read once. Without any of them nothing is scaled.
 */
#ifndef CONTEND_SHIM_SCALE_H
#define CONTEND_SHIM_SCALE_H

#include <stdbool.h>
#include <sys/time.h>
#include <time.h>

#pragma GCC visibility push(hidden)

/* Whether the time that is seen is another than the real one. */
bool contend_shim_is_scaled(void);

/* Whether the clock is one of elapsed time; those of processor time are never scaled. */
bool contend_shim_is_elapsed(clockid_t clock);

/* The real clock; as clock_gettime. */
int contend_shim_read_real(clockid_t clock, struct timespec *now);

/* Instants of a clock of elapsed time. */
struct timespec contend_shim_seen_instant(clockid_t clock, struct timespec real);
struct timespec contend_shim_real_instant(clockid_t clock, struct timespec seen);

/* The clock that a deadline is of, where the caller does not say: the one that is nearer. */
clockid_t contend_shim_clock_of(struct timespec deadline);

/* Lengths of time; one that is not zero stays so. Impossible ones are handed on as they are. */
struct timespec contend_shim_seen_length(struct timespec real);
struct timespec contend_shim_real_length(struct timespec seen);
struct timeval contend_shim_seen_timeval(struct timeval real);
struct timeval contend_shim_real_timeval(struct timeval seen);
int contend_shim_real_milliseconds(int seen); /* negative: for ever */
double contend_shim_seen_seconds(double real);

#pragma GCC visibility pop
#endif
