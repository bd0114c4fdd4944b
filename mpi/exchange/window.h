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

/* Begins all of `count` messages, at most `window` at a time and then synchronously (0: all at
 * once), and waits for the end of all. `requests` has room for count. */
int contend_send_all(struct contend_task *task, int count, int window, contend_begin *begin,
                     MPI_Request *requests);

/* How many messages of `bytes` each of `senders` ranks may have under way: what the plan says, else
 * what fills the link and its buffer, else `unknown`. */
int contend_window(const struct contend_task *task, int64_t bytes, int senders, int unknown);

#endif
