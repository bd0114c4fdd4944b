/* Exchanges with ranks of another MPI_COMM_WORLD, each checked against what was sent.
 *
 *   spawned plain|preloaded
 *
 * spawns two ranks of itself, without the library or with it; then all exchange in a communicator
 * of both worlds, and those of each world among themselves. The ranks are on two hosts. Prints
 * {"ranks": R, "calls": C, "held": H} by rank 0: ranks that have met, calls that lg_balanced
 * served, and pieces of memory that the library still has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "required.h"

enum { MOST_RANKS = 16, WORDS = 8, LENGTH = 4200 };

static void exchange(MPI_Comm comm)
{
    int rank, ranks, sent[MOST_RANKS], received[MOST_RANKS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; i++)
        sent[i] = 1000 * rank + i;
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
    for (int i = 0; i < ranks; i++)
        require(received[i] == 1000 * i + rank, "a block is wrong");
}

/* Two ranks that get this library and the wishes of this process, or are without. */
static void spawn(char *program, int is_preloaded, MPI_Comm *between)
{
    static const char *const names[] = {"LD_PRELOAD", "CONTEND_EXCHANGE",
                                        "CONTEND_EXCHANGE_ALGORITHM", "CONTEND_EXCHANGE_SUMMARY"};
    static char settings[4][LENGTH];
    char *words[WORDS] = {"-u", "LD_PRELOAD"};
    int count = 2;
    for (int i = 0; is_preloaded && i < 4; i++)
        if (getenv(names[i]) != NULL) {
            snprintf(settings[i], LENGTH, "%s=%s", names[i], getenv(names[i]));
            words[count++] = settings[i];
        }
    words[count] = program;
    MPI_Comm_spawn("env", words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, between, MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Comm between, together;
    name_host(by_turns, 2);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&between);
    const int is_spawned = between != MPI_COMM_NULL;
    if (!is_spawned)
        spawn(argv[0], strcmp(argv[1], "preloaded") == 0, &between);
    MPI_Intercomm_merge(between, is_spawned, &together);
    MPI_Comm_size(together, &ranks);
    exchange(together);
    exchange(MPI_COMM_WORLD);
    exchange(together);
    MPI_Comm_free(&together);
    MPI_Comm_disconnect(&between);
    MPI_Finalize();
    if (rank == 0 && !is_spawned)
        printf("{\"ranks\": %d, \"calls\": %ld, \"held\": %ld}\n", ranks, calls_of("lg_balanced"),
               held());
    return 0;
}
