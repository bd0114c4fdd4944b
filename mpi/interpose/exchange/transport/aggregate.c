/* Total exchange by way of others: blocks for other groups are packed, each crosses the slow link
 * once.
 *
 * Chunk by chunk (one, where messages are not cut): what is local of chunk c is sent before what
 * crosses of chunk c - 1, and that before what is handed out of chunk c - 2. A rank posts its
 * receives of a chunk before it waits for anything of the one before, so none waits in a circle. */
#include "aggregate.h"

#include "../schedule/parcels.h"
#include "direct.h"
#include "requests.h"

/* All messages of a leg inside the group. */
static int send_leg(struct contend_task *task, int which, const struct contend_leg *in,
                    int64_t chunk, int tag)
{
    const struct contend_leg *leg = contend_leg_at(task, which, chunk);
    MPI_Request *requests = contend_leg_requests(task, which, chunk);
    int code = MPI_SUCCESS;
    for (int i = 0; i < leg->parcels; i++) {
        requests[i] = MPI_REQUEST_NULL;
        if (code == MPI_SUCCESS)
            code = contend_pack_parcel(task, leg, in, &leg->parcel[i]);
        if (code == MPI_SUCCESS)
            code = contend_send_parcel(task, &leg->parcel[i], tag, false, &requests[i]);
    }
    return code;
}

/* The last of a chunk; then its requests serve another. */
static int end_chunk(struct contend_task *task, int64_t chunk)
{
    int code = contend_wait_leg(task, CONTEND_HAND_IN, chunk);
    if (code == MPI_SUCCESS)
        code = contend_put_leg(task, contend_leg_at(task, CONTEND_HAND_IN, chunk));
    if (code == MPI_SUCCESS)
        code = contend_wait_leg(task, CONTEND_COLLECT_OUT, chunk);
    return code == MPI_SUCCESS ? contend_wait_leg(task, CONTEND_HAND_OUT, chunk) : code;
}

static int collect(struct contend_task *task, int64_t chunk)
{
    int code = MPI_SUCCESS;
    if (chunk >= CONTEND_CHUNKS_UNDER_WAY)
        code = end_chunk(task, chunk - CONTEND_CHUNKS_UNDER_WAY);
    if (code == MPI_SUCCESS)
        code = contend_receive_leg(task, CONTEND_CROSS_IN, chunk, CONTEND_CROSS);
    if (code == MPI_SUCCESS)
        code = contend_receive_leg(task, CONTEND_COLLECT_IN, chunk, CONTEND_COLLECT);
    if (code == MPI_SUCCESS)
        code = contend_receive_leg(task, CONTEND_HAND_IN, chunk, CONTEND_HAND);
    return code == MPI_SUCCESS ? send_leg(task, CONTEND_COLLECT_OUT, NULL, chunk, CONTEND_COLLECT)
                               : code;
}

/* In place, nothing is put before all own blocks are packed. */
static int cross(struct contend_task *task, struct contend_pacer *pacer, int64_t chunk)
{
    const struct contend_leg *in = contend_leg_at(task, CONTEND_COLLECT_IN, chunk);
    const struct contend_leg *out = contend_leg_at(task, CONTEND_CROSS_OUT, chunk);
    int code = contend_wait_leg(task, CONTEND_COLLECT_IN, chunk);
    for (int i = 0; i < out->parcels && code == MPI_SUCCESS; i++)
        code = contend_pack_parcel(task, out, in, &out->parcel[i]);
    for (int i = 0; i < out->parcels && code == MPI_SUCCESS; i++) {
        MPI_Request *request = NULL;
        code = contend_find_place(pacer, &request);
        if (code == MPI_SUCCESS)
            code = contend_send_parcel(task, &out->parcel[i], CONTEND_CROSS, pacer->is_synchronous,
                                       request);
    }
    return code == MPI_SUCCESS ? contend_put_leg(task, in) : code;
}

static int hand_out(struct contend_task *task, int64_t chunk)
{
    int code = contend_wait_leg(task, CONTEND_CROSS_IN, chunk);
    const struct contend_leg *in = contend_leg_at(task, CONTEND_CROSS_IN, chunk);
    if (code == MPI_SUCCESS)
        code = send_leg(task, CONTEND_HAND_OUT, in, chunk, CONTEND_HAND);
    return code == MPI_SUCCESS ? contend_put_leg(task, in) : code;
}

/* The window of the largest message of a chunk. */
static struct contend_pacer make_pacer(const struct contend_task *task)
{
    const struct contend_leg *leg = contend_leg_at(task, CONTEND_CROSS_OUT, 0);
    int64_t most = 0;
    for (int i = 0; i < leg->parcels; i++)
        most = leg->parcel[i].bytes > most ? leg->parcel[i].bytes : most;
    const int window = contend_window(task, most, task->itinerary->senders, 0);
    return contend_make_pacer(contend_leg_requests(task, CONTEND_CROSS_OUT, 0), leg->parcels,
                              leg->parcels * task->itinerary->chunks, window);
}

static int run_chunks(struct contend_task *task, struct contend_pacer *pacer)
{
    const int64_t chunks = task->itinerary->chunks;
    int code = MPI_SUCCESS;
    for (int64_t step = 0; step < chunks + 2 && code == MPI_SUCCESS; step++) {
        if (step < chunks)
            code = collect(task, step);
        if (step >= 1 && step <= chunks && code == MPI_SUCCESS)
            code = cross(task, pacer, step - 1);
        if (step >= 2 && code == MPI_SUCCESS)
            code = hand_out(task, step - 2);
    }
    return code;
}

int contend_aggregate(struct contend_task *task)
{
    const int64_t chunks = task->itinerary->chunks;
    struct contend_pacer pacer = make_pacer(task);
    int code = contend_begin_pieces(task);
    if (code == MPI_SUCCESS)
        code = contend_copy_own(task);
    if (code == MPI_SUCCESS)
        code = run_chunks(task, &pacer);
    const int64_t ended = chunks < CONTEND_CHUNKS_UNDER_WAY ? 0 : chunks - CONTEND_CHUNKS_UNDER_WAY;
    for (int64_t chunk = ended; chunk < chunks && code == MPI_SUCCESS; chunk++)
        code = end_chunk(task, chunk);
    if (code == MPI_SUCCESS)
        code = contend_wait_all(pacer.used, pacer.requests);
    return code == MPI_SUCCESS ? contend_end_pieces(task) : code;
}
