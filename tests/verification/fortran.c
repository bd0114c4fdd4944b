/* Calls as a Fortran compiler makes them for Open MPI: handles and counts by address. Exits with 1
 * on wrong data. */
#include <mpi.h>

void mpi_bcast_(void *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
                MPI_Fint *);
void mpi_allgatherv_(void *, const MPI_Fint *, const MPI_Fint *, void *, const MPI_Fint *,
                     const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, MPI_Fint *);
void mpi_barrier_(const MPI_Fint *, MPI_Fint *);
void mpi_finalize_(MPI_Fint *);

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Fint block[16] = {0}, all[16 * 16], counts[16], places[16], code = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Fint type = MPI_Type_c2f(MPI_INT), comm = MPI_Comm_c2f(MPI_COMM_WORLD), root = 0;
    const MPI_Fint count = 16;
    for (int i = 0; i < ranks; i++) {
        counts[i] = count;
        places[i] = i * count;
    }
    for (int i = 0; rank == 0 && i < count; i++)
        block[i] = i;
    mpi_bcast_(block, &count, &type, &root, &comm, &code);
    mpi_allgatherv_(block, &count, &type, all, counts, places, &type, &comm, &code);
    mpi_barrier_(&comm, &code);
    int wrong = code != MPI_SUCCESS;
    for (int i = 0; i < ranks * count; i++)
        wrong |= all[i] != i % count;
    mpi_finalize_(&code);
    return wrong;
}
