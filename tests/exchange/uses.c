/* What correct programs may do with communicators, threads and errors; every result is checked.
 *
 *   uses MODE [COUNT]
 *
 * MODE is one of those at the end of this file; what it prints, modes.h says. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#include <mpi-ext.h>
#endif

#include "modes.h"

enum { COUNT = 3, TIMES = 10, LATE_US = 1000, LONG = 20000, MOST_GROWTH_KIB = 1024 };

static int called;
static MPI_Comm world = MPI_COMM_WORLD;

static void *exchange_often(void *comm)
{
    for (int i = 0; i < times; i++)
        exchange(*(MPI_Comm *)comm, 1, i);
    return NULL;
}

/* Deletes an attribute; its value is the communicator to exchange on. */
static int exchange_at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    exchange(*(MPI_Comm *)value, 1, 5);
    called++;
    return MPI_SUCCESS;
}

static int make_key(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, exchange_at_end, &key, NULL);
    return key;
}

/* A callback of MPI_Finalize exchanges, and three of the ranks have exchanged before. */
static void use_ending(void)
{
    int sent[3] = {0, 1, 2}, received[3];
    MPI_Comm half;
    MPI_Comm_set_attr(MPI_COMM_SELF, make_key(), &world);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 3 ? 0 : MPI_UNDEFINED, rank, &half);
    if (rank >= 3)
        return;
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, half);
    MPI_Comm_free(&half);
}

/* The first exchange on a communicator while it is being copied. */
static void use_copies(void)
{
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm comm, copy;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_idup(comm, &copy, &request);
        if ((rank + i) % 3 == 0)
            usleep(LATE_US);
        exchange(comm, COUNT, 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&comm);
    }
}

/* The first exchange on one communicator while another is copied, which the last rank joins when it
 * hears of the exchange. */
static void use_copied(void)
{
    int sent[2] = {10 * rank, 10 * rank + 1}, received[2], word = 0;
    const int last = ranks - 1;
    MPI_Comm pair, copy;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : 1, rank, &pair);
    if (rank == last)
        MPI_Recv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    if (rank < 2) {
        MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, pair);
        require(received[0] == rank && received[1] == 10 + rank, "a block of a pair is wrong");
    }
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, last, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&pair);
}

/* A communicator of a session beside those of MPI_Init. */
static void use_session(void)
{
#if MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "rare", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    exchange(comm, COUNT, 1);
    exchange(MPI_COMM_WORLD, COUNT, 2);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
#endif
}

/* A rank revokes the communicator on which the others wait for it. */
static void use_revoked(void)
{
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
    int sent[COUNT * MOST] = {0}, received[COUNT * MOST], class = MPI_SUCCESS;
    MPI_Comm comm, left;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    exchange(comm, COUNT, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* it is over at all ranks */
    if (rank == 0)
        MPIX_Comm_revoke(comm);
    else
        MPI_Error_class(MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm), &class);
    require(rank == 0 || class == MPIX_ERR_REVOKED, "an exchange ends that cannot");
    MPIX_Comm_shrink(comm, &left);
    exchange(left, COUNT, 3);
    MPI_Comm_free(&left);
    MPI_Comm_free(&comm);
#endif
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

/* In a callback of an attribute of MPI_COMM_SELF, when MPI_Finalize deletes it. */
static void use_finalized(void)
{
    const int key = make_key();
    if (rank % 2)
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &world);
    exchange(MPI_COMM_WORLD, 1, 1);
    if (rank % 2 == 0)
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &world);
    exchange(MPI_COMM_WORLD, 1, 2);
}

/* Two threads of rank 0 on two communicators, which the others use one after the other. */
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

/* On communicators that are freed while their calls are timed. */
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
        exchange(comm, 1, i);
        MPI_Comm_free(&comm);
        if (i == times / 5) {
            held_early = held();
            kibibytes_early = most_kibibytes();
        }
    }
    require(held() == held_early, "the library has more than before");
    require(most_kibibytes() - kibibytes_early < MOST_GROWTH_KIB, "the process has grown");
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
    int from[64] = {0}, to[64] = {0};
    MPI_Comm half, between;
    exchange(MPI_COMM_WORLD, 1, 5);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int ours = MPI_Alltoall(from, -1, MPI_INT, to, -1, MPI_INT, MPI_COMM_WORLD);
    const int native = PMPI_Alltoall(from, -1, MPI_INT, to, -1, MPI_INT, MPI_COMM_WORLD);
    require(ours != MPI_SUCCESS && class_of(ours) == class_of(native), "a negative count passes");
    const int untyped = MPI_Alltoall(from, 1, MPI_DATATYPE_NULL, to, 1, MPI_INT, MPI_COMM_WORLD);
    require(class_of(untyped) == MPI_ERR_TYPE, "a null type passes");
    exchange(MPI_COMM_WORLD, 1, 6);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
    from[0] = from[1] = from[2] = rank % 2;
    require(MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, between) == MPI_SUCCESS, "no exchange");
    require(to[0] == 1 - rank % 2, "a block between groups is wrong");
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static const struct mode modes[] = {
    {"ending", use_ending, 0},       {"copies", use_copies, 0},
    {"copied", use_copied, 0},       {"session", use_session, 0},
    {"revoked", use_revoked, 0},     {"freed", use_freed, 0},
    {"finalized", use_finalized, 0}, {"unfinished", use_unfinished, 0},
    {"errors", use_errors, 0},       {"crossed", use_crossed, 1},
    {"threads", use_threads, 1},     {"communicators", use_communicators, 1},
};

int main(int argc, char **argv) { return run_mode(modes, argc, argv); }
