/* What all ranks of a communicator agree on. */
#include "agree.h"

#include "../../modes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

/* The least of a value and of its complement tell the least and the greatest. */
static bool is_one(const uint64_t least[3]) { return least[0] == 1 && least[1] == ~least[2]; }

bool contend_agree(MPI_Comm comm, bool mine, uint64_t value)
{
    const uint64_t own[3] = {mine, value, ~value};
    uint64_t least[3] = {0, 0, 0};
    return PMPI_Allreduce(own, least, 3, MPI_UINT64_T, MPI_MIN, comm) == MPI_SUCCESS &&
           is_one(least);
}

/* Rank 0 may be one that does not come, and all would be too many: those that are powers of two. */
static void tell_of_waiting(MPI_Comm comm, double seconds)
{
    static atomic_bool is_told;
    int rank = 0, ranks = 0;
    if (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && PMPI_Comm_size(comm, &ranks) == MPI_SUCCESS &&
        (rank & (rank - 1)) == 0 && !atomic_exchange(&is_told, true))
        fprintf(stderr,
                "contend: rank %d of %d has waited %g s for ranks that are late or without "
                "libcontend.so; LD_PRELOAD has to reach all of them, and the library has to be on "
                "every host, or CONTEND_EXCHANGE_MEET=0 is for jobs in which some are without\n",
                rank, ranks, seconds);
}

int contend_wait_patiently(MPI_Request *request, MPI_Comm comm, double patience)
{
    const double end = contend_seconds() + patience;
    int code = MPI_SUCCESS;
    bool is_told = false;
    for (int is_done = 0; code == MPI_SUCCESS && !is_done;) {
        code = PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done && !is_told && contend_seconds() >= end) {
            tell_of_waiting(comm, patience);
            is_told = true;
        }
    }
    return code;
}

bool contend_agree_first(MPI_Comm comm, bool mine, uint64_t value, double patience)
{
    const uint64_t own[3] = {mine, value, ~value};
    uint64_t least[3] = {0, 0, 0};
    MPI_Request request = MPI_REQUEST_NULL;
    int code = PMPI_Iallreduce(own, least, 3, MPI_UINT64_T, MPI_MIN, comm, &request);
    if (code == MPI_SUCCESS)
        code = contend_wait_patiently(&request, comm, patience);
    return code == MPI_SUCCESS && is_one(least);
}
