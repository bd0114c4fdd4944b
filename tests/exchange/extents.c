/* Types, places and sizes that correct programs may give and few do; every result is checked.
 *
 *   extents MODE [COUNT]
 *
 * MODE is one of those at the end of this file; what it prints, modes.h says. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "modes.h"

enum { COUNT = 3 };
enum { KIBI = 1024, MEBI = KIBI * KIBI, GIBI = KIBI * MEBI };

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

static const struct mode modes[] = {
    {"one_array", use_one_array, 0},
    {"absolute_places", use_absolute_places, 0},
    {"uncommitted", use_uncommitted, 0},
    {"truncated", use_truncated, 0},
    {"uncounted", use_uncounted, 0},
    {"bounds", use_bounds, 0},
    {"empty", use_empty, 0},
    {"far", use_far, 0},
    {"heavy", use_heavy, 0},
};

int main(int argc, char **argv) { return run_mode(modes, argc, argv); }
