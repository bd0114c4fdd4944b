/* Moments: nanoseconds of CLOCK_MONOTONIC, which every emulated host shares. */
#ifndef CONTEND_MOMENT_H
#define CONTEND_MOMENT_H

#include <stdint.h>

#define CONTEND_NS_PER_S INT64_C(1000000000)

int64_t contend_now(void);

/* CLOCK_REALTIME minus CLOCK_MONOTONIC. The kernel stamps frames in the first, which may be set at
 * any time; both are slewed alike. */
int64_t contend_real_offset(void);

#endif
