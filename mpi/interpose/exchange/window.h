/* Sends of which only so many are under way at a time. */
#ifndef CONTEND_WINDOW_H
#define CONTEND_WINDOW_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct contend_task;

/* Begins message `index` of a list; a synchronous send ends only when its receiver has it. */
typedef int contend_begin(struct contend_task *task, int index, bool is_synchronous,
                          MPI_Request *request);

/* Places for sends of which only so many are under way; zeroed but for what is set. */
struct contend_pacer {
    MPI_Request *requests;
    int places, used, last; /* used: have held a send; last: the place that was found last */
    bool is_synchronous; /* how sends are to be made, so that a place is free when they arrived */
};

/* For so many messages in all. Where the window is 0, or all of them fit into it, `room`, the
 * requests that there are, is all that limits, and nothing is waited for. */
struct contend_pacer contend_make_pacer(MPI_Request *requests, int room, int64_t messages,
                                        int window);

/* A place for the next send, when there is one. */
int contend_find_place(struct contend_pacer *pacer, MPI_Request **place);

/* Begins all of `count` messages, at most `window` at a time (0: all at once), synchronously where
 * that is fewer, and waits for the end of all. `requests` has room for count. */
int contend_send_all(struct contend_task *task, int count, int window, contend_begin *begin,
                     MPI_Request *requests);

/* How many messages of `bytes` each of `senders` ranks may have under way: what the plan says (0
 * where that is all), else what fills the link and its buffer, else `unknown`. */
int contend_window(const struct contend_task *task, int64_t bytes, int senders, int unknown);

#endif
