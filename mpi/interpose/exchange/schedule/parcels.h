/* The messages of an itinerary, leg by leg and chunk by chunk. */
#ifndef CONTEND_PARCELS_H
#define CONTEND_PARCELS_H

#include "../algorithm.h"
#include "../transport/call.h"
#include "itinerary.h"

/* A leg with the places of a chunk. */
struct contend_leg *contend_leg_at(const struct contend_task *task, int leg, int64_t chunk);

/* Requests of a leg for a chunk. Those of CROSS_OUT are the same for all chunks. */
MPI_Request *contend_leg_requests(const struct contend_task *task, int leg, int64_t chunk);

int contend_wait_leg(const struct contend_task *task, int leg, int64_t chunk);

/* Begins to receive all messages of a chunk. An empty parcel is no message, at both ends. */
int contend_receive_leg(struct contend_task *task, int leg, int64_t chunk, int tag);

int contend_send_parcel(struct contend_task *task, const struct contend_parcel *parcel, int tag,
                        bool is_synchronous, MPI_Request *request);

/* Own blocks from the user's buffer, the others from the leg that they came in by. */
int contend_pack_parcel(struct contend_task *task, const struct contend_leg *out,
                        const struct contend_leg *in, const struct contend_parcel *parcel);

/* The blocks of a leg that end here go to the user's buffer. */
int contend_put_leg(struct contend_task *task, const struct contend_leg *leg);

/* Before any piece: packs whole blocks where pieces cannot be taken from the user's buffer, be it
 * that data there are not plain bytes or that the call is in place. */
int contend_begin_pieces(struct contend_task *task);

/* The piece of a block that this rank sends, into its place in scratch. */
int contend_take_piece(struct contend_task *task, const struct contend_leg *leg, size_t index);

/* The piece of a block for this rank, out of its place in scratch. */
int contend_put_piece(struct contend_task *task, const struct contend_leg *leg, size_t index);

/* After all pieces: unpacks whole blocks where pieces could not be put. */
int contend_end_pieces(struct contend_task *task);

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
