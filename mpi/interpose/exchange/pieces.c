/* Pieces of blocks between the user's buffers and the messages of a chunk.
 *
 * Blocks that are not cut are packed by MPI straight into messages. MPI packs no part of a block,
 * so those that are cut go whole through memory behind the messages, unless they are plain bytes in
 * the user's buffer. */
#include "pieces.h"

#include <string.h>

#include "packing.h"
#include "places.h"

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
