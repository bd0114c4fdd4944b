/* The messages of an itinerary, leg by leg and chunk by chunk. */
#ifndef CONTEND_PARCELS_H
#define CONTEND_PARCELS_H

#include "algorithm.h"

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

#endif
