/* Data of TCP, and those sent again, as the frames show them, without asking any host.
 *
 * Of each flow (addresses and ports) the end of what it has sent is kept; a segment with data that
 * begins below it was sent before. A time-out is one that comes after a silence of the flow of at
 * least half the minimum time-out: half, because the clock runs from the lost segment, and others
 * (the rest of the window, a tail loss probe) follow that one. Restrictions: IPv4, no VLAN tag, no
 * fragments; a probe counts as a time-out where round trips take a quarter of the time-out.
 */
#ifndef CONTEND_FLOWS_H
#define CONTEND_FLOWS_H

#include <stddef.h>
#include <stdint.h>

struct contend_flows {
    int64_t rto;        /* set: minimum time-out, ns */
    struct flow *table; /* (capacity,) open addressing */
    size_t count, capacity;
};

enum contend_segment {
    CONTEND_SEGMENT_OTHER, /* no data */
    CONTEND_SEGMENT_FRESH,
    CONTEND_SEGMENT_RETRANSMITTED,
    CONTEND_SEGMENT_TIMED_OUT
};

/* What the frame, from its Ethernet header, is to its flow. */
enum contend_segment contend_follow_flow(struct contend_flows *flows, int64_t moment,
                                         const unsigned char *frame, size_t length);
void contend_free_flows(struct contend_flows *flows);

#endif
