/* Sends of which only so many are under way at a time. */
#include "window.h"

#include "algorithm.h"
#include "wait.h"

/* A place for the next message, of which `used` have held one. What has nothing to send leaves
 * MPI_REQUEST_NULL, and its place is free at once. */
static int find_place(MPI_Request *requests, int places, int *used, int *place)
{
    if (*used > 0 && requests[*place] == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    if (*used == places)
        return contend_wait_any(places, requests, place);
    *place = (*used)++;
    return MPI_SUCCESS;
}

int contend_send_all(struct contend_task *task, int count, int window, contend_begin *begin,
                     MPI_Request *requests)
{
    const int places = window > 0 && window < count ? window : count;
    int used = 0, place = 0;
    for (int i = 0; i < count; i++) {
        int code = find_place(requests, places, &used, &place);
        if (code == MPI_SUCCESS)
            code = begin(task, i, window > 0, &requests[place]);
        if (code != MPI_SUCCESS)
            return code;
    }
    return contend_wait_all(used, requests);
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
