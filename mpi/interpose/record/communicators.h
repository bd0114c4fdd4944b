/* Which ranks of the world each communicator has. */
#ifndef CONTEND_COMMUNICATORS_H
#define CONTEND_COMMUNICATORS_H

#include <mpi.h>

/* Gives it the next number. */
void contend_know_communicator(MPI_Comm comm);

#endif
