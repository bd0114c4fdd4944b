/* Sends of which only so many are under way at a time. */
#include "window.h"

#include "algorithm.h"
#include "wait.h"

int contend_send_all(struct contend_task *task, int count, int window, contend_begin *begin,
                     MPI_Request *requests)
{
    const int places = window > 0 && window < count ? window : count;
    for (int i = 0; i < places; i++) {
        const int code = begin(task, i, window > 0, &requests[i]);
        if (code != MPI_SUCCESS)
            return code;
    }
    for (int i = places; i < count; i++) {
        int free_place;
        int code = contend_wait_any(places, requests, &free_place);
        if (code == MPI_SUCCESS)
            code = begin(task, i, window > 0, &requests[free_place]);
        if (code != MPI_SUCCESS)
            return code;
    }
    return contend_wait_all(places, requests);
}

int contend_window(const struct contend_task *task, int64_t bytes, int senders, int unknown)
{
    if (task->settings.window > 0)
        return task->settings.window;
    if (task->in_flight <= 0 || bytes <= 0)
        return unknown;
    const double window = task->in_flight / ((double)bytes * senders);
    return window < 1 ? 1 : window > task->processes ? task->processes : (int)window;
}
