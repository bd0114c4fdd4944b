/* What the common clock, which is that of rank 0, shows more than the clock of this rank. */
#ifndef CONTEND_OFFSETS_H
#define CONTEND_OFFSETS_H

#include <mpi.h>
#include <stdint.h>

struct contend_clock_offset {
    int64_t at;     /* ns, of the own clock */
    int64_t offset; /* ns */
    int64_t bound;  /* ns, by which it may be wrong */
};

/* Collective. An MPI error code. */
int contend_find_offset(MPI_Comm comm, struct contend_clock_offset *found);

#endif
