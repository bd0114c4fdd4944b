/* Counters in a file that anyone may map while the switch runs.
 *
 * Their layout is in mpi/common/counters_file.h, since programs under MPI read them. The switch
 * alone writes; readers may increment the epoch, on which the entries named peak:* start again.
 */
#ifndef CONTEND_COUNTERS_H
#define CONTEND_COUNTERS_H

#include <stdint.h>

#include "configuration.h"

enum contend_total {
    CONTEND_FRAMES,          /* delivered to hosts */
    CONTEND_BYTES,           /* of those, without framing */
    CONTEND_DROPS,           /* at a full buffer of any link */
    CONTEND_RETRANSMISSIONS, /* TCP segments that begin below what their flow has sent */
    CONTEND_TIMEOUTS,        /* of those, a minimum time-out or more after the last one */
    CONTEND_UNREAD,          /* lost by the kernel before the switch could read them */
    CONTEND_UNDELIVERED,     /* refused by the kernel when the switch handed them over */
    CONTEND_HOLDS,           /* times that a host was told to send no more for now */
    CONTEND_OVERSIZED,       /* longer than a frame of Ethernet: a host does not segment */
    CONTEND_LATE_NS,         /* sum of the lateness of all frames delivered */
    CONTEND_N_TOTALS
};

enum contend_per_link {
    CONTEND_LINK_FRAMES,
    CONTEND_LINK_DATA, /* of those frames, TCP segments with data, sent again or not */
    CONTEND_LINK_BYTES,
    CONTEND_LINK_DROPS,
    CONTEND_LINK_PAUSED, /* ns for which it stood still, as there was no room behind it */
    CONTEND_LINK_QUEUE,  /* bytes in the buffer now: before the link, with flow control behind it */
    CONTEND_LINK_PEAK,   /* largest queue of this epoch */
    CONTEND_N_PER_LINK
};

struct contend_counters {
    struct contend_counters_file *file;
    uint32_t n_links;
    uint32_t epoch; /* followed last */
};

struct contend_counters contend_create_counters(const char *path,
                                                const struct contend_configuration *configuration);
void contend_close_counters(struct contend_counters *counters);

void contend_count(struct contend_counters *counters, enum contend_total which, uint64_t more);
void contend_count_link(struct contend_counters *counters, uint32_t link,
                        enum contend_per_link which, uint64_t more);

/* The queue of a link; raises its peak. */
void contend_show_queue(struct contend_counters *counters, uint32_t link, uint64_t bytes);

/* A frame delivered so many ns after its due moment. */
void contend_count_lateness(struct contend_counters *counters, int64_t lateness);

/* Starts the peaks again when a reader has asked for it. */
void contend_follow_epoch(struct contend_counters *counters);

#endif
