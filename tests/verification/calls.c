/* Calls collective operations as its arguments say, each OPERATION:BYTES:TIMES or, in a
 * communicator of the first N ranks alone, OPERATION:BYTES:TIMES:N; exits with 1 on wrong data. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int one(const char *operation, int bytes, MPI_Comm comm)
{
    int n, rank, wrong = 0;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &rank);
    const size_t all = (size_t)bytes * (size_t)n + 64;
    char *sent = malloc(all), *received = malloc(all);
    int *counts = malloc((size_t)n * sizeof *counts), *places = malloc((size_t)n * sizeof *places);
    const int numbers = bytes / (int)sizeof(float);
    for (int i = 0; i < n; i++) {
        counts[i] = bytes;
        places[i] = i * bytes;
    }
    memset(sent, rank == 0 ? 1 : 0, all);
    memset(received, 0, all);
    if (strcmp(operation, "bcast") == 0) {
        MPI_Bcast(sent, bytes, MPI_BYTE, 0, comm);
        for (int i = 0; i < bytes; i++)
            wrong |= sent[i] != 1;
    } else if (strcmp(operation, "scatter") == 0) {
        MPI_Scatter(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, 0, comm);
        for (int i = 0; i < bytes; i++)
            wrong |= received[i] != 1;
    } else if (strcmp(operation, "gather") == 0) {
        MPI_Gather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, 0, comm);
    } else if (strcmp(operation, "scatterv") == 0) {
        MPI_Scatterv(sent, counts, places, MPI_BYTE, received, bytes, MPI_BYTE, 0, comm);
    } else if (strcmp(operation, "gatherv") == 0) {
        MPI_Gatherv(sent, bytes, MPI_BYTE, received, counts, places, MPI_BYTE, 0, comm);
    } else if (strcmp(operation, "alltoall") == 0) {
        MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, comm);
        for (int i = 0; i < bytes; i++)
            wrong |= received[i] != 1;
    } else if (strcmp(operation, "alltoallv") == 0) {
        MPI_Alltoallv(sent, counts, places, MPI_BYTE, received, counts, places, MPI_BYTE, comm);
    } else if (strcmp(operation, "allgather") == 0) {
        MPI_Allgather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, comm);
        for (int i = 0; i < bytes; i++)
            wrong |= received[i] != 1;
    } else if (strcmp(operation, "allgatherv") == 0) {
        MPI_Allgatherv(sent, bytes, MPI_BYTE, received, counts, places, MPI_BYTE, comm);
    } else if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(sent, received, numbers, MPI_FLOAT, MPI_MAX, 0, comm);
    } else if (strcmp(operation, "allreduce") == 0) {
        MPI_Allreduce(sent, received, numbers, MPI_FLOAT, MPI_MAX, comm);
        for (int i = 0; i < numbers * (int)sizeof(float); i++)
            wrong |= received[i] != 1;
    } else if (strcmp(operation, "reduce_scatter") == 0) {
        for (int i = 0; i < n; i++)
            counts[i] = numbers;
        MPI_Reduce_scatter(sent, received, counts, MPI_FLOAT, MPI_MAX, comm);
    } else if (strcmp(operation, "reduce_scatter_block") == 0) {
        MPI_Reduce_scatter_block(sent, received, numbers, MPI_FLOAT, MPI_MAX, comm);
    } else if (strcmp(operation, "barrier") == 0) {
        MPI_Barrier(comm);
    } else {
        wrong = 1;
    }
    free(sent);
    free(received);
    free(counts);
    free(places);
    return wrong;
}

int main(int count, char **words)
{
    int n, rank, wrong = 0;
    MPI_Init(&count, &words);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < count; i++) {
        char operation[64] = "";
        int bytes = 0, times = 0, first = n;
        MPI_Comm comm = MPI_COMM_WORLD;
        sscanf(words[i], "%63[^:]:%d:%d:%d", operation, &bytes, &times, &first);
        if (first < n)
            MPI_Comm_split(MPI_COMM_WORLD, rank < first ? 0 : MPI_UNDEFINED, rank, &comm);
        for (int k = 0; k < times && comm != MPI_COMM_NULL; k++)
            wrong |= one(operation, bytes, comm);
        if (comm != MPI_COMM_WORLD && comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return wrong;
}
