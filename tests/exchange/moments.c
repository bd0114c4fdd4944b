/* Exchanges at moments at which few programs make them; every result is checked.
 *
 *   moments freed COUNT | finalized | crossed | unfinished COUNT | truncated
 *
 * freed: in a callback of an attribute of the communicator that is being freed, COUNT times.
 * finalized: in a callback of an attribute of MPI_COMM_SELF, when MPI_Finalize deletes it.
 * crossed: two threads of rank 0 on two communicators, which the others use one after the other.
 * unfinished: on COUNT communicators that are freed while their calls are timed.
 * truncated: one rank has too little room for what comes, and all go on.
 *
 * prints {"right": 1, "served": S, "held": H} after MPI_Finalize: calls that were not the MPI
 * library's by rank 0, and pieces that the exchange library still has. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "required.h"

enum { MOST_RANKS = 8, LONG = 20000, CALLS = 20 };

static int rank, ranks, times, called;

static int value(int src, int dst, int salt) { return 10000 * salt + 100 * src + dst; }

/* `width` ints from each rank to each other. */
static void exchange(MPI_Comm comm, int width, int salt)
{
    const size_t bytes = (size_t)ranks * (size_t)width * sizeof(int);
    int *sent = malloc(bytes), *received = malloc(bytes);
    for (int i = 0; i < ranks * width; i++)
        sent[i] = value(rank, i / width, salt);
    MPI_Alltoall(sent, width, MPI_INT, received, width, MPI_INT, comm);
    for (int i = 0; i < ranks * width; i++)
        require(received[i] == value(i / width, rank, salt), "a block is wrong");
    free(sent);
    free(received);
}

/* Deletes an attribute; its value is the communicator to exchange on. */
static int exchange_at_the_end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    exchange(*(MPI_Comm *)value, 1, 5);
    called++;
    return MPI_SUCCESS;
}

static int make_key(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, exchange_at_the_end, &key, NULL);
    return key;
}

/* Some have the attribute before the exchange library has its own, others after that; in turns
 * each rank is one of those. */
static void use_freed(void)
{
    int key = make_key();
    for (int i = 0; i < times; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const int is_early = i % 3 == 2 ? rank % 2 : i % 3;
        if (is_early)
            MPI_Comm_set_attr(comm, key, &comm);
        exchange(comm, 1, i);
        if (!is_early)
            MPI_Comm_set_attr(comm, key, &comm);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_free_keyval(&key);
    require(called == times, "a callback was not called");
}

static void use_finalized(void)
{
    static MPI_Comm world = MPI_COMM_WORLD;
    const int key = make_key();
    if (rank % 2)
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &world);
    exchange(MPI_COMM_WORLD, 1, 1);
    if (rank % 2 == 0)
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &world);
    exchange(MPI_COMM_WORLD, 1, 2);
}

static void *exchange_often(void *comm)
{
    for (int i = 0; i < CALLS; i++)
        exchange(*(MPI_Comm *)comm, 1, i);
    return NULL;
}

static void use_crossed(void)
{
    MPI_Comm comms[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++) {
        const int which = 1 - i;
        pthread_create(&threads[i], NULL, exchange_often, &comms[which]);
        if (rank != 0)
            pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < 2; i++) {
        if (rank == 0)
            pthread_join(threads[i], NULL);
        MPI_Comm_free(&comms[1 - i]);
    }
}

static void use_unfinished(void)
{
    for (int i = 0; i < times; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int call = 0; call <= i % 6; call++)
            exchange(comm, LONG, call);
        MPI_Comm_free(&comm);
    }
}

static void use_truncated(void)
{
    int counts[MOST_RANKS], places[MOST_RANKS], room[MOST_RANKS];
    int sent[4 * MOST_RANKS], received[4 * MOST_RANKS];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int call = 0; call < CALLS; call++) {
        for (int i = 0; i < 4 * ranks; i++)
            sent[i] = value(rank, i / 4, call);
        for (int i = 0; i < ranks; i++) {
            counts[i] = 4;
            places[i] = 4 * i;
            room[i] = rank == call % ranks && i == (rank + 1) % ranks ? 3 : 4;
        }
        const int code = MPI_Alltoallv(sent, counts, places, MPI_INT, received, room, places,
                                       MPI_INT, MPI_COMM_WORLD);
        require((code != MPI_SUCCESS) == (rank == call % ranks),
                "a truncated block is not reported, or elsewhere");
        for (int i = 0; i < 4 * ranks; i++)
            require((rank == call % ranks && i / 4 == (rank + 1) % ranks) ||
                        received[i] == value(i / 4, rank, call),
                    "a block beside a truncated one is wrong");
        exchange(MPI_COMM_WORLD, 2, call);
    }
}

static void report(void)
{
    static const char *const names[] = {"paced", "throttled_pairwise", "lg_balanced", "node_aware"};
    long (*calls)(const char *), (*held)(const char *), served = 0;
    *(void **)&calls = dlsym(RTLD_DEFAULT, "contend_exchange_calls");
    *(void **)&held = dlsym(RTLD_DEFAULT, "contend_exchange_held");
    if (calls == NULL || held == NULL)
        exit(4);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        served += calls(names[i]);
    printf("{\"right\": 1, \"served\": %ld, \"held\": %ld}\n", served,
           held("memory") + held("communicators") + held("requests"));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*use)(void);
    } modes[] = {{"freed", use_freed},
                 {"finalized", use_finalized},
                 {"crossed", use_crossed},
                 {"unfinished", use_unfinished},
                 {"truncated", use_truncated}};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    require(argc >= 2 && ranks <= MOST_RANKS, "a mode and at most 8 ranks");
    setenv("CONTEND_EXCHANGE_HOST", rank % 2 ? "b" : "a", 1);
    times = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(argv[1], modes[i].name) == 0 &&
            (modes[i].use != use_crossed || provided == MPI_THREAD_MULTIPLE))
            modes[i].use();
    MPI_Finalize();
    if (rank == 0)
        report();
    return 0;
}
