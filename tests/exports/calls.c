/* One call of a collective operation: what it does, and the bytes of a block or of the message. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int of_all(const char *operation, const char *sent, char *received, int m, int n)
{
    MPI_Comm world = MPI_COMM_WORLD;
    if (strcmp(operation, "alltoall") == 0)
        return MPI_Alltoall(sent, m, MPI_BYTE, received, m, MPI_BYTE, world);
    if (strcmp(operation, "alltoall-in-place") == 0)
        return MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, m, MPI_BYTE, world);
    if (strcmp(operation, "allreduce") == 0)
        return MPI_Allreduce(sent, received, m, MPI_BYTE, MPI_BOR, world);
    if (strcmp(operation, "allgather") == 0)
        return MPI_Allgather(sent, m, MPI_BYTE, received, m, MPI_BYTE, world);
    if (strcmp(operation, "bcast") == 0)
        return MPI_Bcast(received, m, MPI_BYTE, 0, world);
    if (strcmp(operation, "gather") == 0)
        return MPI_Gather(sent, m, MPI_BYTE, received, m, MPI_BYTE, 0, world);
    if (strcmp(operation, "scatter") == 0)
        return MPI_Scatter(sent, m, MPI_BYTE, received, m, MPI_BYTE, 0, world);
    if (strcmp(operation, "scan") == 0)
        return MPI_Scan(sent, received, m, MPI_BYTE, MPI_BOR, world);
    if (strcmp(operation, "reduce_scatter") == 0) {
        int counts[64];
        for (int rank = 0; rank < n; rank++)
            counts[rank] = m;
        return MPI_Reduce_scatter(sent, received, counts, MPI_BYTE, MPI_BOR, world);
    }
    fprintf(stderr, "no operation is named %s\n", operation);
    return MPI_ERR_ARG;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int m = argc > 2 ? atoi(argv[2]) : 0;
    char *sent = calloc((size_t)m + 1, (size_t)n);
    char *received = calloc((size_t)m + 1, (size_t)n);
    if (argc != 3 || n > 64 || !sent || !received || of_all(argv[1], sent, received, m, n))
        MPI_Abort(MPI_COMM_WORLD, 1);
    free(sent);
    free(received);
    MPI_Finalize();
    return 0;
}
