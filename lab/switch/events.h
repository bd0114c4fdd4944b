/* Events of the emulation in the order of their moments: a binary heap. */
#ifndef CONTEND_EVENTS_H
#define CONTEND_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "frame.h"

struct contend_event {
    int64_t moment;    /* at which the frame comes to the next link of its route */
    uint64_t sequence; /* equal moments keep the order in which they were added */
    struct contend_frame *frame;
};

struct contend_events {
    struct contend_event *heap; /* (count,) */
    size_t count, capacity;
    uint64_t n_added;
};

void contend_add_event(struct contend_events *events, int64_t moment, struct contend_frame *frame);

/* Moment of the earliest event; INT64_MAX when there is none. */
int64_t contend_next_moment(const struct contend_events *events);

/* Removes the earliest event; there must be one. */
struct contend_event contend_take_event(struct contend_events *events);
void contend_free_events(struct contend_events *events);

#endif
