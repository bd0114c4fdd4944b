/* Steps of a stencil: some computation, messages to and from both neighbours, a sum.
 *   steps STEPS */
#include <mpi.h>
#include <stdlib.h>

int main(int count, char **words)
{
    int rank, ranks;
    double sum = 1, all, sent = 1, received[2];
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < atoi(words[1]); step++) {
        for (int i = 0; i < 2000; i++)
            sum = sum * 0.5 + 1;
        MPI_Request requests[4];
        for (int side = 0; side < 2; side++) {
            const int other = (rank + (side ? 1 : ranks - 1)) % ranks;
            MPI_Irecv(&received[side], 1, MPI_DOUBLE, other, side, MPI_COMM_WORLD,
                      &requests[2 * side]);
            MPI_Isend(&sent, 1, MPI_DOUBLE, other, 1 - side, MPI_COMM_WORLD,
                      &requests[2 * side + 1]);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
