/* Communicators that are about to end, and MPI. */
#ifndef CONTEND_ENDINGS_H
#define CONTEND_ENDINGS_H

#include <mpi.h>
#include <stdbool.h>

/* Whether this thread is freeing the communicator: calls on it come from callbacks of attributes.
 */
bool contend_is_ending(MPI_Comm comm);

#endif
