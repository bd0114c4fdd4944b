/* A program of several modes, each an exchange whose every block is checked. */
#ifndef CONTEND_TESTS_MODES_H
#define CONTEND_TESTS_MODES_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "required.h"

enum { MOST = 8, CALLS = 20 };

struct mode {
    const char *name;
    void (*use)(void);
    int is_threaded;
};

static int rank, ranks, times;

static inline int value(int src, int dst, int salt) { return 10000 * salt + 100 * src + dst; }

static inline void fill(int *sent, int width, int salt)
{
    for (int i = 0; i < width * ranks; i++)
        sent[i] = value(rank, i / width, salt);
}

static inline void check(const int *received, int width, int salt)
{
    for (int i = 0; i < width * ranks; i++)
        require(received[i] == value(i / width, rank, salt), "a block is wrong");
}

/* `width` ints from each rank to each other, on a communicator of all ranks in their order. */
static inline void exchange(MPI_Comm comm, int width, int salt)
{
    const size_t bytes = (size_t)ranks * (size_t)width * sizeof(int);
    int *sent = malloc(bytes), *received = malloc(bytes);
    fill(sent, width, salt);
    MPI_Alltoall(sent, width, MPI_INT, received, width, MPI_INT, comm);
    check(received, width, salt);
    free(sent);
    free(received);
}

/* Runs the mode that the words name. Prints {"calls": C, "held": H} after MPI_Finalize: calls of
 * rank 0 that were not the MPI library's, and pieces of memory, communicators and requests that the
 * exchange library still has. Stops with a line on stderr at the first result that is not as it
 * should be. What this MPI lacks is left out. */
static inline int run_mode(const struct mode *mode, int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    while (strcmp(argv[1], mode->name) != 0)
        mode++;
    name_host(by_turns, 2);
    if (mode->is_threaded)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    require(ranks <= MOST, "at most 8 ranks");
    times = argc > 2 ? atoi(argv[2]) : CALLS;
    if (!mode->is_threaded || provided == MPI_THREAD_MULTIPLE)
        mode->use();
    MPI_Finalize();
    if (rank == 0)
        printf("{\"calls\": %ld, \"held\": %ld}\n", served(), held());
    return 0;
}

#endif
