/* Sends of which only so many are under way at a time. */
#include "window.h"

#include "algorithm.h"
#include "wait.h"

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
