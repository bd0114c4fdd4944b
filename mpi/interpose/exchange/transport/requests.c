/* Requests that are counted from their beginning to their end. */
#include "requests.h"

#include "../algorithm.h"
#include "../ledger.h"

/* Before MPI-4 no program can say more than an int, so that none comes here. */
#if MPI_VERSION >= 4
#define OF_ANY_COUNT(call, data, count, ...) call##_c(data, count, __VA_ARGS__)
#else
#define OF_ANY_COUNT(call, data, count, ...) call(data, (int)(count), __VA_ARGS__)
#endif

static int counted(int code)
{
    contend_hold(CONTEND_REQUESTS, code == MPI_SUCCESS);
    return code;
}

int contend_begin_send(const void *data, MPI_Count count, MPI_Datatype type, int peer, int tag,
                       bool is_synchronous, MPI_Comm comm, MPI_Request *request)
{
    return counted(is_synchronous
                       ? OF_ANY_COUNT(PMPI_Issend, data, count, type, peer, tag, comm, request)
                       : OF_ANY_COUNT(PMPI_Isend, data, count, type, peer, tag, comm, request));
}

int contend_begin_receive(void *data, MPI_Count count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm, MPI_Request *request)
{
    return counted(OF_ANY_COUNT(PMPI_Irecv, data, count, type, peer, tag, comm, request));
}

int contend_send_to_self(const void *sent, MPI_Count sent_count, MPI_Datatype sent_type,
                         void *received, MPI_Count received_count, MPI_Datatype received_type,
                         int rank, int tag, MPI_Comm comm)
{
#if MPI_VERSION >= 4
    return PMPI_Sendrecv_c(sent, sent_count, sent_type, rank, tag, received, received_count,
                           received_type, rank, tag, comm, MPI_STATUS_IGNORE);
#else
    return PMPI_Sendrecv(sent, (int)sent_count, sent_type, rank, tag, received, (int)received_count,
                         received_type, rank, tag, comm, MPI_STATUS_IGNORE);
#endif
}

int contend_wait_any(int count, MPI_Request *requests, int *which)
{
    const int code = PMPI_Waitany(count, requests, which, MPI_STATUS_IGNORE);
    contend_hold(CONTEND_REQUESTS, -(code == MPI_SUCCESS && *which != MPI_UNDEFINED));
    return code;
}

bool contend_goes_on(int code)
{
    int class = code;
    return code == MPI_SUCCESS ||
           (PMPI_Error_class(code, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE);
}

void contend_note_code(int *noted, int code)
{
    if (*noted == MPI_SUCCESS || (contend_goes_on(*noted) && !contend_goes_on(code)))
        *noted = code;
}

/* One by one: MPI_Waitall says MPI_ERR_IN_STATUS in place of what failed. */
int contend_wait_all(int count, MPI_Request *requests)
{
    int noted = MPI_SUCCESS;
    for (int i = 0; i < count && contend_goes_on(noted); i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        const int code = PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        contend_hold(CONTEND_REQUESTS, -contend_goes_on(code));
        contend_note_code(&noted, code);
    }
    return noted;
}

struct contend_pacer contend_make_pacer(MPI_Request *requests, int room, int64_t messages,
                                        int window)
{
    const bool is_limited = window > 0 && window < messages;
    return (struct contend_pacer){.requests = requests,
                                  .places = is_limited && window < room ? window : room,
                                  .is_synchronous = is_limited};
}

/* What had nothing to send left MPI_REQUEST_NULL, and its place is free at once. */
int contend_find_place(struct contend_pacer *pacer, MPI_Request **place)
{
    int code = MPI_SUCCESS, last = pacer->last;
    const bool is_free = pacer->used > 0 && pacer->requests[last] == MPI_REQUEST_NULL;
    if (!is_free && pacer->used < pacer->places)
        last = pacer->used++;
    else if (!is_free)
        code = contend_wait_any(pacer->places, pacer->requests, &last);
    if (code != MPI_SUCCESS)
        return code;
    pacer->last = last;
    *place = &pacer->requests[last];
    return MPI_SUCCESS;
}

int contend_send_all(struct contend_task *task, int count, int window, contend_begin *begin,
                     MPI_Request *requests)
{
    struct contend_pacer pacer = contend_make_pacer(requests, count, count, window);
    for (int i = 0; i < count; i++) {
        MPI_Request *place = NULL;
        int code = contend_find_place(&pacer, &place);
        if (code == MPI_SUCCESS)
            code = begin(task, i, pacer.is_synchronous, place);
        if (code != MPI_SUCCESS)
            return code;
    }
    return contend_wait_all(pacer.used, pacer.requests);
}

int contend_window(const struct contend_task *task, int64_t bytes, int senders, int unknown)
{
    if (task->settings.window == CONTEND_ALL)
        return 0;
    if (task->settings.window > 0)
        return task->settings.window;
    if (task->in_flight <= 0 || bytes <= 0)
        return unknown;
    const double window = task->in_flight / ((double)bytes * senders);
    return window < 1 ? 1 : window > task->processes ? task->processes : (int)window;
}
