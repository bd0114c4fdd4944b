/* How busy the cores of a machine were while a point was measured. For rank 0 alone. */
#ifndef CONTEND_BUSY_H
#define CONTEND_BUSY_H

#include <stdbool.h>

/* Sums over all cores since the machine was started. */
struct contend_cores {
    double seconds;                /* of the clock, when it was read */
    unsigned long long busy, idle; /* ticks of the kernel */
    bool is_known;
};

struct contend_cores contend_read_cores(void);

/* Share of the time between two readings that the cores were busy; NAN where it is not known. */
double contend_busy_share(const struct contend_cores *before, const struct contend_cores *after);

#endif
