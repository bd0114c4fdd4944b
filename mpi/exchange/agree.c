/* What all ranks of a communicator agree on. */
#include "agree.h"

bool contend_agree(MPI_Comm comm, bool mine, uint64_t value)
{
    /* The least of a value and of its complement tell the least and the greatest. */
    const uint64_t own[3] = {mine, value, ~value};
    uint64_t least[3] = {0, 0, 0};
    return PMPI_Allreduce(own, least, 3, MPI_UINT64_T, MPI_MIN, comm) == MPI_SUCCESS &&
           least[0] == 1 && least[1] == ~least[2];
}

int64_t contend_greatest(MPI_Comm comm, int64_t mine)
{
    int64_t greatest = INT64_MAX;
    const int code = PMPI_Allreduce(&mine, &greatest, 1, MPI_INT64_T, MPI_MAX, comm);
    return code == MPI_SUCCESS ? greatest : INT64_MAX;
}
