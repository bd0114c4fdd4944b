/* The queue at a host, which stops while the network has no room for more of its frames.
 *
 * What the switch has read counts as sent, so a host whose link stands still has to be told. Its
 * queue is a token bucket at the link's rate (src/contend/measure/lab/inside.py); to stop, it gets
 * almost none. As with a network card that is told to pause, a few frames come afterwards. What is
 * left when it goes on keeps the link busy although the switch is late.
 */
#ifndef CONTEND_EGRESS_H
#define CONTEND_EGRESS_H

#include <net/ethernet.h>
#include <stdbool.h>
#include <stdint.h>

#include "bucket.h"
#include "configuration.h"

/* Bytes of a host in the switch before its first link: stop from, and go on at. 16 full frames, as
 * few as a network card keeps, and 8: on a link of 20 Mbit/s the switch may be 5 ms late. */
#define CONTEND_MOST_BYTES UINT64_C(24224)
#define CONTEND_LEAST_BYTES UINT64_C(12112)

struct contend_egress {
    bool is_open;  /* it can be stopped */
    bool is_held;  /* it is */
    uint32_t link; /* the first one of the host's routes */
    int packets;   /* a socket at its interface */
    struct contend_bucket bucket;
    unsigned char frame[ETH_ZLEN]; /* to nobody: a queue that gets a frame looks at its bucket */
};

/* The queue of a host by its number; one that is not to be held, whose frames pass no link, or
 * that has no token bucket is not open. */
struct contend_egress contend_open_egress(const struct contend_configuration *configuration,
                                          uint32_t host);
void contend_close_egress(struct contend_egress *egress);

/* Stops an open one or lets it go on, by the bytes that wait; whether it has just been stopped. */
bool contend_control_egress(struct contend_egress *egress, uint64_t waiting);

#endif
