/* Calls one operation again and again and checks what comes: what it is tried on.
 *
 *   tried OPERATION BYTES CALLS
 *
 * OPERATION: alltoall, allreduce (a maximum of integers), sum (of doubles), bcast. Ends before
 * CALLS are made where planted.c says so. Prints "wrong N". $TRIED_HOSTS: 2, for hosts of so many
 * names. $TRIED_UNTIL: ends some calls after that algorithm of the exchange library has served, and
 * prints "served 1". $TRIED_MEMORY: what the plan of rank 1 allows for scratch, unlike that of others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int planted_is_over __attribute__((weak));
extern long contend_exchange_calls(const char *algorithm) __attribute__((weak));

static int rank, ranks;

static int alltoall(int *sent, int *received, int count, int call)
{
    int wrong = 0;
    for (int i = 0; i < ranks * count; i++)
        sent[i] = call + 1000 * rank + i / count;
    memset(received, 0xff, (size_t)(ranks * count) * sizeof *received);
    MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks * count; i++)
        wrong += received[i] != call + 1000 * (i / count) + rank;
    return wrong;
}

static int allreduce(int *sent, int *received, int count, int call)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        sent[i] = call + rank * (i % 3 - 1);
    MPI_Allreduce(sent, received, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        wrong += received[i] != call + (i % 3 == 2 ? ranks - 1 : 0);
    return wrong;
}

static int sum(int *sent, int *received, int count, int call)
{
    int wrong = 0;
    double *own = (double *)(void *)sent, *all = (double *)(void *)received;
    for (int i = 0; i < count / 2; i++)
        own[i] = call;
    MPI_Allreduce(own, all, count / 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count / 2; i++)
        wrong += all[i] != (double)call * ranks;
    return wrong;
}

static int bcast(int *sent, int *received, int count, int call)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        sent[i] = rank == call % ranks ? call + i : -1;
    MPI_Bcast(sent, count, MPI_INT, call % ranks, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        wrong += sent[i] != call + i;
    (void)received;
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*call)(int *, int *, int, int);
    } operations[] = {
        {"alltoall", alltoall}, {"allreduce", allreduce}, {"sum", sum}, {"bcast", bcast}};
    if (argc != 4)
        return 2;
    const char *hosts = getenv("TRIED_HOSTS"), *memory = getenv("TRIED_MEMORY");
    const char *launched = getenv("PMI_RANK") != NULL ? getenv("PMI_RANK") : getenv("PMIX_RANK");
    if (memory != NULL && launched != NULL && atoi(launched) == 1)
        setenv("CONTEND_EXCHANGE_MEMORY", memory, 1);
    if (hosts != NULL && launched != NULL) /* in MPI_Init ranks tell each other where they are */
        setenv("CONTEND_EXCHANGE_HOST", atoi(launched) % atoi(hosts) ? "b" : "a", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int count = atoi(argv[2]) / (int)sizeof(int), calls = atoi(argv[3]);
    int *sent = calloc((size_t)(ranks * count), sizeof *sent);
    int *received = calloc((size_t)(ranks * count), sizeof *received);
    const char *until = getenv("TRIED_UNTIL");
    int wrong = 0, all = 0, served = 0;
    for (int call = 0; call < calls; call++) {
        if (&planted_is_over != NULL && planted_is_over)
            break;
        if (until != NULL && contend_exchange_calls != NULL && contend_exchange_calls(until) > 0)
            served++;
        if (served > 20)
            break;
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
            if (strcmp(operations[i].name, argv[1]) == 0)
                wrong += operations[i].call(sent, received, count, call);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong %d\nserved %d\n", all, served > 0);
    free(sent);
    free(received);
    return MPI_Finalize();
}
