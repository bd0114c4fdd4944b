/* Random calls of MPI_Alltoall and MPI_Alltoallv on random communicators, groups, counts and
 * datatypes, against the PMPI ones byte for byte, holes and gaps included.
 *
 *   fuzz SEED CALLS
 *
 * prints one line of JSON after MPI_Finalize: how often each algorithm ran, and what the library
 * still holds. Stops with a line on stderr at the first byte that differs. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 16, UNIT = 6, TYPES = 6, CALLS_PER_COMMUNICATOR = 8 };

static uint64_t shared_state; /* the same at all ranks */

static unsigned draw(unsigned below)
{
    shared_state = shared_state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(shared_state >> 33) % below;
}

/* `elements` of `type` hold the ints of one unit; all types of one family can be exchanged. */
struct type {
    MPI_Datatype type;
    int elements;
};

static void commit(MPI_Datatype *type, MPI_Datatype made)
{
    *type = made;
    MPI_Type_commit(type);
}

/* Plain, contiguous, with a hole, in another order, with a lower bound, and of two kinds. */
static void make_types(struct type *types)
{
    MPI_Datatype made, bare;
    types[0] = (struct type){MPI_INT, UNIT};
    MPI_Type_contiguous(3, MPI_INT, &made);
    commit(&types[1].type, made);
    types[1].elements = UNIT / 3;
    MPI_Type_vector(2, 1, 3, MPI_INT, &made);
    commit(&types[2].type, made);
    types[2].elements = UNIT / 2;
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 0}, MPI_INT, &made);
    commit(&types[3].type, made);
    types[3].elements = UNIT / 2;
    MPI_Type_indexed(3, (int[]){1, 2, 3}, (int[]){8, 0, 4}, MPI_INT, &bare);
    MPI_Type_create_resized(bare, -8, 52, &made);
    MPI_Type_free(&bare);
    commit(&types[4].type, made);
    types[4].elements = 1;
    types[5] = (struct type){MPI_DOUBLE_INT, UNIT / 3};
}

static void free_types(struct type *types)
{
    for (int i = 1; i < TYPES - 1; i++)
        MPI_Type_free(&types[i].type);
}

/* One side of a call: where each block begins, in extents, and a buffer with room around. */
struct side {
    struct type type;
    int counts[MAX_RANKS], places[MAX_RANKS];
    char *memory;
    size_t size, origin;
};

static void make_side(struct side *side, struct type type, const int *units, int ranks,
                      bool is_even)
{
    MPI_Aint lower, extent;
    int at = 0;
    MPI_Type_get_extent(type.type, &lower, &extent);
    side->type = type;
    for (int i = 0; i < ranks; i++) { /* the last block first, so that order is not place */
        const int other = is_even ? i : ranks - 1 - i;
        side->counts[other] = units[other] * type.elements;
        side->places[other] = at;
        at += side->counts[other] + (is_even ? 0 : (i % 3));
    }
    side->origin = 64;
    side->size = (size_t)at * (size_t)extent + 2 * side->origin + 64;
    side->memory = malloc(side->size);
    for (size_t i = 0; i < side->size; i++)
        side->memory[i] = (char)rand();
}

static char *copy_of(const struct side *side)
{
    return memcpy(malloc(side->size), side->memory, side->size);
}

static _Noreturn void differ(const char *what, unsigned call, size_t at)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d, call %u: %s differs at byte %zu\n", rank, call, what, at);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
    exit(3);
}

static void compare(const struct side *ours, const char *native, const char *what, unsigned call)
{
    for (size_t i = 0; i < ours->size; i++)
        if (ours->memory[i] != native[i])
            differ(what, call, i);
}

static void exchange(MPI_Comm comm, const struct type *types, unsigned call)
{
    int ranks, rank, sent_units[MAX_RANKS], received_units[MAX_RANKS];
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const bool is_varying = draw(2), is_in_place = draw(4) == 0, is_pair = draw(8) == 0;
    const unsigned most = 1 + draw(draw(4) == 0 ? 400 : 8);
    const int equal = (int)draw(most + 1);
    uint64_t seed = shared_state;
    for (int i = 0; i < ranks; i++)
        for (int j = 0; j < ranks; j++) {
            shared_state = seed + (uint64_t)(is_in_place ? i * j * 977 + i + j : i * 977 + j * 13);
            draw(2);
            const int units = !is_varying ? equal : draw(3) == 0 ? 0 : (int)draw(most + 1);
            if (i == rank)
                sent_units[j] = units;
            if (j == rank)
                received_units[i] = units;
        }
    shared_state = seed;
    struct side sent, received;
    const struct type pair = types[TYPES - 1];
    unsigned own = draw(1000) + (unsigned)rank; /* sides and ranks differ in type */
    make_side(&sent, is_pair ? pair : types[own % (TYPES - 1)], sent_units, ranks, !is_varying);
    make_side(&received, is_pair ? pair : types[own / 7 % (TYPES - 1)], received_units, ranks,
              !is_varying);
    char *native = copy_of(&received), *before = copy_of(&sent);
    const void *from = is_in_place ? MPI_IN_PLACE : sent.memory + sent.origin;
    int codes[2];
    if (is_varying) {
        codes[0] = MPI_Alltoallv(from, sent.counts, sent.places, sent.type.type,
                                 received.memory + received.origin, received.counts,
                                 received.places, received.type.type, comm);
        codes[1] =
            PMPI_Alltoallv(from, sent.counts, sent.places, sent.type.type, native + received.origin,
                           received.counts, received.places, received.type.type, comm);
    } else {
        codes[0] =
            MPI_Alltoall(from, sent.counts[0], sent.type.type, received.memory + received.origin,
                         received.counts[0], received.type.type, comm);
        codes[1] = PMPI_Alltoall(from, sent.counts[0], sent.type.type, native + received.origin,
                                 received.counts[0], received.type.type, comm);
    }
    if (codes[0] != codes[1])
        differ("the code", call, 0);
    compare(&received, native, "what was received", call);
    compare(&sent, before, "what was sent", call);
    free(native), free(before), free(sent.memory), free(received.memory);
}

/* Some of the ranks in any order, on hosts of any clusters. */
static MPI_Comm make_communicator(void)
{
    int world;
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    const unsigned colors = 1 + (draw(3) == 0), clusters = 1 + draw(3), hosts = 1 + draw(3);
    const unsigned mix = draw(1u << 30) | 1;
    const unsigned own = (unsigned)(world + 1) * mix;
    char host[32];
    snprintf(host, sizeof host, "%c%u", 'a' + (char)((own >> 7) % clusters), (own >> 13) % hosts);
    setenv("CONTEND_EXCHANGE_HOST", host, 1);
    MPI_Comm_split(MPI_COMM_WORLD, (int)((own >> 5) % colors), (int)((own >> 3) % 97), &comm);
    return comm;
}

static void report(void)
{
    static const char *const names[] = {"native", "paced",       "throttled_pairwise",
                                        "lg",     "lg_balanced", "node_aware"};
    static const char *const kinds[] = {"memory", "communicators", "requests"};
    long (*calls)(const char *), (*held)(const char *);
    *(void **)&calls = dlsym(RTLD_DEFAULT, "contend_exchange_calls");
    *(void **)&held = dlsym(RTLD_DEFAULT, "contend_exchange_held");
    if (calls == NULL || held == NULL)
        exit(4);
    printf("{");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        printf("\"%s\": %ld, ", names[i], calls(names[i]));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        printf("\"%s\": %ld%s", kinds[i], held(kinds[i]), i == 2 ? "}\n" : ", ");
}

int main(int argc, char **argv)
{
    struct type types[TYPES];
    int world;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    shared_state = strtoull(argv[1], NULL, 10);
    const unsigned calls = (unsigned)strtoul(argv[2], NULL, 10);
    srand((unsigned)world + 1);
    make_types(types);
    MPI_Comm comm = MPI_COMM_NULL;
    for (unsigned call = 0; call < calls; call++) {
        if (call % CALLS_PER_COMMUNICATOR == 0) {
            if (comm != MPI_COMM_NULL)
                MPI_Comm_free(&comm);
            comm = make_communicator();
        }
        exchange(comm, types, call);
    }
    free_types(types);
    MPI_Barrier(MPI_COMM_WORLD); /* the last communicator is left to MPI_Finalize */
    MPI_Finalize();
    if (world == 0)
        report();
    return 0;
}
