/* Communicators of this library's own. */
#ifndef CONTEND_PRIVATE_H
#define CONTEND_PRIVATE_H

#include <mpi.h>
#include <stdbool.h>

/* Makes one of the ranks of `owner`, whose errors are returned. Called by all of them. False, and
 * MPI_COMM_NULL, where it could not be made. */
bool contend_make_private(MPI_Comm owner, MPI_Comm *made);

#endif
