/* What all ranks of a communicator agree on. */
#ifndef CONTEND_AGREE_H
#define CONTEND_AGREE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether every rank says so, and all have the same value; false where MPI fails. */
bool contend_agree(MPI_Comm comm, bool mine, uint64_t value);

/* The same where a communicator's ranks meet for the first time. Those without this library never
 * come, and nothing but time shows that: whoever has waited for `patience` seconds says so. */
bool contend_agree_first(MPI_Comm comm, bool mine, uint64_t value, double patience);

/* Waits for what ranks do together, and says so after so many seconds. */
int contend_wait_patiently(MPI_Request *request, MPI_Comm comm, double patience);

#endif
