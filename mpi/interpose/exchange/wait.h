/* Requests that are counted from their beginning to their end. */
#ifndef CONTEND_WAIT_H
#define CONTEND_WAIT_H

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
    CONTEND_CLOCK,
    CONTEND_HELLO
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

#endif
