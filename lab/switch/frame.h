/* Frames on their way, from a pool that grows with the buffers of the network. */
#ifndef CONTEND_FRAME_H
#define CONTEND_FRAME_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stdint.h>

#include "configuration.h"

/* The kernel puts it before a frame and wants it back: it says which checksum is still to be
 * filled in, so that one that no host needs is never computed. */
#define CONTEND_VNET_SIZE sizeof(struct virtio_net_hdr)
#define CONTEND_PACKET_SIZE 2048

struct contend_frame {
    struct contend_frame *next; /* in the free list, or in a queue of crossbar.c */
    const struct contend_route *route;
    uint32_t hop;    /* the link of the route that it comes to next */
    uint32_t bytes;  /* without framing, at least CONTEND_BYTES_LEAST */
    uint32_t length; /* of packet, with the virtio header */
    bool has_data;   /* a TCP segment that is not empty */
    unsigned char packet[CONTEND_PACKET_SIZE];
};

#define CONTEND_BYTES_LEAST 60 /* Ethernet pads shorter frames; without the check sequence */

struct contend_pool {
    struct contend_frame *free;
    struct contend_frame **blocks; /* (n_blocks,) */
    size_t n_blocks;
};

/* Never NULL. */
struct contend_frame *contend_take_frame(struct contend_pool *pool);
void contend_release_frame(struct contend_pool *pool, struct contend_frame *frame);
void contend_free_pool(struct contend_pool *pool);

#endif
