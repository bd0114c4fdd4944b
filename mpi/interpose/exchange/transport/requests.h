/* Requests that are counted from their beginning to their end. */
#ifndef CONTEND_REQUESTS_H
#define CONTEND_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Tags of the private communicator. */
enum {
    CONTEND_DIRECT = 1,
    CONTEND_COLLECT,
    CONTEND_CROSS,
    CONTEND_HAND,
    CONTEND_COLLECT_COUNTS,
    CONTEND_HAND_COUNTS,
    CONTEND_HELLO,
    CONTEND_ADDITION
};

int contend_begin_send(const void *data, MPI_Count count, MPI_Datatype type, int peer, int tag,
                       bool is_synchronous, MPI_Comm comm, MPI_Request *request);

int contend_begin_receive(void *data, MPI_Count count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm, MPI_Request *request);

/* From one place of this rank to another, which types and counts may describe in different ways. */
int contend_send_to_self(const void *sent, MPI_Count sent_count, MPI_Datatype sent_type,
                         void *received, MPI_Count received_count, MPI_Datatype received_type,
                         int rank, int tag, MPI_Comm comm);

/* Whether the rest may end after that code: all went well, or one message was too long for its
 * place, which ends it. */
bool contend_goes_on(int code);

/* Keeps the first code that is no success, and one after which nothing goes on before others. */
void contend_note_code(int *noted, int code);

/* Requests that are over become MPI_REQUEST_NULL, as MPI says. Ends early only where nothing goes
 * on. */
int contend_wait_all(int count, MPI_Request *requests);

/* `which` is MPI_UNDEFINED when none is left. */
int contend_wait_any(int count, MPI_Request *requests, int *which);

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
