/* A plant: loaded behind the library, it delays what MPI_COMM_WORLD's all-to-alls and broadcasts
 * take by $PLANT_US microseconds while the file $PLANT exists. Calls by other algorithms of Open
 * MPI are on other communicators. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void delay(MPI_Comm comm)
{
    const struct timespec pause = {.tv_nsec = 1000 * atol(getenv("PLANT_US"))};
    if (comm == MPI_COMM_WORLD && access(getenv("PLANT"), F_OK) == 0)
        nanosleep(&pause, NULL);
}

int MPI_Alltoall(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                 int received_count, MPI_Datatype received_type, MPI_Comm comm)
{
    delay(comm);
    return PMPI_Alltoall(sent, sent_count, sent_type, received, received_count, received_type,
                         comm);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    delay(comm);
    return PMPI_Bcast(buffer, count, type, root, comm);
}
