/* Communicators that come and go, threads, and wrong arguments; every result is checked.
 *
 *   lives communicators COUNT | threads COUNT | errors
 *
 * prints {"calls": C, "held": H} after MPI_Finalize: calls that lg_balanced and paced served, and
 * pieces of memory, communicators and requests that the library still has. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "required.h"

enum { MOST_GROWTH = 1024 }; /* KiB */

static int times;

static void exchange(MPI_Comm comm, int salt)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *sent = malloc((size_t)ranks * sizeof *sent),
        *received = malloc((size_t)ranks * sizeof *sent);
    for (int i = 0; i < ranks; i++)
        sent[i] = salt + 1000 * rank + i;
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
    for (int i = 0; i < ranks; i++)
        require(received[i] == salt + 1000 * i + rank, "a block is wrong");
    free(sent);
    free(received);
}

static void *exchange_often(void *comm)
{
    for (int i = 0; i < times; i++)
        exchange(*(MPI_Comm *)comm, i);
    return NULL;
}

static long held(void)
{
    long (*held_of)(const char *);
    *(void **)&held_of = dlsym(RTLD_DEFAULT, "contend_exchange_held");
    return held_of == NULL ? -1
                           : held_of("memory") + held_of("communicators") + held_of("requests");
}

static long most_kibibytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* From the first fifth of them on nothing grows. */
static void use_communicators(void)
{
    long held_early = 0, kibibytes_early = 0;
    for (int i = 0; i < times; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        exchange(comm, i);
        MPI_Comm_free(&comm);
        if (i == times / 5) {
            held_early = held();
            kibibytes_early = most_kibibytes();
        }
    }
    require(held() == held_early, "the library has more than before");
    require(most_kibibytes() - kibibytes_early < MOST_GROWTH, "the process has grown");
}

static void use_threads(void)
{
    MPI_Comm comms[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, exchange_often, &comms[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* The same class as the native call, and the communicator works before and after. An
 * intercommunicator is served by the library itself. */
static void use_errors(void)
{
    int from[64] = {0}, to[64] = {0}, rank;
    MPI_Comm half, between;
    exchange(MPI_COMM_WORLD, 5);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int ours = MPI_Alltoall(from, -1, MPI_INT, to, -1, MPI_INT, MPI_COMM_WORLD);
    const int native = PMPI_Alltoall(from, -1, MPI_INT, to, -1, MPI_INT, MPI_COMM_WORLD);
    require(ours != MPI_SUCCESS && class_of(ours) == class_of(native), "a negative count passes");
    const int untyped = MPI_Alltoall(from, 1, MPI_DATATYPE_NULL, to, 1, MPI_INT, MPI_COMM_WORLD);
    require(class_of(untyped) == MPI_ERR_TYPE, "a null type passes");
    exchange(MPI_COMM_WORLD, 6);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
    from[0] = from[1] = from[2] = rank % 2;
    require(MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, between) == MPI_SUCCESS, "no exchange");
    require(to[0] == 1 - rank % 2, "a block between groups is wrong");
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    setenv("CONTEND_EXCHANGE_HOST", rank % 2 ? "b" : "a", 1);
    times = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(argv[1], "communicators") == 0)
        use_communicators();
    else if (strcmp(argv[1], "threads") == 0)
        provided == MPI_THREAD_MULTIPLE ? use_threads() : (void)0;
    else
        use_errors();
    MPI_Finalize();
    long (*calls)(const char *);
    *(void **)&calls = dlsym(RTLD_DEFAULT, "contend_exchange_calls");
    if (calls == NULL)
        return 4;
    if (rank == 0)
        printf("{\"calls\": %ld, \"held\": %ld}\n", calls("lg_balanced") + calls("paced"), held());
    return 0;
}
