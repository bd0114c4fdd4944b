/* Calls as a Fortran compiler makes them for Open MPI: handles and counts by address.
 *
 * prints {"calls": C, "right": 1} by rank 0: calls that lg_balanced served. */
#include <stdlib.h>
#include <string.h>

#include "required.h"

void mpi_alltoall_(void *, const MPI_Fint *, const MPI_Fint *, void *, const MPI_Fint *,
                   const MPI_Fint *, const MPI_Fint *, MPI_Fint *);
void mpi_alltoallv_(void *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, void *,
                    const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
                    MPI_Fint *);
void mpi_alltoallw_(void *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, void *,
                    const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, MPI_Fint *, MPI_Fint *);
void mpi_comm_free_(MPI_Fint *, MPI_Fint *);
void mpi_finalize_(MPI_Fint *);
extern MPI_Fint mpi_fortran_in_place_;

static int is_right(const MPI_Fint *received, int ranks, int rank)
{
    int right = 1;
    for (int i = 0; i < ranks; i++)
        right = right && received[i] == 100 * i + rank;
    return right;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Fint sent[16], received[16], counts[16], places[16], types[16], one = 1, code = -1, right = 1;
    name_host(by_turns, 2);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Fint type = MPI_Type_c2f(MPI_INT), comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) {
        sent[i] = received[i] = 100 * rank + i;
        counts[i] = 1;
        places[i] = i;
        types[i] = type;
    }
    mpi_alltoall_(&mpi_fortran_in_place_, &one, &type, received, &one, &type, &comm, &code);
    right = right && code == MPI_SUCCESS && is_right(received, ranks, rank);
    mpi_alltoall_(sent, &one, &type, received, &one, &type, &comm, &code);
    right = right && code == MPI_SUCCESS && is_right(received, ranks, rank);
    mpi_alltoallv_(sent, counts, places, &type, received, counts, places, &type, &comm, &code);
    right = right && code == MPI_SUCCESS && is_right(received, ranks, rank);
    for (int i = 0; i < ranks; i++)
        places[i] *= (MPI_Fint)sizeof(MPI_Fint);
    memset(received, 0, sizeof received);
    mpi_alltoallw_(sent, counts, places, types, received, counts, places, types, &comm, &code);
    right = right && code == MPI_SUCCESS && is_right(received, ranks, rank);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Fint copied = MPI_Comm_c2f(copy);
    mpi_alltoall_(sent, &one, &type, received, &one, &type, &copied, &code);
    right = right && code == MPI_SUCCESS && is_right(received, ranks, rank);
    mpi_comm_free_(&copied, &code);
    right = right && code == MPI_SUCCESS && copied == MPI_Comm_c2f(MPI_COMM_NULL);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    mpi_finalize_(&code);
    right = right && code == MPI_SUCCESS;
    if (rank == 0)
        printf("{\"calls\": %ld, \"right\": %d}\n", calls_of("lg_balanced"), right);
    return 0;
}
