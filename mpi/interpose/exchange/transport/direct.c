/* What algorithms without routes share: each block goes from and to the user's buffers. */
#include "direct.h"

#include "call.h"
#include "requests.h"

/* Where the packed block for another rank begins in the scratch. */
static int64_t place(const struct contend_call *call, int other)
{
    if (!call->is_varying)
        return contend_side_bytes(&call->sent, 0) * other;
    int64_t before = 0;
    for (int i = 0; i < other; i++)
        before += contend_capped_bytes(&call->sent, i);
    return before;
}

int64_t contend_in_place_bytes(const struct contend_call *call)
{
    return call->is_in_place ? place(call, call->processes) : 0;
}

int contend_save_in_place(struct contend_task *task)
{
    if (!task->call->is_in_place)
        return MPI_SUCCESS;
    int64_t at = 0;
    int code = MPI_SUCCESS;
    for (int other = 0; other < task->processes && code == MPI_SUCCESS; other++) {
        code = contend_pack(&task->call->sent, other, task->scratch + at, task->comm);
        at += contend_side_bytes(&task->call->sent, other);
    }
    return code;
}

int contend_receive_block(struct contend_task *task, int peer, MPI_Request *request)
{
    const struct contend_side *side = &task->call->received;
    *request = MPI_REQUEST_NULL;
    if (contend_side_bytes(side, peer) == 0)
        return MPI_SUCCESS;
    return contend_begin_receive(contend_block(side, peer), contend_elements(side, peer),
                                 contend_type(side, peer), peer, CONTEND_DIRECT, task->comm,
                                 request);
}

int contend_send_block(struct contend_task *task, int peer, bool is_synchronous,
                       MPI_Request *request)
{
    const struct contend_side *side = &task->call->sent;
    const int64_t bytes = contend_side_bytes(side, peer);
    *request = MPI_REQUEST_NULL;
    if (bytes == 0)
        return MPI_SUCCESS;
    if (task->call->is_in_place)
        return contend_begin_send(task->scratch + place(task->call, peer), (int)bytes, MPI_PACKED,
                                  peer, CONTEND_DIRECT, is_synchronous, task->comm, request);
    return contend_begin_send(contend_block(side, peer), contend_elements(side, peer),
                              contend_type(side, peer), peer, CONTEND_DIRECT, is_synchronous,
                              task->comm, request);
}

int contend_copy_own(struct contend_task *task)
{
    const struct contend_side *sent = &task->call->sent, *received = &task->call->received;
    const int rank = task->rank;
    if (task->call->is_in_place || contend_side_bytes(sent, rank) == 0)
        return MPI_SUCCESS;
    return contend_send_to_self(contend_block(sent, rank), contend_elements(sent, rank),
                                contend_type(sent, rank), contend_block(received, rank),
                                contend_elements(received, rank), contend_type(received, rank),
                                rank, CONTEND_DIRECT, task->comm);
}

int64_t contend_largest_block(const struct contend_task *task)
{
    int64_t most = 0;
    for (int peer = 0; peer < task->processes; peer++) {
        const int64_t bytes = contend_side_bytes(&task->call->sent, peer);
        most = bytes > most ? bytes : most;
    }
    return most;
}
