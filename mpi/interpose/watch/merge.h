/* What all ranks have seen, added up at rank 0. */
#ifndef CONTEND_MERGE_H
#define CONTEND_MERGE_H

#include <mpi.h>

#include "sums.h"

/* Collective. On rank 0 the sums of all ranks; of a rank that another had no memory for only how
 * many calls are not kept. */
void contend_merge(MPI_Comm comm, int rank, int ranks, struct contend_sums *sums);

#endif
