/* The messages of an itinerary, leg by leg and chunk by chunk. */
#include "parcels.h"

#include <string.h>

#include "pieces.h"
#include "places.h"
#include "wait.h"

struct contend_leg *contend_leg_at(const struct contend_task *task, int leg, int64_t chunk)
{
    contend_place_chunk(task->itinerary, &task->itinerary->leg[leg], chunk);
    return &task->itinerary->leg[leg];
}

MPI_Request *contend_leg_requests(const struct contend_task *task, int wanted, int64_t chunk)
{
    const struct contend_itinerary *way = task->itinerary;
    const size_t slot = wanted == CONTEND_CROSS_OUT ? CONTEND_CHUNKS_UNDER_WAY
                                                    : (size_t)(chunk % CONTEND_CHUNKS_UNDER_WAY);
    size_t before = 0, all = 0;
    for (int leg = 0; leg < CONTEND_LEGS; leg++)
        if (leg != CONTEND_CROSS_OUT) {
            before += leg < wanted ? (size_t)way->leg[leg].parcels : 0;
            all += (size_t)way->leg[leg].parcels;
        }
    return way->requests + slot * all + (wanted == CONTEND_CROSS_OUT ? 0 : before);
}

int contend_wait_leg(const struct contend_task *task, int leg, int64_t chunk)
{
    return contend_wait_all(task->itinerary->leg[leg].parcels,
                            contend_leg_requests(task, leg, chunk));
}

int contend_receive_leg(struct contend_task *task, int which, int64_t chunk, int tag)
{
    const struct contend_leg *leg = contend_leg_at(task, which, chunk);
    MPI_Request *requests = contend_leg_requests(task, which, chunk);
    int code = MPI_SUCCESS;
    for (int i = 0; i < leg->parcels; i++) {
        const struct contend_parcel *parcel = &leg->parcel[i];
        requests[i] = MPI_REQUEST_NULL;
        if (parcel->bytes > 0 && code == MPI_SUCCESS)
            code = contend_begin_receive(task->scratch + parcel->at, (int)parcel->bytes, MPI_PACKED,
                                         parcel->peer, tag, task->comm, &requests[i]);
    }
    return code;
}

int contend_send_parcel(struct contend_task *task, const struct contend_parcel *parcel, int tag,
                        bool is_synchronous, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (parcel->bytes == 0)
        return MPI_SUCCESS;
    return contend_begin_send(task->scratch + parcel->at, (int)parcel->bytes, MPI_PACKED,
                              parcel->peer, tag, is_synchronous, task->comm, request);
}

int contend_pack_parcel(struct contend_task *task, const struct contend_leg *out,
                        const struct contend_leg *in, const struct contend_parcel *parcel)
{
    int code = MPI_SUCCESS;
    for (size_t i = parcel->first; i < parcel->end && code == MPI_SUCCESS; i++) {
        const struct contend_block *block = &out->block[i];
        const int64_t bytes = contend_piece(task->itinerary, out->bytes[i], out->chunk);
        if (block->from == CONTEND_OWN)
            code = contend_take_piece(task, out, i);
        else if (bytes > 0)
            memcpy(task->scratch + block->at, task->scratch + in->block[block->from].at,
                   (size_t)bytes);
    }
    return code;
}

int contend_put_leg(struct contend_task *task, const struct contend_leg *leg)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < leg->blocks && code == MPI_SUCCESS; i++)
        if (leg->block[i].dst == task->rank)
            code = contend_put_piece(task, leg, i);
    return code;
}
