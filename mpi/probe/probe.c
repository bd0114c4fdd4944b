/* Calls collective operations as its arguments say, each OPERATION:BYTES:TIMES or, in a
 * communicator of the first N ranks alone, OPERATION:BYTES:TIMES:N; exits with 1 on wrong data.
 *
 * It stands for a program under the same launcher and the same settings, whose ranks come to each
 * call together: in a row a root would be ahead of the others. Where ranks have to
 * receive what the first one sends, or the largest number of all, the data are looked at. It says
 * when it begins and ends, so that what dies in between has died of these calls, and not of those
 * that the library itself makes when it starts and ends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a call works on: blocks of `bytes`, counts and displacements of all ranks. */
struct work {
    MPI_Comm comm;
    int n, bytes, numbers; /* numbers: floats of a block */
    char *sent, *received;
    int *counts, *places, *parts; /* parts: floats of a block of each rank */
};

typedef void (*operation_call)(const struct work *w);

#define OPERATION(name, call)                                                                      \
    static void name(const struct work *w) { call; }
#define BLOCK w->sent, w->bytes, MPI_BYTE
#define INTO w->received, w->bytes, MPI_BYTE
#define BLOCKS w->sent, w->counts, w->places, MPI_BYTE
#define INTO_BLOCKS w->received, w->counts, w->places, MPI_BYTE
OPERATION(bcast, MPI_Bcast(w->sent, w->bytes, MPI_BYTE, 0, w->comm))
OPERATION(scatter, MPI_Scatter(BLOCK, INTO, 0, w->comm))
OPERATION(scatterv, MPI_Scatterv(BLOCKS, INTO, 0, w->comm))
OPERATION(gather, MPI_Gather(BLOCK, INTO, 0, w->comm))
OPERATION(gatherv, MPI_Gatherv(BLOCK, INTO_BLOCKS, 0, w->comm))
OPERATION(alltoall, MPI_Alltoall(BLOCK, INTO, w->comm))
OPERATION(alltoallv, MPI_Alltoallv(BLOCKS, INTO_BLOCKS, w->comm))
OPERATION(allgather, MPI_Allgather(BLOCK, INTO, w->comm))
OPERATION(allgatherv, MPI_Allgatherv(BLOCK, INTO_BLOCKS, w->comm))
OPERATION(reduce, MPI_Reduce(w->sent, w->received, w->numbers, MPI_FLOAT, MPI_MAX, 0, w->comm))
OPERATION(allreduce, MPI_Allreduce(w->sent, w->received, w->numbers, MPI_FLOAT, MPI_MAX, w->comm))
OPERATION(reduce_scatter,
          MPI_Reduce_scatter(w->sent, w->received, w->parts, MPI_FLOAT, MPI_MAX, w->comm))
OPERATION(reduce_scatter_block,
          MPI_Reduce_scatter_block(w->sent, w->received, w->numbers, MPI_FLOAT, MPI_MAX, w->comm))
OPERATION(barrier, MPI_Barrier(w->comm))

/* Which buffer has to hold ones in its first block at every rank afterwards: rank 0 sends them. */
enum result { IN_SENT, IN_RECEIVED, ANYWHERE };

static const struct {
    const char *name;
    operation_call call;
    enum result result;
} operations[] = {
    {"bcast", bcast, IN_SENT},
    {"scatter", scatter, IN_RECEIVED},
    {"scatterv", scatterv, IN_RECEIVED},
    {"gather", gather, ANYWHERE},
    {"gatherv", gatherv, ANYWHERE},
    {"alltoall", alltoall, IN_RECEIVED},
    {"alltoallv", alltoallv, IN_RECEIVED},
    {"allgather", allgather, IN_RECEIVED},
    {"allgatherv", allgatherv, IN_RECEIVED},
    {"reduce", reduce, ANYWHERE},
    {"allreduce", allreduce, IN_RECEIVED},
    {"reduce_scatter", reduce_scatter, IN_RECEIVED},
    {"reduce_scatter_block", reduce_scatter_block, IN_RECEIVED},
    {"barrier", barrier, ANYWHERE},
};

static int is_wrong(const struct work *w, enum result result)
{
    const char *buffer = result == IN_SENT ? w->sent : w->received;
    const int whole = w->numbers * (int)sizeof(float);
    for (int i = 0; result != ANYWHERE && i < whole; i++)
        if (buffer[i] != 1)
            return 1;
    return 0;
}

static void *take(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return memory;
}

static int one(const char *operation, int bytes, MPI_Comm comm)
{
    struct work w = {.comm = comm, .bytes = bytes, .numbers = bytes / (int)sizeof(float)};
    int rank, wrong = 1;
    MPI_Comm_size(comm, &w.n);
    MPI_Comm_rank(comm, &rank);
    const size_t all = (size_t)bytes * (size_t)w.n + 1, integers = (size_t)w.n * sizeof(int);
    w.sent = take(all);
    w.received = take(all);
    w.counts = take(integers);
    w.places = take(integers);
    w.parts = take(integers);
    for (int i = 0; i < w.n; i++) {
        w.counts[i] = bytes;
        w.places[i] = i * bytes;
        w.parts[i] = w.numbers;
    }
    memset(w.sent, rank == 0 ? 1 : 0, all);
    memset(w.received, 0, all);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operation, operations[i].name) == 0) {
            operations[i].call(&w);
            wrong = is_wrong(&w, operations[i].result);
        }
    free(w.sent);
    free(w.received);
    free(w.counts);
    free(w.places);
    free(w.parts);
    return wrong;
}

/* All have come here before any goes on; by single messages, which no collective rules touch. */
static void meet(MPI_Comm comm)
{
    int n, rank;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &rank);
    if (rank > 0) {
        MPI_Send(NULL, 0, MPI_BYTE, 0, 0, comm);
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 1; i < n; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, i, 0, comm, MPI_STATUS_IGNORE);
    for (int i = 1; i < n; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, 0, comm);
}

static void say(const char *what, int rank)
{
    if (rank == 0) {
        printf("contend probe %s\n", what);
        fflush(stdout);
    }
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
        if (comm == MPI_COMM_NULL)
            continue;
        meet(comm);
        say("begins", rank);
        for (int k = 0; k < times; k++) {
            wrong |= one(operation, bytes, comm);
            meet(comm);
        }
        say(wrong ? "received wrong data" : "ends", rank);
        meet(comm);
        if (comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return wrong;
}
