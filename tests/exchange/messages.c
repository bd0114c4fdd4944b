/* The messages that calls of MPI_Alltoall or MPI_Alltoallw send, as the library hands them to MPI.
 *
 *   messages GROUP,GROUP,... BYTES...     the group of every rank, a or b and so on
 *
 * BYTES are those of a block, -BYTES for MPI_Alltoallw, whose messages about counts are left out;
 * prints for each size a line of JSON: [[SRC, DST, BYTES, IS_SYNCHRONOUS, US, WAITED], ...] of all
 * ranks, where US are the microseconds from the rank's call on, and WAITED the requests that it had
 * waited for by MPI_Wait. The program has the functions that the
 * library sends by, in front of those of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../mpi/interpose/exchange/transport/requests.h"
#include "required.h"

enum { MAX_MESSAGES = 1024, MAX_RANKS = 16, COLUMNS = 6 };

static int count, waited, messages[MAX_MESSAGES][COLUMNS];
static double began;

static void keep(int number, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
                 int is_synchronous)
{
    int size, rank;
    if (tag == CONTEND_COLLECT_COUNTS || tag == CONTEND_HAND_COUNTS)
        return;
    PMPI_Type_size(type, &size);
    PMPI_Comm_rank(comm, &rank);
    messages[count][0] = rank;
    messages[count][1] = dst;
    messages[count][2] = size * number;
    messages[count][3] = is_synchronous;
    messages[count][4] = (int)(1e6 * (MPI_Wtime() - began));
    messages[count++][5] = waited;
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    waited++;
    return MPI_Wait(request, status);
}

#define SENDS(call, integer, is_synchronous)                                                       \
    int P##call(const void *data, integer number, MPI_Datatype type, int dst, int tag,             \
                MPI_Comm comm, MPI_Request *request)                                               \
    {                                                                                              \
        keep((int)number, type, dst, tag, comm, is_synchronous);                                        \
        return call(data, number, type, dst, tag, comm, request);                                  \
    }

SENDS(MPI_Isend, int, 0)
SENDS(MPI_Issend, int, 1)
#if MPI_VERSION >= 4
SENDS(MPI_Isend_c, MPI_Count, 0)
SENDS(MPI_Issend_c, MPI_Count, 1)
#endif

static void print_messages(int rank, int ranks)
{
    static int all[MAX_RANKS * MAX_MESSAGES][COLUMNS];
    int counts[MAX_RANKS], places[MAX_RANKS], own = COLUMNS * count, at = 0;
    MPI_Gather(&own, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ranks; i++) {
        places[i] = at;
        at += counts[i];
    }
    MPI_Gatherv(messages, own, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < at / COLUMNS; i++)
        printf("%s[%d, %d, %d, %d, %d, %d]", i > 0 ? ", " : "[", all[i][0], all[i][1], all[i][2],
               all[i][3], all[i][4], all[i][5]);
    if (rank == 0)
        printf("]\n");
}

static void exchange(int bytes, int is_typed, const char *sent, char *received, int ranks)
{
    int counts[MAX_RANKS], places[MAX_RANKS];
    MPI_Datatype types[MAX_RANKS];
    for (int i = 0; i < ranks; i++) {
        counts[i] = bytes;
        places[i] = i * bytes;
        types[i] = MPI_CHAR;
    }
    if (is_typed)
        MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, MPI_COMM_WORLD);
    else
        MPI_Alltoall(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    char names[MAX_RANKS][2] = {{0}};
    const char *hosts[MAX_RANKS];
    for (int i = 0; i < MAX_RANKS; i++) {
        names[i][0] = argc > 1 && strlen(argv[1]) > 2 * (size_t)i ? argv[1][2 * i] : 'a';
        hosts[i] = names[i];
    }
    name_host(hosts, MAX_RANKS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MAX_RANKS || argc < 3 || strlen(argv[1]) < 2 * (size_t)ranks - 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 2; i < argc; i++) {
        const int bytes = abs(atoi(argv[i])), is_typed = argv[i][0] == '-';
        char *sent = calloc((size_t)ranks, (size_t)bytes);
        char *received = calloc((size_t)ranks, (size_t)bytes);
        exchange(bytes, is_typed, sent, received, ranks);
        MPI_Barrier(MPI_COMM_WORLD);
        count = 0; /* of a first call the messages may be of what the ranks agree on */
        waited = 0;
        began = MPI_Wtime();
        exchange(bytes, is_typed, sent, received, ranks);
        print_messages(rank, ranks);
        free(sent);
        free(received);
    }
    MPI_Finalize();
    return 0;
}
