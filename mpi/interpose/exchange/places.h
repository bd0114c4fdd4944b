/* Where the messages of an itinerary lie in scratch, for the sizes of a call. */
#ifndef CONTEND_PLACES_H
#define CONTEND_PLACES_H

#include "call.h"
#include "itinerary.h"

/* For blocks of the same size; no work where they were of that size before. */
void contend_place_equal(struct contend_itinerary *itinerary, int64_t size);

/* For the sizes of the blocks that stand in the legs. */
void contend_place_varying(struct contend_itinerary *itinerary, const struct contend_call *call);

/* Computes the places of a chunk of the leg, if they are not those that stand there. */
void contend_place_chunk(const struct contend_itinerary *itinerary, struct contend_leg *leg,
                         int64_t chunk);

/* Bytes of a chunk of a block; 0 for one beyond its end. */
static inline int64_t contend_piece(const struct contend_itinerary *itinerary, int64_t bytes,
                                    int64_t chunk)
{
    if (itinerary->chunks == 1)
        return bytes;
    const int64_t left = bytes - chunk * itinerary->segment;
    return left < 0 ? 0 : left < itinerary->segment ? left : itinerary->segment;
}

/* Bytes of scratch beside those of messages, for blocks that MPI must pack as a whole. */
static inline int64_t contend_whole_bytes(const struct contend_itinerary *itinerary)
{
    if (itinerary->chunks == 1)
        return 0;
    return itinerary->sent[itinerary->processes] + itinerary->arrived[itinerary->processes];
}

#endif
