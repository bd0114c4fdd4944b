/* A program whose collective calls are known:  watched COMMAND [NUMBER [NUMBER]] */
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, ranks, a, b;
static char sent[1 << 22], received[1 << 22];
#define WORLD MPI_COMM_WORLD

static void sum(MPI_Comm comm)
{
    int mine = 1, all = 0, n = 0;
    MPI_Comm_size(comm, &n);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
    if (all != n)
        MPI_Abort(WORLD, 9);
}

static void sums(void)
{
    for (int i = 0; i < a; i++)
        sum(WORLD);
}

/* Rank r comes r times `b` microseconds late to each of `a` calls. */
static void late(void)
{
    for (int i = 0; i < a; i++) {
        MPI_Barrier(WORLD);
        usleep((useconds_t)(rank * b));
        sum(WORLD);
    }
}

/* A call of every operation, each with its own size; see EVERY in the test. */
static void every(void)
{
    int counts[64], places[64];
    MPI_Datatype types[64];
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1 + i;
        places[i] = i * ranks;
        types[i] = MPI_CHAR;
    }
    MPI_Bcast(sent, 10, MPI_CHAR, 0, WORLD);
    MPI_Scatter(sent, 20, MPI_CHAR, rank == 0 ? MPI_IN_PLACE : received, 20, MPI_CHAR, 0, WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : sent, 40, MPI_CHAR, received, 40, MPI_CHAR, 0, WORLD);
    MPI_Scatterv(sent, counts, places, MPI_CHAR, received, 1 + rank, MPI_CHAR, 0, WORLD);
    MPI_Gatherv(sent, 1 + rank, MPI_CHAR, received, counts, places, MPI_CHAR, 0, WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_CHAR, received, 80, MPI_CHAR, WORLD);
    MPI_Allgather(sent, 160, MPI_CHAR, received, 160, MPI_CHAR, WORLD);
    MPI_Allgatherv(sent, 1 + rank, MPI_CHAR, received, counts, places, MPI_CHAR, WORLD);
    for (int i = 0; i < ranks; i++)
        counts[i] = 320, places[i] = 320 * i;
    MPI_Alltoallv(sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR, WORLD);
    MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, WORLD);
    MPI_Reduce(sent, received, 640, MPI_CHAR, MPI_BOR, 0, WORLD);
    MPI_Allreduce(sent, received, 1280, MPI_CHAR, MPI_BOR, WORLD);
    MPI_Reduce_scatter(sent, received, counts, MPI_CHAR, MPI_BOR, WORLD);
    MPI_Reduce_scatter_block(sent, received, 2560, MPI_CHAR, MPI_BOR, WORLD);
    MPI_Scan(sent, received, 5120, MPI_CHAR, MPI_BOR, WORLD);
    MPI_Exscan(sent, received, 10240, MPI_CHAR, MPI_BOR, WORLD);
    MPI_Barrier(WORLD);
#if MPI_VERSION >= 4
    MPI_Allreduce_c(sent, received, 1280, MPI_CHAR, MPI_BOR, WORLD);
#endif
    MPI_Bcast(sent, 10, MPI_CHAR, 0, MPI_COMM_SELF); /* which is not watched */
}

/* Calls that are counted by their names. */
static void others(void)
{
    MPI_Request request;
    MPI_Comm ring, half, between;
    int mine = 1, all = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Cart_create(WORLD, 1, &ranks, &(int){1}, 0, &ring);
    for (int i = 0; i < 2; i++)
        MPI_Neighbor_alltoall(sent, 1, MPI_CHAR, received, 1, MPI_CHAR, ring);
#if MPI_VERSION >= 4
    MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
    MPI_Request_free(&request);
#endif
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, WORLD, (rank + 1) % 2, 1, &between);
    MPI_Comm_remote_size(between, &size);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, between);
    if (all != size)
        MPI_Abort(WORLD, 9);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Comm_free(&ring);
}

/* `a` communicators one after another, each with `b` calls. */
static void communicators(void)
{
    for (int i = 0; i < a; i++) {
        MPI_Comm copy;
        if (i % 2)
            MPI_Comm_dup(WORLD, &copy);
        else
            MPI_Comm_split(WORLD, rank / 2, rank, &copy);
        for (int k = 0; k < b; k++)
            sum(copy);
        MPI_Comm_free(&copy);
    }
}

/* More keys than the table has rows: seven operations of 22 sizes. */
static void keys(void)
{
    for (int bits = 0; bits < 22; bits++) {
        const int m = bits == 0 ? 0 : 1 << (bits - 1), block = m / ranks;
        MPI_Bcast(sent, m, MPI_CHAR, 0, WORLD);
        MPI_Reduce(sent, received, m, MPI_CHAR, MPI_BOR, 0, WORLD);
        MPI_Allreduce(sent, received, m, MPI_CHAR, MPI_BOR, WORLD);
        MPI_Scan(sent, received, m, MPI_CHAR, MPI_BOR, WORLD);
        MPI_Exscan(sent, received, m, MPI_CHAR, MPI_BOR, WORLD);
        MPI_Allgather(sent, block, MPI_CHAR, received, block, MPI_CHAR, WORLD);
        MPI_Alltoall(sent, block, MPI_CHAR, received, block, MPI_CHAR, WORLD);
        MPI_Gather(sent, block, MPI_CHAR, received, block, MPI_CHAR, 0, WORLD);
    }
}

static void *calls_of_thread(void *comm)
{
    for (int i = 0; i < b; i++)
        sum(*(MPI_Comm *)comm);
    return NULL;
}

/* `a` threads with `b` calls each, each on a communicator of its own. */
static void threads(void)
{
    MPI_Comm comms[32];
    pthread_t all[32];
    for (int i = 0; i < a; i++)
        MPI_Comm_dup(WORLD, &comms[i]);
    for (int i = 0; i < a; i++)
        pthread_create(&all[i], NULL, calls_of_thread, &comms[i]);
    for (int i = 0; i < a; i++)
        pthread_join(all[i], NULL);
    for (int i = 0; i < a; i++)
        MPI_Comm_free(&comms[i]);
}

static void end_by_exit(void)
{
    sums();
    exit(rank == 0 ? 3 : 0);
}

static void abort_job(void)
{
    sums();
    if (rank == ranks - 1)
        MPI_Abort(WORLD, 4);
    for (;;)
        pause();
}

/* Calls for `a` milliseconds, then a rank is killed. */
static void killed(void)
{
    for (int i = 0; i < a; i++) {
        usleep(1000);
        sum(WORLD);
    }
    if (rank == 0)
        raise(SIGKILL);
    for (;;)
        pause();
}

static void forks(void)
{
    sums();
    const pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

static void spawns(const char *self)
{
    MPI_Comm children, all;
    char *words[] = {"child", "3", NULL};
    MPI_Comm_spawn(self, words, 2, MPI_INFO_NULL, 0, WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(children, 0, &all);
    sum(all);
    sums();
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&children);
}

static void child(void)
{
    MPI_Comm parent, all;
    MPI_Comm_get_parent(&parent);
    MPI_Intercomm_merge(parent, 1, &all);
    sum(all);
    sums();
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&parent);
}

static void speaks_german(void)
{
    setlocale(LC_ALL, "de_DE.UTF-8");
    if (chdir("/") != 0)
        MPI_Abort(WORLD, 8);
    sums();
}

static const struct {
    const char *name;
    void (*run)(void);
} commands[] = {{"sums", sums},       {"late", late},         {"every", every},
                {"others", others},   {"keys", keys},         {"communicators", communicators},
                {"threads", threads}, {"exit", end_by_exit},  {"abort", abort_job},
                {"killed", killed},   {"forks", forks},       {"child", child},
                {"german", speaks_german}};

int main(int argc, char **argv)
{
    const int is_threaded = argc > 1 && strcmp(argv[1], "threads") == 0;
    int given = 0;
    MPI_Init_thread(&argc, &argv, is_threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &given);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    a = argc > 2 ? atoi(argv[2]) : 0;
    b = argc > 3 ? atoi(argv[3]) : 0;
    if (is_threaded && given < MPI_THREAD_MULTIPLE)
        a = 0;
    if (strcmp(argv[1], "spawns") == 0)
        spawns(argv[0]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            commands[i].run();
    MPI_Finalize();
    puts("ended");
    return 0;
}
