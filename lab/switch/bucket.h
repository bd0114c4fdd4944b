/* The token bucket at an interface: its root queue of the kind tbf, told by netlink. */
#ifndef CONTEND_BUCKET_H
#define CONTEND_BUCKET_H

#include <linux/pkt_sched.h>
#include <stdbool.h>
#include <stdint.h>

struct contend_bucket {
    int netlink;                /* set: a socket in the network of the interface */
    int interface;              /* set: its index there */
    struct tc_tbf_qopt options; /* computed: as they were found */
};

/* Whether there is one; then its options are found. */
bool contend_find_bucket(struct contend_bucket *bucket);

/* Another rate in bytes/s, and bytes that pass at once; zeros: as they were found. A bucket that
 * has changed is full, and frames that wait for it wait until the moment that they had. */
void contend_change_bucket(const struct contend_bucket *bucket, uint32_t rate, uint32_t burst);

#endif
