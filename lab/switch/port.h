/* One port of the switch: an AF_PACKET socket on the fabric's end of a host's cable. */
#ifndef CONTEND_PORT_H
#define CONTEND_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame.h"

struct contend_port {
    int socket;
    unsigned char *ring; /* frames that the kernel has received */
    uint32_t slot;       /* the next one to read */
};

struct contend_arrival {
    int64_t real;                /* when the kernel received the frame, ns of CLOCK_REALTIME */
    const unsigned char *packet; /* virtio header and frame */
    uint32_t length;             /* of packet */
    bool is_oversized;           /* cut, or left for a network card to segment */
};

struct contend_port contend_open_port(const char *interface);
void contend_close_port(struct contend_port *port);

/* Whether a frame is waiting; it stays valid until contend_free_slot. */
bool contend_peek_port(const struct contend_port *port, struct contend_arrival *arrival);
void contend_free_slot(struct contend_port *port);

/* Whether the kernel takes the frame. */
bool contend_send(const struct contend_port *port, const struct contend_frame *frame);

/* Frames that the kernel has lost for want of a free slot since the last call. */
uint32_t contend_lost_frames(const struct contend_port *port);

#endif
