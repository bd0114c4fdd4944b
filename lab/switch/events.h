/* Events of the emulation in the order of their moments: a binary heap. */
#ifndef CONTEND_EVENTS_H
#define CONTEND_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "frame.h"

enum contend_event_kind {
    CONTEND_COMES,  /* a frame comes to the next link of its route, or to its host */
    CONTEND_LEAVES, /* the last bit of a frame has left the link that it is on; see crossbar.h */
    CONTEND_CREDIT  /* room behind a link is known to be free; see crossbar.h */
};

struct contend_event {
    int64_t moment;
    uint64_t sequence; /* computed: equal moments keep the order in which they were added */
    enum contend_event_kind kind;
    uint32_t link, bytes;        /* of a credit */
    struct contend_frame *frame; /* of all others */
};

struct contend_events {
    struct contend_event *heap; /* (count,) */
    size_t count, capacity;
    uint64_t n_added;
};

void contend_add_event(struct contend_events *events, struct contend_event event);

/* Moment of the earliest event; INT64_MAX when there is none. */
int64_t contend_next_moment(const struct contend_events *events);

/* Removes the earliest event; there must be one. */
struct contend_event contend_take_event(struct contend_events *events);
void contend_free_events(struct contend_events *events);

#endif
