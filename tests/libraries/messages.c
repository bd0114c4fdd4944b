/* What each rank sends to each other in collective calls: OPERATION:BYTES in each argument.
 *
 * MPICH sends by ucp_tag_send_nbx of UCX, which the dynamic linker finds here before that of UCX.
 * Which rank an endpoint is of shows in a message to each. Rank 0 prints a line for each call and
 * rank, with its messages in order: OPERATION BYTES RANK DESTINATION:BYTES ..., -1 of messages that
 * are not in one piece. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, LONGEST = 1 << 12 };

static const void *endpoints[MOST];
static const void *last;
static char sent[LONGEST]; /* messages since the call began, as text */
static int n, length;

/* ucp_request_param_t of UCX 1.10 and later, up to the datatype. */
struct parameters {
    uint32_t mask, flags;
    const void *request, *callback;
    uint64_t datatype;
};
enum { HAS_DATATYPE = 1 << 3, KIND_BITS = 3, KIND = (1 << KIND_BITS) - 1 }; /* 0: in one piece */

typedef void *(*send_call)(void *, const void *, size_t, uint64_t, const struct parameters *);

__attribute__((visibility("default"))) void *
ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, uint64_t tag,
                 const struct parameters *given)
{
    static send_call next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    const int is_sized = (given->mask & HAS_DATATYPE) != 0;
    const long size = is_sized ? (long)(given->datatype >> KIND_BITS) : 1;
    const int is_whole = !is_sized || (given->datatype & KIND) == 0;
    last = endpoint;
    for (int i = 0; i < n; i++)
        if (endpoints[i] == endpoint && length < LONGEST - 32)
            length += snprintf(sent + length, 32, " %d:%ld", i, is_whole ? (long)count * size : -1);
    return next(endpoint, buffer, count, tag, given);
}

static void meet_each(int rank)
{
    char byte = 0;
    for (int src = 0; src < n; src++)
        for (int dst = 0; dst < n; dst++) {
            if (src == dst)
                continue;
            if (rank == src) {
                last = NULL; /* and remains so where shared memory carries it */
                MPI_Send(&byte, 1, MPI_CHAR, dst, 0, MPI_COMM_WORLD);
                endpoints[dst] = last;
            } else if (rank == dst) {
                MPI_Recv(&byte, 1, MPI_CHAR, src, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
}

static void call(const char *name, int bytes, char *from, char *to, int *counts, int *places)
{
    const int numbers = bytes / (int)sizeof(float);
    const int is_of_numbers = strncmp(name, "reduce_scatter", 14) == 0;
    for (int i = 0; i < n; i++) {
        counts[i] = is_of_numbers ? numbers : bytes;
        places[i] = i * bytes;
    }
    if (strcmp(name, "bcast") == 0)
        MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "scatter") == 0)
        MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "gather") == 0)
        MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "allgather") == 0)
        MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else if (strcmp(name, "alltoall") == 0)
        MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else if (strcmp(name, "alltoallv") == 0)
        MPI_Alltoallv(from, counts, places, MPI_BYTE, to, counts, places, MPI_BYTE,
                      MPI_COMM_WORLD);
    else if (strcmp(name, "reduce") == 0)
        MPI_Reduce(from, to, numbers, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "allreduce") == 0)
        MPI_Allreduce(from, to, numbers, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(name, "reduce_scatter") == 0)
        MPI_Reduce_scatter(from, to, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(name, "reduce_scatter_block") == 0)
        MPI_Reduce_scatter_block(from, to, numbers, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(name, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (n > MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    meet_each(rank);
    int counts[MOST], places[MOST];
    char *all = malloc((size_t)n * LONGEST);
    for (int i = 1; i < argc; i++) {
        char name[64] = "", own[LONGEST];
        int bytes = 0;
        sscanf(argv[i], "%63[^:]:%d", name, &bytes);
        char *from = calloc((size_t)bytes + 1, (size_t)n);
        char *to = calloc((size_t)bytes + 1, (size_t)n);
        length = 0;
        sent[0] = '\0';
        call(name, bytes, from, to, counts, places);
        memcpy(own, sent, sizeof own);
        MPI_Gather(own, LONGEST, MPI_CHAR, all, LONGEST, MPI_CHAR, 0, MPI_COMM_WORLD);
        for (int src = 0; rank == 0 && src < n; src++)
            printf("%s %d %d%s\n", name, bytes, src, all + (size_t)src * LONGEST);
        free(from);
        free(to);
    }
    free(all);
    MPI_Finalize();
    return 0;
}
