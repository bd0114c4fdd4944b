/* One call of MPI_Alltoall, MPI_Alltoallv or their forms of MPI-4, both sides in the same terms. */
#include "call.h"

#include <limits.h>

/* A named type without holes. Others may order their bytes in memory as they like. */
static int find_plain(struct contend_side *side)
{
    int integers, addresses, types, combiner;
    const int code = PMPI_Type_get_envelope(side->type, &integers, &addresses, &types, &combiner);
    side->is_plain =
        code == MPI_SUCCESS && combiner == MPI_COMBINER_NAMED && side->extent == side->size;
    return code;
}

static bool has_arrays(const struct contend_side *side)
{
    return side->counts != NULL ? side->displacements != NULL
                                : side->large_counts != NULL && side->large_displacements != NULL;
}

/* Ranks may describe the same blocks by types of which one has more bytes than an int can say. */
static bool complete_side(struct contend_side *side, struct contend_call *call)
{
    if (side->type == MPI_DATATYPE_NULL || (call->is_varying && !has_arrays(side)))
        return false;
    MPI_Aint lower;
    if (PMPI_Type_size_x(side->type, &side->size) != MPI_SUCCESS || side->size < 0 ||
        PMPI_Type_get_extent(side->type, &lower, &side->extent) != MPI_SUCCESS ||
        find_plain(side) != MPI_SUCCESS)
        return false;
    bool is_empty = true;
    for (int other = 0; other < (call->is_varying ? call->processes : 1); other++) {
        if (contend_elements(side, other) < 0)
            return false;
        const int64_t bytes = contend_bytes(side, other);
        call->is_huge = call->is_huge || bytes > INT_MAX;
        is_empty = is_empty && bytes == 0;
    }
    /* MPI_BOTTOM is NULL: derived types and wide displacements may hold addresses. */
    return is_empty || side->buffer != NULL || !side->is_plain || side->large_displacements != NULL;
}

bool contend_complete_call(struct contend_call *call)
{
    if (call->received.buffer == MPI_IN_PLACE || !complete_side(&call->received, call))
        return false;
    if (call->is_in_place) {
        call->sent = call->received;
        return true;
    }
    if (!complete_side(&call->sent, call))
        return false;
    if (call->is_varying)
        return true;
    const int64_t bytes = contend_bytes(&call->sent, 0);
    return bytes == contend_bytes(&call->received, 0) &&
           (bytes == 0 || call->sent.buffer != call->received.buffer ||
            !call->sent.is_plain); /* the same buffer is an error that the library reports */
}
