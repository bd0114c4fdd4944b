/* Calls whose sizes no int can say, or that ranks describe differently.
 *
 *   sizes uncounted | bounds | empty | far | heavy
 *
 * uncounted: a rank in turn has a type of 3 GiB, and sends and receives none of it.
 * bounds: ranks allow for more than comes, which MPI libraries take.
 * empty: some ranks have no elements, others elements of no bytes.
 * far: few bytes in blocks that are gigabytes apart.
 * heavy: one rank receives 700 MiB of each of the others and of itself, then 2.2 GB in one block.
 *
 * prints {"right": 1, "native": C, "paced": C, "lg_balanced": C, "held": H} after MPI_Finalize:
 * calls that each has served by rank 0, and pieces that the library still has. Stops with a line on
 * stderr at the first result that is not as it should be. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "required.h"

enum { MOST_RANKS = 8, KIBI = 1024, MEBI = KIBI * KIBI, GIBI = KIBI * MEBI };

static int rank, ranks;

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

static int value(int src, int dst, int salt) { return 10000 * salt + 100 * src + dst; }

/* One int from each rank to each other, but none from or to `left_out`. */
static void exchange_without(int left_out, MPI_Datatype type, int salt)
{
    int sent[MOST_RANKS], received[MOST_RANKS], counts[MOST_RANKS], places[MOST_RANKS];
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

static void use_uncounted(void)
{
    MPI_Datatype gibi = repeated(GIBI, MPI_BYTE), giant = repeated(3, gibi);
    for (int call = 0; call < 24; call++)
        exchange_without(call % ranks, call % ranks == rank ? giant : MPI_INT, call);
    MPI_Type_free(&gibi);
    MPI_Type_free(&giant);
}

static void use_bounds(void)
{
    int sent[9 * MOST_RANKS], received[9 * MOST_RANKS];
    int sent_counts[MOST_RANKS], counts[MOST_RANKS], places[MOST_RANKS];
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

static void use_empty(void)
{
    MPI_Datatype nothing = repeated(0, MPI_INT);
    int kept = 7, counts[MOST_RANKS], places[MOST_RANKS] = {0};
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
    int counts[MOST_RANKS], places[MOST_RANKS];
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
    int counts[MOST_RANKS], places[MOST_RANKS];
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

static void use_far(void)
{
    const MPI_Aint extent = (MPI_Aint)GIBI + 64 * MEBI;
    const size_t bytes = (size_t)(2 * MOST_RANKS) * (size_t)extent + 8 * (size_t)GIBI;
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
    int sent_counts[MOST_RANKS] = {0}, counts[MOST_RANKS] = {0};
    int begin[MOST_RANKS] = {0}, places[MOST_RANKS] = {0};
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

static void use_heavy(void)
{
    gather_mebis(700, 1);
    gather_mebis(2100, 0);
}

static void report(void)
{
    static const char *const names[] = {"native", "paced", "lg_balanced"};
    long (*served)(const char *), (*held)(const char *);
    *(void **)&served = dlsym(RTLD_DEFAULT, "contend_exchange_calls");
    *(void **)&held = dlsym(RTLD_DEFAULT, "contend_exchange_held");
    if (served == NULL || held == NULL)
        exit(4);
    printf("{\"right\": 1");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        printf(", \"%s\": %ld", names[i], served(names[i]));
    printf(", \"held\": %ld}\n", held("memory") + held("communicators") + held("requests"));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*use)(void);
    } modes[] = {{"uncounted", use_uncounted},
                 {"bounds", use_bounds},
                 {"empty", use_empty},
                 {"far", use_far},
                 {"heavy", use_heavy}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    require(argc == 2 && ranks <= MOST_RANKS, "one mode and at most 8 ranks");
    setenv("CONTEND_EXCHANGE_HOST", rank % 2 ? "b" : "a", 1);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            modes[i].use();
    MPI_Finalize();
    if (rank == 0)
        report();
    return 0;
}
