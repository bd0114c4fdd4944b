/* Exchanges whose ranks come late at random, each checked against what was sent.
 *
 *   late CALLS BYTES [equal|varying|typed|halves|none|die]
 *
 * prints {"same": S, "calls": {"native": C, ...}} by rank 0: calls that each algorithm served, and
 * whether all ranks have the same. Halves: in communicators of half the ranks. Without the library
 * the counts are -1. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "required.h"

enum { MOST_RANKS = 16, NAMES = 7 };

static const char *const names[NAMES] = {
    "native", "paced", "throttled_pairwise", "lg", "lg_balanced", "node_aware", "spaced"};

static void come_late(void)
{
    const char *always = getenv("LATE_NS"); /* of the ranks that have it */
    const struct timespec pause = {.tv_nsec = always != NULL    ? atol(always)
                                              : rand() % 3 == 0 ? rand() % 2000000
                                                                : 0};
    nanosleep(&pause, NULL);
}

static unsigned char value(int src, int dst, int call)
{
    return (unsigned char)(src * 31 + dst * 7 + call);
}

static int exchange(MPI_Comm comm, int bytes, const char *how, int call)
{
    int rank, ranks, counts[MOST_RANKS], places[MOST_RANKS], right = 1;
    MPI_Datatype types[MOST_RANKS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    unsigned char *sent = malloc((size_t)bytes * (size_t)ranks);
    unsigned char *received = calloc((size_t)bytes, (size_t)ranks);
    for (int i = 0; i < ranks; i++) {
        counts[i] = bytes;
        places[i] = i * bytes;
        types[i] = MPI_BYTE;
        memset(sent + (size_t)i * (size_t)bytes, value(rank, i, call), (size_t)bytes);
    }
    come_late();
    if (strcmp(how, "typed") == 0)
        MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, comm);
    else if (strcmp(how, "varying") == 0)
        MPI_Alltoallv(sent, counts, places, MPI_BYTE, received, counts, places, MPI_BYTE, comm);
    else
        MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, comm);
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k < bytes; k++)
            right =
                right && received[(size_t)i * (size_t)bytes + (size_t)k] == value(i, rank, call);
    free(sent);
    free(received);
    return right;
}

static void report(int rank)
{
    long own[2 * NAMES], most[2 * NAMES];
    int same = 1;
    for (int i = 0; i < NAMES; i++) {
        own[i] = calls_of(names[i]);
        own[NAMES + i] = -own[i];
    }
    MPI_Allreduce(own, most, 2 * NAMES, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < NAMES; i++)
        same = same && most[i] == -most[NAMES + i];
    if (rank != 0)
        return;
    printf("{\"same\": %d, \"calls\": {", same);
    for (int i = 0; i < NAMES; i++)
        printf("\"%s\": %ld%s", names[i], own[i], i + 1 < NAMES ? ", " : "}}\n");
}

int main(int argc, char **argv)
{
    int rank, ranks, right = 1;
    name_host(by_turns, getenv("LATE_ONE_HOST") == NULL ? 2 : 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 3 || ranks > MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 4);
    const char *how = argc > 3 ? argv[3] : "equal";
    srand((unsigned)rank + 1);
    MPI_Comm comm = MPI_COMM_WORLD;
    if (strcmp(how, "halves") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2, rank, &comm);
    for (int call = 0; call < atoi(argv[1]) && strcmp(how, "none") != 0; call++) {
        if (strcmp(how, "die") == 0 && rank == 1 && call == 3)
            raise(SIGKILL);
        right = right && exchange(comm, atoi(argv[2]), how, call);
    }
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    report(rank);
    MPI_Finalize();
    return right ? 0 : 3;
}
