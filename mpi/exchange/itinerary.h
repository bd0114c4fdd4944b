/* Which blocks a rank sends, receives and passes on, where blocks for other groups go through a
 * carrier: a rank of the source's group that takes them to their destination.
 *
 * Local phase: a rank sends each rank of its group one message with the block for that rank and all
 * blocks that it carries, in order of destination. Far phase: a carrier sends a destination one
 * message with the blocks of all whom it carries for, in order of source. */
#ifndef CONTEND_ITINERARY_H
#define CONTEND_ITINERARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "groups.h"

/* Who carries the block from one rank to another of another group: a rank of the source's group. */
typedef int contend_carrier(const struct contend_partition *groups, int src, int dst);

/* Consecutive blocks of a leg that are one message. */
struct contend_parcel {
    int peer;
    size_t first, end; /* into the leg's blocks */
};

/* All messages of a phase in one direction. */
struct contend_leg {
    int parcels;
    struct contend_parcel *parcel;
    size_t blocks;
    int *other;  /* of each block: local legs its destination, the far leg in its source */
    int64_t *at; /* [blocks + 1], computed per call: where each block begins, in bytes */
};

struct contend_itinerary {
    struct contend_leg local_out, local_in, far_out, far_in;
    size_t *passed;      /* of each block of far_out: its index in local_in */
    int64_t size;        /* of all blocks, where they are equal and `at` is of them; else -1 */
    int64_t bytes;       /* of scratch for `size`, or for the counts told */
    int64_t most_blocks; /* set: of scratch, of the rank that needs most */
};

/* NULL without memory. */
struct contend_itinerary *contend_plan_itinerary(const struct contend_partition *groups,
                                                 contend_carrier *carrier, int rank);

/* Places of all blocks of the same size; no work where they were of that size before. */
void contend_place_equal(struct contend_itinerary *itinerary, int64_t size);

/* Places from the sizes that stand in at[0..blocks) of each leg. */
void contend_place_varying(struct contend_itinerary *itinerary);

void contend_free_itinerary(struct contend_itinerary *itinerary);

#endif
