/* A tree of ranks: what the common clock, which is that of its first, shows more than the clock of
 * this rank, and a start that all ranks share. All are collective and return an MPI error code. */
#ifndef CONTEND_OFFSETS_H
#define CONTEND_OFFSETS_H

#include <mpi.h>
#include <stdint.h>

struct contend_clock_offset {
    int64_t at;         /* ns, of the own clock */
    int64_t offset;     /* ns */
    int64_t bound;      /* ns, by which it may be wrong */
    int64_t round_trip; /* ns, to the rank that was asked; 0 on rank 0 */
};

/* Ranks of a communicator, and where this one stands among them. */
struct contend_tree {
    const int *ranks; /* NULL: all of them, in order */
    int place, count;
};

/* The value of rank 0. */
int contend_tell_all(MPI_Comm comm, int rank, int n, int64_t *value);

/* By so many messages there and back to the one above; the first of the tree keeps what it has. */
int contend_find_offset(MPI_Comm comm, struct contend_tree tree, int exchanges,
                        struct contend_clock_offset *found);

/* Returns on all ranks at the same time, by the offset that each has. */
int contend_start_together(MPI_Comm comm, int rank, int n, const struct contend_clock_offset *own);

#endif
