/* Steps in which each rank receives from anybody, by requests, more than it has time for: messages
 * of later steps wait already. What comes is checked. anybody STEPS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { EACH = 3, RANKS = 16 };

int main(int count, char **words)
{
    int rank, n;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int step = 0; step < atoi(words[1]); step++) {
        MPI_Request open[2 * EACH * RANKS];
        int in[EACH * RANKS], out = 1000 * step + rank, requests = 0, sum = 0;
        const int others = EACH * (n - 1);
        for (int i = 0; i < others; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &open[requests++]);
        for (int i = 0; i < EACH; i++)
            for (int d = 1; d < n; d++)
                MPI_Isend(&out, 1, MPI_INT, (rank + d) % n, step, MPI_COMM_WORLD,
                          &open[requests++]);
        MPI_Waitall(requests, open, MPI_STATUSES_IGNORE);
        for (int i = 0; i < others; i++)
            sum += in[i] - 1000 * step;
        if (sum != EACH * (n * (n - 1) / 2 - rank))
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return 0;
}
