/* One call of MPI_Alltoall or MPI_Alltoallv, both sides in the same terms. */
#ifndef CONTEND_CALL_H
#define CONTEND_CALL_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The blocks that a rank sends, or those that it receives. */
struct contend_side {
    void *buffer;
    int count;                /* set for MPI_Alltoall: of every block */
    const int *counts;        /* set for MPI_Alltoallv, else NULL */
    const int *displacements; /* in extents; NULL as counts */
    MPI_Datatype type;
    MPI_Aint extent; /* computed */
    int64_t size; /* computed: bytes of data of one element; at most one more than an int can say */
    bool is_plain; /* computed: memory is the packed bytes */
};

struct contend_call {
    struct contend_side sent, received; /* sent is received where the call is in place */
    bool is_in_place;
    bool is_varying; /* MPI_Alltoallv */
    bool is_huge;    /* computed: a block has more bytes than an int can say */
    int processes;
};

/* Completes both sides. False where an argument is wrong, so that the native call reports it. */
bool contend_complete_call(struct contend_call *call);

static inline int contend_elements(const struct contend_side *side, int other)
{
    return side->counts == NULL ? side->count : side->counts[other];
}

static inline int64_t contend_bytes(const struct contend_side *side, int other)
{
    return (int64_t)contend_elements(side, other) * side->size;
}

/* At most what an int can count; a call with more is not ours, and sums of these do not overflow.
 */
static inline int64_t contend_capped_bytes(const struct contend_side *side, int other)
{
    const int64_t bytes = contend_bytes(side, other);
    return bytes < INT_MAX ? bytes : INT_MAX;
}

/* Where the block for, or of, another rank begins. A number, as it may be relative to MPI_BOTTOM.
 */
static inline void *contend_block(const struct contend_side *side, int other)
{
    const MPI_Aint elements =
        side->counts == NULL ? (MPI_Aint)side->count * other : (MPI_Aint)side->displacements[other];
    return (void *)((uintptr_t)side->buffer + (uintptr_t)(elements * side->extent));
}

#endif
