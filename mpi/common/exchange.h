/* Bounds of the offset between the clocks of two ranks, from messages there and back. */
#ifndef CONTEND_EXCHANGE_H
#define CONTEND_EXCHANGE_H

#include <mpi.h>

#include "drift.h"

/* Both are called at once by two ranks, `other` being the one that the caller is not; the offset
 * is that of the clock of who answers. */
struct contend_offset contend_ask_offset(MPI_Comm comm, int other, int times);

void contend_answer_offset(MPI_Comm comm, int other, int times);

#endif
