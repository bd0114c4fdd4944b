/* One call of MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw or their forms of MPI-4, both sides in the
 * same terms. */
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
    MPI_Count count;                     /* set for MPI_Alltoall: of every block */
    const int *counts;                   /* set for MPI_Alltoallv and MPI_Alltoallw, else NULL */
    const int *displacements;            /* in extents; NULL as counts */
    const MPI_Count *large_counts;       /* set for their forms of MPI-4, else NULL */
    const MPI_Aint *large_displacements; /* in extents; NULL as large_counts */
    const MPI_Datatype *types;           /* set for MPI_Alltoallw, else NULL */
    MPI_Datatype type;                   /* of all blocks, where there are no types */
    MPI_Aint extent;                     /* computed; with types 1, as displacements are in bytes */
    MPI_Count size; /* computed: bytes of data of one element, where there are no types */
    bool is_plain;  /* computed: memory is the packed bytes */
};

struct contend_call {
    struct contend_side sent, received; /* sent is received where the call is in place */
    bool is_in_place;
    bool is_varying; /* not MPI_Alltoall or MPI_Alltoall_c */
    bool is_huge;    /* computed: a block has more bytes than an int can say */
    int processes;
};

/* Completes both sides. False where an argument is wrong, so that the native call reports it. */
bool contend_complete_call(struct contend_call *call);

static inline MPI_Count contend_elements(const struct contend_side *side, int other)
{
    if (side->counts != NULL)
        return side->counts[other];
    return side->large_counts != NULL ? side->large_counts[other] : side->count;
}

static inline MPI_Datatype contend_type(const struct contend_side *side, int other)
{
    return side->types != NULL ? side->types[other] : side->type;
}

/* At most what an int64_t can say. A type of no elements is not looked at. */
static inline int64_t contend_side_bytes(const struct contend_side *side, int other)
{
    int64_t bytes;
    const MPI_Count elements = contend_elements(side, other);
    MPI_Count size = side->size;
    if (side->types != NULL &&
        (elements <= 0 || PMPI_Type_size_x(side->types[other], &size) != MPI_SUCCESS))
        return 0;
    const bool is_more = __builtin_mul_overflow(elements, size, &bytes);
    return is_more ? INT64_MAX : bytes;
}

/* At most what an int can count; a call with more is not ours, and sums of these do not overflow.
 */
static inline int64_t contend_capped_bytes(const struct contend_side *side, int other)
{
    const int64_t bytes = contend_side_bytes(side, other);
    return bytes < INT_MAX ? bytes : INT_MAX;
}

/* Where the block for, or of, another rank begins. A number, as it may be relative to MPI_BOTTOM.
 */
static inline void *contend_block(const struct contend_side *side, int other)
{
    MPI_Aint elements = (MPI_Aint)side->count * other;
    if (side->displacements != NULL)
        elements = side->displacements[other];
    else if (side->large_displacements != NULL)
        elements = side->large_displacements[other];
    return (void *)((uintptr_t)side->buffer + (uintptr_t)(elements * side->extent));
}

/* `bytes` has room for contend_side_bytes(side, other), which an int can say. */
int contend_pack(const struct contend_side *side, int other, char *bytes, MPI_Comm comm);

int contend_unpack(const struct contend_side *side, int other, const char *bytes, MPI_Comm comm);

/* Whether the library packs data as they are, without headers or other representations. */
bool contend_packs_plainly(MPI_Comm comm);

/* Whether the program has loaded the driver of a GPU: then MPI packs all that users' buffers hold.
 */
bool contend_has_devices(void);

#endif
