/* Total exchange by way of others: blocks for other groups are packed, each crosses the slow link
 * once.
 *
 * Chunk by chunk (one, where messages are not cut): what is local of chunk c is sent before what
 * crosses of chunk c - 1, and that before what is handed out of chunk c - 2. A rank posts its
 * receives of a chunk before it waits for anything of the one before, so none waits in a circle. */
#include "aggregate.h"

#include <string.h>

#include "direct.h"
#include "pieces.h"
#include "places.h"
#include "spacing.h"
#include "wait.h"
#include "window.h"

static struct contend_leg *leg_at(const struct contend_task *task, int leg, int64_t chunk)
{
    contend_place_chunk(task->itinerary, &task->itinerary->leg[leg], chunk);
    return &task->itinerary->leg[leg];
}

/* Requests of a leg for a chunk. Those of CROSS_OUT, of all chunks, come last. */
static MPI_Request *requests_of(const struct contend_task *task, int wanted, int64_t chunk)
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

static int wait_for(const struct contend_task *task, int leg, int64_t chunk)
{
    return contend_wait_all(task->itinerary->leg[leg].parcels, requests_of(task, leg, chunk));
}

/* An empty parcel is no message, at both ends. */
static int receive_leg(struct contend_task *task, int which, int64_t chunk, int tag)
{
    const struct contend_leg *leg = leg_at(task, which, chunk);
    MPI_Request *requests = requests_of(task, which, chunk);
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

static int send_parcel(struct contend_task *task, const struct contend_parcel *parcel, int tag,
                       bool is_synchronous, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (parcel->bytes == 0)
        return MPI_SUCCESS;
    return contend_begin_send(task->scratch + parcel->at, (int)parcel->bytes, MPI_PACKED,
                              parcel->peer, tag, is_synchronous, task->comm, request);
}

/* Own blocks from the user's buffer, the others from the leg that they came in by. */
static int pack_parcel(struct contend_task *task, const struct contend_leg *out,
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

/* All messages of a leg inside the group. */
static int send_leg(struct contend_task *task, int which, const struct contend_leg *in,
                    int64_t chunk, int tag)
{
    const struct contend_leg *leg = leg_at(task, which, chunk);
    MPI_Request *requests = requests_of(task, which, chunk);
    int code = MPI_SUCCESS;
    for (int i = 0; i < leg->parcels; i++) {
        requests[i] = MPI_REQUEST_NULL;
        if (code == MPI_SUCCESS)
            code = pack_parcel(task, leg, in, &leg->parcel[i]);
        if (code == MPI_SUCCESS)
            code = send_parcel(task, &leg->parcel[i], tag, false, &requests[i]);
    }
    return code;
}

/* The blocks that end here. */
static int put_leg(struct contend_task *task, const struct contend_leg *leg)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < leg->blocks && code == MPI_SUCCESS; i++)
        if (leg->block[i].dst == task->rank)
            code = contend_put_piece(task, leg, i);
    return code;
}

/* The last of a chunk; then its requests serve another. */
static int end_chunk(struct contend_task *task, int64_t chunk)
{
    int code = wait_for(task, CONTEND_HAND_IN, chunk);
    if (code == MPI_SUCCESS)
        code = put_leg(task, leg_at(task, CONTEND_HAND_IN, chunk));
    if (code == MPI_SUCCESS)
        code = wait_for(task, CONTEND_COLLECT_OUT, chunk);
    return code == MPI_SUCCESS ? wait_for(task, CONTEND_HAND_OUT, chunk) : code;
}

static int collect(struct contend_task *task, int64_t chunk)
{
    int code = MPI_SUCCESS;
    if (chunk >= CONTEND_CHUNKS_UNDER_WAY)
        code = end_chunk(task, chunk - CONTEND_CHUNKS_UNDER_WAY);
    if (code == MPI_SUCCESS)
        code = receive_leg(task, CONTEND_CROSS_IN, chunk, CONTEND_CROSS);
    if (code == MPI_SUCCESS)
        code = receive_leg(task, CONTEND_COLLECT_IN, chunk, CONTEND_COLLECT);
    if (code == MPI_SUCCESS)
        code = receive_leg(task, CONTEND_HAND_IN, chunk, CONTEND_HAND);
    return code == MPI_SUCCESS ? send_leg(task, CONTEND_COLLECT_OUT, NULL, chunk, CONTEND_COLLECT)
                               : code;
}

/* Whether what crosses need not wait for what is local: nobody else's blocks are in it, and all of
 * it may leave at once. What is spaced would else queue behind the local messages, and then come to
 * the link all together. */
static bool crosses_first(const struct contend_task *task, const struct contend_spacing *spacing,
                          const struct contend_leg *out)
{
    int64_t bytes = 0;
    for (int i = 0; i < out->parcels; i++)
        bytes += out->parcel[i].bytes;
    return !task->itinerary->is_carrier && task->itinerary->chunks == 1 &&
           contend_fits_ahead(spacing, out->parcels, bytes);
}

/* In place, nothing is put before all own blocks are packed. */
static int cross(struct contend_task *task, struct contend_pacer *pacer,
                 const struct contend_spacing *spacing, int64_t chunk)
{
    const struct contend_leg *in = leg_at(task, CONTEND_COLLECT_IN, chunk);
    const struct contend_leg *out = leg_at(task, CONTEND_CROSS_OUT, chunk);
    const bool is_first = crosses_first(task, spacing, out);
    int code = is_first ? MPI_SUCCESS : wait_for(task, CONTEND_COLLECT_IN, chunk);
    for (int i = 0; i < out->parcels && code == MPI_SUCCESS; i++)
        code = pack_parcel(task, out, in, &out->parcel[i]);
    for (int i = 0; i < out->parcels && code == MPI_SUCCESS; i++) {
        MPI_Request *request = NULL;
        const int group = task->groups->group_of[out->parcel[i].peer];
        code = contend_await_turn(spacing, group, out->parcel[i].bytes, task->comm);
        if (code == MPI_SUCCESS)
            code = contend_find_place(pacer, &request);
        if (code == MPI_SUCCESS)
            code =
                send_parcel(task, &out->parcel[i], CONTEND_CROSS, pacer->is_synchronous, request);
    }
    if (is_first && code == MPI_SUCCESS)
        code = wait_for(task, CONTEND_COLLECT_IN, chunk);
    return code == MPI_SUCCESS ? put_leg(task, in) : code;
}

static int hand_out(struct contend_task *task, int64_t chunk)
{
    int code = wait_for(task, CONTEND_CROSS_IN, chunk);
    const struct contend_leg *in = leg_at(task, CONTEND_CROSS_IN, chunk);
    if (code == MPI_SUCCESS)
        code = send_leg(task, CONTEND_HAND_OUT, in, chunk, CONTEND_HAND);
    return code == MPI_SUCCESS ? put_leg(task, in) : code;
}

/* The largest message of a chunk that crosses. */
static int64_t largest(const struct contend_task *task)
{
    const struct contend_leg *leg = leg_at(task, CONTEND_CROSS_OUT, 0);
    int64_t most = 0;
    for (int i = 0; i < leg->parcels; i++)
        most = leg->parcel[i].bytes > most ? leg->parcel[i].bytes : most;
    return most;
}

/* Where messages are spaced, no window holds them back as well, but for one that is asked for. */
static struct contend_pacer make_pacer(const struct contend_task *task)
{
    const struct contend_itinerary *way = task->itinerary;
    const bool is_spaced = task->spaced_by != NULL && task->settings.window == 0;
    const int window = is_spaced ? 0 : contend_window(task, largest(task), way->senders, 0);
    return contend_make_pacer(requests_of(task, CONTEND_CROSS_OUT, 0),
                              way->leg[CONTEND_CROSS_OUT].parcels, window);
}

static int run_chunks(struct contend_task *task)
{
    const int64_t chunks = task->itinerary->chunks;
    struct contend_pacer pacer = make_pacer(task);
    const struct contend_spacing spacing = contend_begin_spacing(task);
    int code = MPI_SUCCESS;
    for (int64_t step = 0; step < chunks + 2 && code == MPI_SUCCESS; step++) {
        if (step < chunks)
            code = collect(task, step);
        if (step >= 1 && step <= chunks && code == MPI_SUCCESS)
            code = cross(task, &pacer, &spacing, step - 1);
        if (step >= 2 && code == MPI_SUCCESS)
            code = hand_out(task, step - 2);
    }
    const int64_t ended = chunks < CONTEND_CHUNKS_UNDER_WAY ? 0 : chunks - CONTEND_CHUNKS_UNDER_WAY;
    for (int64_t chunk = ended; chunk < chunks && code == MPI_SUCCESS; chunk++)
        code = end_chunk(task, chunk);
    return code == MPI_SUCCESS ? contend_wait_all(pacer.used, pacer.requests) : code;
}

int contend_aggregate(struct contend_task *task)
{
    int code = contend_begin_pieces(task);
    if (code == MPI_SUCCESS)
        code = contend_copy_own(task);
    if (code == MPI_SUCCESS)
        code = run_chunks(task);
    return code == MPI_SUCCESS ? contend_end_pieces(task) : code;
}

bool contend_has_carriers(const struct contend_partition *groups)
{
    return groups->groups > 1 && groups->largest > 1;
}
