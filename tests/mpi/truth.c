/* Preloaded by tests into ranks: when MPI is over, the instants at which MPI_Alltoall ended, by the
 * kernel's clock whatever other libraries show, are in the file TRUTH.<rank>, in nanoseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 100000

static long long ended[MOST];
static int count = 0;

int MPI_Alltoall(const void *sent, int m, MPI_Datatype type, void *received, int n,
                 MPI_Datatype other, MPI_Comm comm)
{
    struct timespec now = {0, 0};
    const int code = PMPI_Alltoall(sent, m, type, received, n, other, comm);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    if (count < MOST)
        ended[count++] = now.tv_sec * 1000000000LL + now.tv_nsec;
    return code;
}

int MPI_Finalize(void)
{
    char path[4096];
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%d", getenv("TRUTH"), rank);
    FILE *file = fopen(path, "w");
    for (int i = 0; file != NULL && i < count; i++)
        fprintf(file, "%lld\n", ended[i]);
    if (file != NULL)
        fclose(file);
    return PMPI_Finalize();
}
