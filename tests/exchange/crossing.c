/* What crosses links of a lab during calls of MPI_Alltoall, as the lab's switch counts it.
 *
 *     crossing BYTES FEW MANY COUNTER...
 *
 * Prints by counter how much more it grew in MANY calls than in FEW, as JSON: what stands around
 * the calls, which is the same, falls out. The calls are apart, so that TCP joins no messages. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"

enum { APART_US = 10000, SETTLED_US = 60000, MOST_COUNTERS = 8 };

static void settle(void)
{
    usleep(SETTLED_US);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(SETTLED_US);
}

static void count_calls(struct contend_counters *counters, int calls, const char *sent,
                        char *received, int bytes)
{
    settle();
    contend_begin_counters(counters);
    settle();
    for (int i = 0; i < calls; i++) {
        MPI_Alltoall(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, MPI_COMM_WORLD);
        usleep(APART_US);
    }
    settle();
    contend_end_counters(counters);
}

int main(int argc, char **argv)
{
    int ranks, rank;
    uint64_t few[MOST_COUNTERS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 5 || argc > 4 + MOST_COUNTERS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const int bytes = atoi(argv[1]);
    char *sent = calloc((size_t)ranks, (size_t)bytes),
         *received = calloc((size_t)ranks, (size_t)bytes);
    struct contend_counters counters = contend_open_counters();
    if (counters.file == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    count_calls(&counters, 2, sent, received, bytes); /* connections and scratch are made */
    count_calls(&counters, atoi(argv[2]), sent, received, bytes);
    for (int i = 4; i < argc; i++)
        few[i - 4] = contend_counted(&counters, argv[i]);
    count_calls(&counters, atoi(argv[3]), sent, received, bytes);
    for (int i = 4; i < argc && rank == 0; i++)
        printf("%s\"%s\": %llu%s", i == 4 ? "{" : ", ", argv[i],
               (unsigned long long)(contend_counted(&counters, argv[i]) - few[i - 4]),
               i == argc - 1 ? "}\n" : "");
    contend_close_counters(&counters);
    free(sent);
    free(received);
    MPI_Finalize();
    return 0;
}
