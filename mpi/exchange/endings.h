/* Communicators that are being freed. */
#ifndef CONTEND_ENDINGS_H
#define CONTEND_ENDINGS_H

#include <mpi.h>
#include <stdbool.h>

/* What `end` returns, PMPI_Comm_free or PMPI_Comm_disconnect. */
int contend_end_communicator(int (*end)(MPI_Comm *), MPI_Comm *comm);

/* Whether this thread is ending the communicator: calls on it come from callbacks of attributes. */
bool contend_is_ending(MPI_Comm comm);

#endif
