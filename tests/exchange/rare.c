/* What correct programs may do and few do; every result is checked.
 *
 *   rare ending | copies | copied | one_array | absolute | untyped | session | revoked
 *
 * prints {"calls": C, "held": H} after MPI_Finalize: calls that lg_balanced has served, and pieces
 * of memory, communicators and requests that the library still has. What this MPI lacks is left
 * out. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#include <mpi-ext.h>
#endif

#include "required.h"

enum { COUNT = 3, MOST = 8, TIMES = 10, LATE_US = 1000 };

static int rank, ranks;

static void fill(int *sent)
{
    for (int i = 0; i < COUNT * ranks; i++)
        sent[i] = 1000 * rank + i;
}

static void check(const int *received)
{
    for (int i = 0; i < COUNT * ranks; i++)
        require(received[i] == 1000 * (i / COUNT) + COUNT * rank + i % COUNT, "a block is wrong");
}

/* On a communicator of all ranks in their order. */
static void exchange(MPI_Comm comm)
{
    int sent[COUNT * MOST], received[COUNT * MOST];
    fill(sent);
    MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm);
    check(received);
}

static int exchange_at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    exchange(MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

/* A callback of MPI_Finalize exchanges, and three of the ranks have exchanged before. */
static void use_ending(void)
{
    int key = MPI_KEYVAL_INVALID, sent[3] = {0, 1, 2}, received[3];
    MPI_Comm half;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, exchange_at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
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
        exchange(comm);
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

/* One rank receives into the second half of what it sends from, by a type with a displacement. */
static void use_one_array(void)
{
    int both[2 * COUNT * MOST];
    const int half = COUNT * ranks;
    MPI_Datatype block, behind;
    MPI_Type_create_indexed_block(1, COUNT, &half, MPI_INT, &block);
    MPI_Type_create_resized(block, 0, COUNT * sizeof(int), &behind);
    MPI_Type_commit(&behind);
    fill(both);
    if (rank == 0)
        MPI_Alltoall(both, COUNT, MPI_INT, both, 1, behind, MPI_COMM_WORLD);
    else
        MPI_Alltoall(both, COUNT, MPI_INT, both + half, COUNT, MPI_INT, MPI_COMM_WORLD);
    check(both + half);
    MPI_Type_free(&behind);
    MPI_Type_free(&block);
}

/* One rank gives MPI_BOTTOM, and displacements from there. */
static void use_absolute_places(void)
{
    const size_t bytes = 2 * COUNT * MOST * sizeof(int);
    int *both =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    int counts[MOST], from[MOST], to[MOST];
    require(both != MAP_FAILED, "no memory below 2 GiB");
    const int base = rank == 0 ? (int)((uintptr_t)both / sizeof(int)) : 0;
    for (int i = 0; i < ranks; i++) {
        counts[i] = COUNT;
        from[i] = base + COUNT * i;
        to[i] = base + COUNT * (ranks + i);
    }
    void *buffer = rank == 0 ? MPI_BOTTOM : both;
    fill(both);
    MPI_Alltoallv(buffer, counts, from, MPI_INT, buffer, counts, to, MPI_INT, MPI_COMM_WORLD);
    check(both + COUNT * ranks);
}

/* A type that is not committed is an error after which the communicator works. */
static void use_uncommitted(void)
{
    int sent[2 * MOST] = {0}, received[2 * MOST], class = MPI_SUCCESS;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Alltoall(sent, 1, pair, received, 1, pair, MPI_COMM_WORLD), &class);
    require(class == MPI_ERR_TYPE, "a type that is not committed passes");
    MPI_Type_free(&pair);
    exchange(MPI_COMM_WORLD);
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
    exchange(comm);
    exchange(MPI_COMM_WORLD);
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
    exchange(comm);
    MPI_Barrier(MPI_COMM_WORLD); /* it is over at all ranks */
    if (rank == 0)
        MPIX_Comm_revoke(comm);
    else
        MPI_Error_class(MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, MPI_INT, comm), &class);
    require(rank == 0 || class == MPIX_ERR_REVOKED, "an exchange ends that cannot");
    MPIX_Comm_shrink(comm, &left);
    exchange(left);
    MPI_Comm_free(&left);
    MPI_Comm_free(&comm);
#endif
}

static const struct {
    const char *name;
    void (*use)(void);
} uses[] = {{"ending", use_ending},
            {"copies", use_copies},
            {"copied", use_copied},
            {"one_array", use_one_array},
            {"absolute", use_absolute_places},
            {"untyped", use_uncommitted},
            {"session", use_session},
            {"revoked", use_revoked}};

int main(int argc, char **argv)
{
    long (*held)(const char *), (*calls)(const char *);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    require(argc == 2 && ranks <= MOST, "one word and at most 8 ranks");
    setenv("CONTEND_EXCHANGE_HOST", rank % 2 ? "b" : "a", 1);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (strcmp(argv[1], uses[i].name) == 0)
            uses[i].use();
    const int is_first = rank == 0;
    MPI_Finalize();
    *(void **)&held = dlsym(RTLD_DEFAULT, "contend_exchange_held");
    *(void **)&calls = dlsym(RTLD_DEFAULT, "contend_exchange_calls");
    if (held == NULL || calls == NULL)
        return 4;
    if (is_first)
        printf("{\"calls\": %ld, \"held\": %ld}\n", calls("lg_balanced"),
               held("memory") + held("communicators") + held("requests"));
    return 0;
}
