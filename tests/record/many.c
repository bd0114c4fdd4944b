/* Thousands of requests of a rank to itself, ended by one call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES = 3000 };

int main(int count, char **words)
{
    static MPI_Request requests[2 * MESSAGES];
    static int in[MESSAGES], out[MESSAGES];
    int sum = 0;
    MPI_Init(&count, &words);
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = 1;
        MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_SELF, &requests[i]);
    }
    for (int i = 0; i < MESSAGES; i++)
        MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[MESSAGES + i]);
    MPI_Waitall(2 * MESSAGES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MESSAGES; i++)
        sum += in[i];
    puts(sum == MESSAGES ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
