/* Communicators that are being freed. */
#ifndef CONTEND_ENDINGS_H
#define CONTEND_ENDINGS_H

#include <mpi.h>
#include <stdbool.h>

/* One that is being freed; a callback may free another. */
struct contend_ending {
    MPI_Comm comm;
    const struct contend_ending *outer;
};

/* Around MPI_Comm_free or MPI_Comm_disconnect. */
void contend_begin_ending(struct contend_ending *ending, const MPI_Comm *comm);
void contend_finish_ending(const struct contend_ending *ending);

/* Whether this thread is ending the communicator: calls on it come from callbacks of attributes. */
bool contend_is_ending(MPI_Comm comm);

#endif
