/* One directed link: serialisation at a rate behind a drop-tail buffer, then a delay.
 *
 * A frame of L bytes that comes at moment t starts at max(t, end of the frame before it), takes
 * (L + 24) * 8 / rate and comes to the next link `delay` after its last bit. It is dropped when L
 * and the frames whose last bit has not left at t exceed the buffer. The 24 bytes are the framing
 * of Ethernet: check sequence 4, preamble 8, gap 12.
 */
#ifndef CONTEND_LINKS_H
#define CONTEND_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "configuration.h"

struct contend_link {
    const struct contend_link_statement *statement; /* set */
    int64_t free_at;                                /* computed: its last bit so far leaves */
    uint64_t queue;                                 /* computed: bytes in the buffer */
    struct departure *departures; /* (capacity,) of the frames in the buffer, a ring */
    size_t first, count, capacity;
};

/* How long a frame occupies a link of so many bits/s, ns; 0 for an unlimited one. */
int64_t contend_serialisation(uint64_t rate, uint32_t bytes);

/* Whether the link takes the frame; then *arrival is its moment at the next link. */
bool contend_enter_link(struct contend_link *link, int64_t moment, uint32_t bytes,
                        int64_t *arrival);

/* Takes from the buffer what has left by that moment. */
void contend_drain_link(struct contend_link *link, int64_t moment);
void contend_free_link(struct contend_link *link);

#endif
