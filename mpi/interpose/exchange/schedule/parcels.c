/* The messages of an itinerary, leg by leg and chunk by chunk. */
#include "parcels.h"

#include <string.h>

#include "../transport/call.h"
#include "../transport/requests.h"

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

/* Pieces of blocks between the user's buffers and the messages of a chunk.
 *
 * Blocks that are not cut are packed by MPI straight into messages. MPI packs no part of a block,
 * so those that are cut go whole through memory behind the messages, unless they are plain bytes in
 * the user's buffer. */
static char *whole_sent(const struct contend_task *task, int other)
{
    return task->scratch + task->itinerary->bytes + task->itinerary->sent[other];
}

static char *whole_arrived(const struct contend_task *task, int other)
{
    const struct contend_itinerary *way = task->itinerary;
    return task->scratch + way->bytes + way->sent[way->processes] + way->arrived[other];
}

static bool is_sent_whole(const struct contend_task *task)
{
    return task->itinerary->chunks > 1 && (task->call->is_in_place || !task->call->sent.is_plain);
}

static bool is_arriving_whole(const struct contend_task *task)
{
    return task->itinerary->chunks > 1 && !task->call->received.is_plain;
}

int contend_begin_pieces(struct contend_task *task)
{
    int code = MPI_SUCCESS;
    for (int other = 0; is_sent_whole(task) && other < task->processes; other++)
        if (other != task->rank && code == MPI_SUCCESS)
            code = contend_pack(&task->call->sent, other, whole_sent(task, other), task->comm);
    return code;
}

int contend_take_piece(struct contend_task *task, const struct contend_leg *leg, size_t index)
{
    const struct contend_itinerary *way = task->itinerary;
    const int dst = leg->block[index].dst;
    char *place = task->scratch + leg->block[index].at;
    if (way->chunks == 1)
        return contend_pack(&task->call->sent, dst, place, task->comm);
    const int64_t bytes = contend_piece(way, leg->bytes[index], leg->chunk);
    const char *block =
        is_sent_whole(task) ? whole_sent(task, dst) : contend_block(&task->call->sent, dst);
    if (bytes > 0)
        memcpy(place, block + leg->chunk * way->segment, (size_t)bytes);
    return MPI_SUCCESS;
}

int contend_put_piece(struct contend_task *task, const struct contend_leg *leg, size_t index)
{
    const struct contend_itinerary *way = task->itinerary;
    const int src = leg->block[index].src;
    const char *place = task->scratch + leg->block[index].at;
    if (way->chunks == 1)
        return contend_unpack(&task->call->received, src, place, task->comm);
    const int64_t bytes = contend_piece(way, leg->bytes[index], leg->chunk);
    char *block = is_arriving_whole(task) ? whole_arrived(task, src)
                                          : contend_block(&task->call->received, src);
    if (bytes > 0)
        memcpy(block + leg->chunk * way->segment, place, (size_t)bytes);
    return MPI_SUCCESS;
}

int contend_end_pieces(struct contend_task *task)
{
    int code = MPI_SUCCESS;
    for (int other = 0; is_arriving_whole(task) && other < task->processes; other++)
        if (other != task->rank && code == MPI_SUCCESS)
            code = contend_unpack(&task->call->received, other, whole_arrived(task, other),
                                  task->comm);
    return code;
}

/* Where the messages of an itinerary lie in scratch, for the sizes of a call.
 *
 * The legs lie one after the other, in each the parcels, in a parcel its chunks: so a message is a
 * piece of memory, and what is not cut takes as much as what is. */
static void place_leg(struct contend_leg *leg, int64_t *end)
{
    leg->chunk = -1;
    for (int i = 0; i < leg->parcels; i++) {
        leg->parcel[i].begin = *end;
        for (size_t k = leg->parcel[i].first; k < leg->parcel[i].end; k++)
            *end += leg->bytes[k];
    }
}

static void place_all(struct contend_itinerary *itinerary)
{
    int64_t longest = 0;
    itinerary->bytes = 0;
    for (int leg = 0; leg < CONTEND_LEGS; leg++) {
        place_leg(&itinerary->leg[leg], &itinerary->bytes);
        for (size_t i = 0; i < itinerary->leg[leg].blocks; i++)
            if (itinerary->leg[leg].bytes[i] > longest)
                longest = itinerary->leg[leg].bytes[i];
    }
    /* not (longest + segment - 1) / segment, which may overflow */
    itinerary->chunks = longest == 0 ? 1 : (longest - 1) / itinerary->segment + 1;
}

void contend_place_equal(struct contend_itinerary *itinerary, int64_t size)
{
    if (itinerary->size == size)
        return;
    for (int leg = 0; leg < CONTEND_LEGS; leg++)
        for (size_t i = 0; i < itinerary->leg[leg].blocks; i++)
            itinerary->leg[leg].bytes[i] = size;
    for (int other = 0; other <= itinerary->processes; other++)
        itinerary->sent[other] = itinerary->arrived[other] = size * other;
    place_all(itinerary);
    itinerary->size = size;
}

void contend_place_varying(struct contend_itinerary *itinerary, const struct contend_call *call)
{
    itinerary->sent[0] = itinerary->arrived[0] = 0;
    for (int other = 0; other < itinerary->processes; other++) {
        itinerary->sent[other + 1] =
            itinerary->sent[other] + contend_capped_bytes(&call->sent, other);
        itinerary->arrived[other + 1] =
            itinerary->arrived[other] + contend_capped_bytes(&call->received, other);
    }
    place_all(itinerary);
    itinerary->size = -1;
}

/* Bytes of the first chunks of the blocks of a parcel. */
static int64_t bytes_before(const struct contend_itinerary *itinerary,
                            const struct contend_leg *leg, const struct contend_parcel *parcel,
                            int64_t chunk)
{
    int64_t before = 0;
    for (size_t i = parcel->first; chunk > 0 && i < parcel->end; i++) {
        const int64_t most = chunk * itinerary->segment;
        before += leg->bytes[i] < most ? leg->bytes[i] : most;
    }
    return before;
}

void contend_place_chunk(const struct contend_itinerary *itinerary, struct contend_leg *leg,
                         int64_t chunk)
{
    if (leg->chunk == chunk)
        return;
    for (int i = 0; i < leg->parcels; i++) {
        struct contend_parcel *parcel = &leg->parcel[i];
        parcel->at = parcel->begin + bytes_before(itinerary, leg, parcel, chunk);
        int64_t end = parcel->at;
        for (size_t k = parcel->first; k < parcel->end; k++) {
            leg->block[k].at = end;
            end += contend_piece(itinerary, leg->bytes[k], chunk);
        }
        parcel->bytes = end - parcel->at;
    }
    leg->chunk = chunk;
}
