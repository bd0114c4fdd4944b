/* What the programs of this folder share. */
#ifndef CONTEND_TESTS_REQUIRED_H
#define CONTEND_TESTS_REQUIRED_H

#include <mpi.h>
#include <stdio.h>

/* Ends all ranks where it is not true, and says what is wrong at which rank. */
static void require(int is_true, const char *what)
{
    int rank = -1;
    if (is_true)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s\n", rank, what);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

#endif
