/* A plant: loaded behind the library, it makes all-to-alls of MPI_COMM_WORLD, those of the default,
 * wait $PLANTED_MS, and those of other algorithms, which Open MPI has on other communicators, 1 ms.
 * Once the others have served for 12 calls in turn nothing waits but they; once the default does so
 * again, `planted_is_over`. All ranks make the same calls, so that they agree on that. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int planted_is_over;

static void wait_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = 1000000 * (ms % 1000)};
    nanosleep(&pause, NULL);
}

static void note(const char *what, int call)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%s %d\n", what, call);
}

int MPI_Alltoall(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                 int received_count, MPI_Datatype received_type, MPI_Comm comm)
{
    enum { IN_TURN = 12 };
    static int calls, in_turn, is_found;
    const int is_default = comm == MPI_COMM_WORLD;
    calls++;
    in_turn = is_default == is_found ? in_turn + 1 : 0;
    if (in_turn == IN_TURN && !planted_is_over) {
        note(is_found ? "left" : "found", calls);
        planted_is_over = is_found;
        is_found = 1;
        in_turn = 0;
    }
    if (is_default && !is_found)
        wait_ms(atol(getenv("PLANTED_MS")));
    else if (!is_default)
        wait_ms(1);
    return PMPI_Alltoall(sent, sent_count, sent_type, received, received_count, received_type,
                         comm);
}
