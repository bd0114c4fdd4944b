/* How the messages of a leg are made of single steps of blocks. */
#ifndef CONTEND_LEGS_H
#define CONTEND_LEGS_H

#include "itinerary.h"

/* A step of a block, from this rank to a peer or the other way. */
struct contend_hop {
    int peer;
    int64_t order; /* of the message to or from that peer; the same for all of its hops */
    struct contend_block block;
};

/* A list that grows. */
struct contend_hops {
    struct contend_hop *hop;
    size_t count, room;
};

/* False, and all as it was, without memory. */
bool contend_add_hop(struct contend_hops *hops, struct contend_hop hop);

/* Hops by peer, else in their order; each hop's `from` gives way to its index in the leg. False
 * without memory; contend_free_leg takes what there is. */
bool contend_make_leg(struct contend_leg *leg, struct contend_hops *hops, int processes);

void contend_free_leg(struct contend_leg *leg);

#endif
