/* What correct programs may do and few do; every result is checked.
 *
 *   uses MODE [COUNT]
 *
 * MODE is one of those at the end of this file. Prints {"calls": C, "held": H} after MPI_Finalize:
 * calls of rank 0 that were not the MPI library's, and pieces of memory, communicators and requests
 * that the exchange library still has. Stops with a line on stderr at the first result that is not
 * as it should be. What this MPI lacks is left out. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#include <mpi-ext.h>
#endif

#include "required.h"

enum { COUNT = 3, MOST = 8, TIMES = 10, LATE_US = 1000, LONG = 20000, CALLS = 20 };
enum { KIBI = 1024, MEBI = KIBI * KIBI, GIBI = KIBI * MEBI, MOST_GROWTH_KIB = 1024 };

static int rank, ranks, times, called;
static MPI_Comm world = MPI_COMM_WORLD;

static int value(int src, int dst, int salt) { return 10000 * salt + 100 * src + dst; }

static void fill(int *sent, int width, int salt)
{
    for (int i = 0; i < width * ranks; i++)
        sent[i] = value(rank, i / width, salt);
}

static void check(const int *received, int width, int salt)
{
    for (int i = 0; i < width * ranks; i++)
        require(received[i] == value(i / width, rank, salt), "a block is wrong");
}

/* `width` ints from each rank to each other, on a communicator of all ranks in their order. */
static void exchange(MPI_Comm comm, int width, int salt)
{
    const size_t bytes = (size_t)ranks * (size_t)width * sizeof(int);
    int *sent = malloc(bytes), *received = malloc(bytes);
    fill(sent, width, salt);
    MPI_Alltoall(sent, width, MPI_INT, received, width, MPI_INT, comm);
    check(received, width, salt);
    free(sent);
    free(received);
}

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

/* One rank receives into the second half of what it sends from, by a type with a displacement. */
static void use_one_array(void)
{
    int both[2 * COUNT * MOST];
    const int half = COUNT * ranks;
    MPI_Datatype block, behind;
    MPI_Type_create_indexed_block(1, COUNT, &half, MPI_INT, &block);
    MPI_Type_create_resized(block, 0, COUNT * sizeof(int), &behind);
    MPI_Type_commit(&behind);
    fill(both, COUNT, 0);
    if (rank == 0)
        MPI_Alltoall(both, COUNT, MPI_INT, both, 1, behind, MPI_COMM_WORLD);
    else
        MPI_Alltoall(both, COUNT, MPI_INT, both + half, COUNT, MPI_INT, MPI_COMM_WORLD);
    check(both + half, COUNT, 0);
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
    fill(both, COUNT, 0);
    MPI_Alltoallv(buffer, counts, from, MPI_INT, buffer, counts, to, MPI_INT, MPI_COMM_WORLD);
    check(both + COUNT * ranks, COUNT, 0);
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
    exchange(MPI_COMM_WORLD, COUNT, 2);
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

/* One rank has too little room for what comes, and all go on. */
static void use_truncated(void)
{
    int counts[MOST], places[MOST], room[MOST];
    int sent[4 * MOST], received[4 * MOST];
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

/* Memory that is there when it is touched. */
static char *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(memory != MAP_FAILED, "no addresses for so many bytes");
    return memory;
}

static MPI_Datatype repeated(int count, MPI_Datatype type)
{
    MPI_Datatype made;
    MPI_Type_contiguous(count, type, &made);
    MPI_Type_commit(&made);
    return made;
}

/* One int from each rank to each other, but none from or to `left_out`. */
static void exchange_without(int left_out, MPI_Datatype type, int salt)
{
    int sent[MOST], received[MOST], counts[MOST], places[MOST];
    for (int i = 0; i < ranks; i++) {
        sent[i] = value(rank, i, salt);
        received[i] = -1;
        counts[i] = i != left_out && rank != left_out;
        places[i] = i;
    }
    MPI_Alltoallv(sent, counts, places, type, received, counts, places, type, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        require(received[i] == (counts[i] ? value(i, rank, salt) : -1), "a block is wrong");
}

/* A rank in turn has a type of 3 GiB, and sends and receives none of it. */
static void use_uncounted(void)
{
    MPI_Datatype gibi = repeated(GIBI, MPI_BYTE), giant = repeated(3, gibi);
    for (int call = 0; call < 24; call++)
        exchange_without(call % ranks, call % ranks == rank ? giant : MPI_INT, call);
    MPI_Type_free(&gibi);
    MPI_Type_free(&giant);
}

/* Ranks allow for more than comes, which MPI libraries take. */
static void use_bounds(void)
{
    int sent[9 * MOST], received[9 * MOST];
    int sent_counts[MOST], counts[MOST], places[MOST];
    for (int call = 0; call < 12; call++) {
        for (int i = 0; i < 9 * ranks; i++) {
            sent[i] = value(rank, i / 9, call);
            received[i] = -1;
        }
        for (int i = 0; i < ranks; i++) {
            sent_counts[i] = 1 + (rank + 3 * i + call) % 5;
            counts[i] = 1 + (i + 3 * rank + call) % 5 + (i == rank ? 0 : (i + call) % 3);
            places[i] = 9 * i;
        }
        MPI_Alltoallv(sent, sent_counts, places, MPI_INT, received, counts, places, MPI_INT,
                      MPI_COMM_WORLD);
        for (int i = 0; i < 9 * ranks; i++) {
            const int came = 1 + (i / 9 + 3 * rank + call) % 5;
            require(received[i] == (i % 9 < came ? value(i / 9, rank, call) : -1),
                    "a block of which less came is wrong");
        }
    }
}

/* Some ranks have no elements, others elements of no bytes. */
static void use_empty(void)
{
    MPI_Datatype nothing = repeated(0, MPI_INT);
    int kept = 7, counts[MOST], places[MOST] = {0};
    for (int i = 0; i < ranks; i++)
        counts[i] = rank % 2 ? i : 0;
    for (int call = 0; call < 12; call++) {
        MPI_Datatype type = rank % 2 ? nothing : MPI_INT;
        MPI_Alltoallv(&kept, counts, places, type, &kept + 1, counts, places, type, MPI_COMM_WORLD);
        exchange_without(call % ranks, MPI_INT, call);
    }
    require(kept == 7, "something came");
    MPI_Type_free(&nothing);
}

static MPI_Datatype spread(MPI_Aint extent)
{
    MPI_Datatype made;
    MPI_Type_create_resized(MPI_INT, 0, extent, &made);
    MPI_Type_commit(&made);
    return made;
}

/* Blocks of two ints that are `extent` bytes apart, as are the blocks. */
static void exchange_far(char *from, char *to, MPI_Aint extent, int is_varying, int salt)
{
    MPI_Datatype type = spread(extent);
    int counts[MOST], places[MOST];
    for (int i = 0; i < 2 * ranks; i++) {
        *(int *)(from + i * extent) = value(rank, i, salt);
        *(int *)(to + i * extent) = -1;
        counts[i / 2] = 2;
        places[i / 2] = i / 2 * 2;
    }
    if (is_varying)
        MPI_Alltoallv(from, counts, places, type, to, counts, places, type, MPI_COMM_WORLD);
    else
        MPI_Alltoall(from, 2, type, to, 2, type, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * ranks; i++)
        require(*(int *)(to + i * extent) == value(i / 2, 2 * rank + i % 2, salt),
                "a block that is far is wrong");
    MPI_Type_free(&type);
}

/* The same with a small extent and places near the largest int. */
static void exchange_places(char *from, char *to, int salt)
{
    enum { FIRST = 2147480000, EXTENT = 8 };
    MPI_Datatype type = spread(EXTENT);
    int counts[MOST], places[MOST];
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        places[i] = FIRST + i * 7;
        *(int *)(from + (size_t)places[i] * EXTENT) = value(rank, i, salt);
        *(int *)(to + (size_t)places[i] * EXTENT) = -1;
    }
    MPI_Alltoallv(from, counts, places, type, to, counts, places, type, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        require(*(int *)(to + (size_t)places[i] * EXTENT) == value(i, rank, salt),
                "a block at a far place is wrong");
    MPI_Type_free(&type);
}

/* Few bytes in blocks that are gigabytes apart. */
static void use_far(void)
{
    const MPI_Aint extent = (MPI_Aint)GIBI + 64 * MEBI;
    const size_t bytes = (size_t)(2 * MOST) * (size_t)extent + 8 * (size_t)GIBI;
    char *from = reserve(bytes), *to = reserve(bytes);
    for (int call = 0; call < 6; call++) {
        exchange_far(from, to, extent, call % 2, call);
        exchange_places(from, to, call);
    }
    munmap(from, bytes);
    munmap(to, bytes);
}

/* Every rank sends the same mebibyte again and again, `mebis` times, to the last one. */
static void gather_mebis(int mebis, int is_of_all)
{
    MPI_Datatype again, mebi = repeated(MEBI, MPI_BYTE);
    MPI_Type_create_hvector(mebis, MEBI, 0, MPI_BYTE, &again);
    MPI_Type_commit(&again);
    const int last = ranks - 1, senders = is_of_all ? ranks : 1;
    const size_t bytes = rank == last ? (size_t)senders * (size_t)mebis * MEBI : 1;
    int sent_counts[MOST] = {0}, counts[MOST] = {0};
    int begin[MOST] = {0}, places[MOST] = {0};
    char *from = malloc(MEBI), *to = reserve(bytes);
    memset(from, rank + 1, MEBI);
    from[rank] = 'r';
    sent_counts[last] = rank < senders;
    for (int i = 0; i < senders; i++) {
        counts[i] = rank == last ? mebis : 0;
        places[i] = i * mebis;
    }
    MPI_Alltoallv(from, sent_counts, begin, again, to, counts, places, mebi, MPI_COMM_WORLD);
    for (size_t i = 0; rank == last && i < bytes; i += MEBI) {
        const int src = (int)(i / MEBI / (size_t)mebis);
        memset(from, src + 1, MEBI);
        from[src] = 'r';
        require(memcmp(to + i, from, MEBI) == 0, "a heavy block is wrong");
    }
    free(from);
    munmap(to, bytes);
    MPI_Type_free(&again);
    MPI_Type_free(&mebi);
}

/* One rank receives 700 MiB of each of the others and of itself, then 2.2 GB in one block. */
static void use_heavy(void)
{
    gather_mebis(700, 1);
    gather_mebis(2100, 0);
}

static const struct {
    const char *name;
    void (*use)(void);
    int is_threaded;
} modes[] = {
    {"ending", use_ending, 0},
    {"copies", use_copies, 0},
    {"copied", use_copied, 0},
    {"one_array", use_one_array, 0},
    {"absolute_places", use_absolute_places, 0},
    {"uncommitted", use_uncommitted, 0},
    {"session", use_session, 0},
    {"revoked", use_revoked, 0},
    {"freed", use_freed, 0},
    {"finalized", use_finalized, 0},
    {"unfinished", use_unfinished, 0},
    {"truncated", use_truncated, 0},
    {"errors", use_errors, 0},
    {"uncounted", use_uncounted, 0},
    {"bounds", use_bounds, 0},
    {"empty", use_empty, 0},
    {"far", use_far, 0},
    {"heavy", use_heavy, 0},
    {"crossed", use_crossed, 1},
    {"threads", use_threads, 1},
    {"communicators", use_communicators, 1},
};

int main(int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    size_t mode = 0;
    while (strcmp(argv[1], modes[mode].name) != 0)
        mode++;
    if (modes[mode].is_threaded)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    require(ranks <= MOST, "at most 8 ranks");
    setenv("CONTEND_EXCHANGE_HOST", rank % 2 ? "b" : "a", 1);
    times = argc > 2 ? atoi(argv[2]) : CALLS;
    if (!modes[mode].is_threaded || provided == MPI_THREAD_MULTIPLE)
        modes[mode].use();
    MPI_Finalize();
    if (rank == 0)
        printf("{\"calls\": %ld, \"held\": %ld}\n", served(), held());
    return 0;
}
