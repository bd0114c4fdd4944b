/* A call of an operation with blocks of so many bytes: selection_calls OPERATION BYTES. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const char *operation = argv[1];
    int m = atoi(argv[2]);
    MPI_Comm all = MPI_COMM_WORLD;
    char *from = calloc((size_t)m * (size_t)size + 1, 1);
    char *to = calloc((size_t)m * (size_t)size + 1, 1);
    if (!from || !to)
        MPI_Abort(all, 3);
    if (!strcmp(operation, "bcast"))
        MPI_Bcast(from, m, MPI_BYTE, 0, all);
    else if (!strcmp(operation, "alltoall"))
        MPI_Alltoall(from, m, MPI_BYTE, to, m, MPI_BYTE, all);
    else if (!strcmp(operation, "alltoall-in-place"))
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, m, MPI_BYTE, all);
    else if (!strcmp(operation, "allgather"))
        MPI_Allgather(from, m, MPI_BYTE, to, m, MPI_BYTE, all);
    else if (!strcmp(operation, "allreduce"))
        MPI_Allreduce(from, to, m, MPI_BYTE, MPI_BOR, all);
    else
        MPI_Abort(all, 4);
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
