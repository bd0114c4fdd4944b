/* Collective calls in place, and reductions by an operation that does not commute, of the bytes
 * that arguments name: each OPERATION:BYTES, in place, or as "ordered" before them says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void first(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(right, left, (size_t)*count * sizeof(int));
}

static void call(const char *name, int bytes, int n, MPI_Op op, int is_ordered)
{
    const int count = bytes / (int)sizeof(int);
    int *sent = calloc((size_t)(count + 1) * (size_t)n, sizeof(int));
    int *received = calloc((size_t)(count + 1) * (size_t)n, sizeof(int));
    int *counts = malloc((size_t)n * sizeof(int)), *places = malloc((size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        counts[i] = count;
        places[i] = i * count;
    }
    const void *from = is_ordered ? (const void *)sent : MPI_IN_PLACE;
    if (strcmp(name, "alltoall") == 0)
        MPI_Alltoall(MPI_IN_PLACE, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
    else if (strcmp(name, "alltoallv") == 0)
        MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INT, received, counts, places, MPI_INT,
                      MPI_COMM_WORLD);
    else if (strcmp(name, "allgather") == 0)
        MPI_Allgather(MPI_IN_PLACE, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
    else if (strcmp(name, "reduce") == 0)
        MPI_Reduce(sent, received, count, MPI_INT, op, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "allreduce") == 0)
        MPI_Allreduce(from, received, count, MPI_INT, op, MPI_COMM_WORLD);
    else if (strcmp(name, "reduce_scatter") == 0)
        MPI_Reduce_scatter(from, received, counts, MPI_INT, op, MPI_COMM_WORLD);
    else if (strcmp(name, "reduce_scatter_block") == 0)
        MPI_Reduce_scatter_block(from, received, count, MPI_INT, op, MPI_COMM_WORLD);
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
    free(sent);
    free(received);
    free(counts);
    free(places);
}

int main(int argc, char **argv)
{
    int n, is_ordered = argc > 1 && strcmp(argv[1], "ordered") == 0;
    MPI_Op op = MPI_SUM;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (is_ordered)
        MPI_Op_create(first, 0, &op);
    for (int i = 1 + is_ordered; i < argc; i++) {
        char name[64] = "";
        int bytes = 0;
        sscanf(argv[i], "%63[^:]:%d", name, &bytes);
        call(name, bytes, n, op, is_ordered);
    }
    MPI_Finalize();
    return 0;
}
