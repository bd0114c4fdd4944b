/* Whether a reduction has the same bits in whatever order its operands are combined. */
#ifndef CONTEND_EXACT_H
#define CONTEND_EXACT_H

#include <mpi.h>
#include <stdbool.h>

/* By an operation of MPI, of a type of MPI that holds integers. */
bool contend_is_exact(MPI_Op op, MPI_Datatype type);

#endif
