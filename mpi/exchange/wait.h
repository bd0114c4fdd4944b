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
    CONTEND_HAND_COUNTS
};

int contend_begin_send(const void *data, MPI_Count count, MPI_Datatype type, int peer, int tag,
                       bool is_synchronous, MPI_Comm comm, MPI_Request *request);

int contend_begin_receive(void *data, MPI_Count count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm comm, MPI_Request *request);

/* Requests that are over become MPI_REQUEST_NULL, as MPI says. */
int contend_wait_all(int count, MPI_Request *requests);

/* `which` is MPI_UNDEFINED when none is left. */
int contend_wait_any(int count, MPI_Request *requests, int *which);

#endif
