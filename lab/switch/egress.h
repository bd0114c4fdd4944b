/* The queue at a host, which stops while the network has no room for more of its frames.
 *
 * What the switch has read counts as sent, so a host whose link stands still has to be told. Its
 * queue is a token bucket (src/contend/lab/inside.py) at the link's rate; to stop, it is given
 * almost no rate. As on a network card that is told to pause, a few frames that are under way come
 * afterwards; LEAST_BYTES left when it goes on keep the link busy although the switch is late.
 */
#ifndef CONTEND_EGRESS_H
#define CONTEND_EGRESS_H

#include <linux/pkt_sched.h>
#include <net/ethernet.h>
#include <stdbool.h>
#include <stdint.h>

#include "configuration.h"

/* Of a host's frames in the switch before their first link: stop from, go on at. 16 full frames
 * and 8, as few as a network card keeps: the last is 5 ms of a link of 20 Mbit/s. */
#define CONTEND_MOST_BYTES UINT64_C(24224)
#define CONTEND_LEAST_BYTES UINT64_C(12112)

struct contend_egress {
    int netlink, packets;          /* in the host's namespace; -1: the host cannot be stopped */
    int interface;                 /* index of eth0 there */
    struct tc_tbf_qopt options;    /* of its queue */
    unsigned char frame[ETH_ZLEN]; /* to nobody, see contend_let_go */
    bool is_held;
};

/* The queue of the host's eth0; one without a token bucket is never stopped. */
struct contend_egress contend_open_egress(const struct contend_host_statement *host);
void contend_close_egress(struct contend_egress *egress);

/* Stops the queue or lets it go on, by the bytes that wait; whether it has just been stopped. */
bool contend_control_egress(struct contend_egress *egress, uint64_t waiting);

#endif
