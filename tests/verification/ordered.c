/* Reductions by an operation that does not commute, each of a size of its own, and as many by one
 * that does: in C, with the counts of MPI-4, as a Fortran compiler makes them, between two groups.
 */
#include <mpi.h>

enum { MOST = 64 };

static void first(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)right)[i] = ((int *)left)[i];
}

#ifdef WITH_FORTRAN
void mpi_reduce_(void *, void *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
                 const MPI_Fint *, const MPI_Fint *, MPI_Fint *);
#endif

static void reduce(int commutes, MPI_Comm comm, MPI_Comm between)
{
    int sent[MOST * 8] = {0}, received[MOST * 8], counts[8], ranks;
    MPI_Op op;
    MPI_Op_create(first, commutes, &op);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; i++)
        counts[i] = 30;
    MPI_Reduce(sent, received, 10, MPI_INT, op, 0, comm);
    MPI_Allreduce(sent, received, 20, MPI_INT, op, comm);
    MPI_Reduce_scatter(sent, received, counts, MPI_INT, op, comm);
    MPI_Reduce_scatter_block(sent, received, 40, MPI_INT, op, comm);
    MPI_Allreduce(sent, received, 50, MPI_INT, op, between);
#if MPI_VERSION >= 4
    MPI_Allreduce_c(sent, received, 60, MPI_INT, op, comm);
#endif
#ifdef WITH_FORTRAN
    MPI_Fint code, count = 15, type = MPI_Type_c2f(MPI_INT), root = 0;
    const MPI_Fint fortran_op = MPI_Op_c2f(op), fortran_comm = MPI_Comm_c2f(comm);
    mpi_reduce_(sent, received, &count, &type, &fortran_op, &root, &fortran_comm, &code);
#endif
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half, between;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
    reduce(0, MPI_COMM_WORLD, between);
    reduce(1, MPI_COMM_WORLD, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
