/* Calls of MPI_Alltoall and MPI_Alltoallv on many communicators, with random groups, counts and
 * datatypes, against the PMPI ones byte for byte, holes and gaps included.
 *
 *   fuzz random SEED CALLS NAME...     CALLS calls, 8 on each of communicators of any ranks
 *   fuzz tried SEED CALLS NAME...      the same with 250 calls on each, so that trials begin
 *   fuzz pairs SEED CALLS NAME...      all groups of n1 and n2 ranks, as many as there are, CALLS
 *                                      calls on each
 *   fuzz triples SEED CALLS NAME...    the same for three groups of up to 9 ranks in all
 *
 * prints one line of JSON after MPI_Finalize: calls in all, how often each algorithm of those NAMEs
 * served, and what the library still holds. Stops with a line on stderr at the first byte that
 * differs. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "required.h"

enum { MAX_RANKS = 16, MAX_GROUPS = 3, FEW = 8, MANY = 250 };

static uint64_t shared_state; /* the same at all ranks */

static unsigned draw(unsigned below)
{
    shared_state = shared_state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(shared_state >> 33) % below;
}

/* What a rank draws must not depend on the calls that it took part in. */
static void begin_draws(uint64_t seed, unsigned number)
{
    shared_state = seed * 2862933555777941757U + number * 3037000493U;
    draw(2);
}

/* `elements` of `type` hold one unit of data; all types of one family have the same unit. */
struct type {
    MPI_Datatype type;
    int elements;
};

enum { INTS = 8, CHARS = 3, PAIRS = 2, FAMILIES = 3, TYPES = INTS + CHARS + PAIRS };
static const unsigned family_sizes[FAMILIES] = {INTS, CHARS, PAIRS};
static const unsigned family_begins[FAMILIES] = {0, INTS, INTS + CHARS};

static void commit(struct type *type, MPI_Datatype made, int elements)
{
    MPI_Type_commit(&made);
    *type = (struct type){made, elements};
}

/* Six ints: plain, contiguous, with a hole, in another order, with a lower bound, a part of a
 * matrix, a vector of vectors, and a structure. */
static void make_ints(struct type *types)
{
    MPI_Datatype made, bare;
    types[0] = (struct type){MPI_INT, 6};
    MPI_Type_contiguous(3, MPI_INT, &made);
    commit(&types[1], made, 2);
    MPI_Type_vector(2, 1, 3, MPI_INT, &made);
    commit(&types[2], made, 3);
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 0}, MPI_INT, &made);
    commit(&types[3], made, 3);
    MPI_Type_indexed(3, (int[]){1, 2, 3}, (int[]){8, 0, 4}, MPI_INT, &bare);
    MPI_Type_create_resized(bare, -8, 52, &made);
    MPI_Type_free(&bare);
    commit(&types[4], made, 1);
    MPI_Type_create_subarray(2, (int[]){3, 4}, (int[]){2, 3}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT,
                             &made);
    commit(&types[5], made, 1);
    MPI_Type_create_hvector(3, 1, 12, MPI_2INT, &made);
    commit(&types[6], made, 1);
    MPI_Type_create_struct(2, (int[]){2, 4}, (MPI_Aint[]){0, 12},
                           (MPI_Datatype[]){MPI_INT, MPI_INT}, &made);
    commit(&types[7], made, 1);
}

/* Five chars, and three pairs of a double and an int. */
static void make_types(struct type *types)
{
    MPI_Datatype made;
    make_ints(types);
    types[INTS] = (struct type){MPI_CHAR, 5};
    MPI_Type_contiguous(5, MPI_CHAR, &made);
    commit(&types[INTS + 1], made, 1);
    MPI_Type_vector(5, 1, 2, MPI_CHAR, &made);
    commit(&types[INTS + 2], made, 1);
    types[INTS + CHARS] = (struct type){MPI_DOUBLE_INT, 3};
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){4, 0},
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &made);
    commit(&types[INTS + CHARS + 1], made, 3);
}

static void free_types(struct type *types)
{
    for (int i = 0; i < TYPES; i++)
        if (i != 0 && i != INTS && i != INTS + CHARS)
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

/* By the entry points of MPI-4 where it has them and the call is large. */
static int call_ours(const void *from, const struct side *sent, const struct side *received,
                     bool is_varying, bool is_large, int ranks, MPI_Comm comm)
{
    char *into = received->memory + received->origin;
    MPI_Datatype type = sent->type.type, received_type = received->type.type;
#if MPI_VERSION >= 4
    MPI_Count counts[2][MAX_RANKS];
    MPI_Aint places[2][MAX_RANKS];
    for (int i = 0; i < ranks; i++) {
        counts[0][i] = sent->counts[i], counts[1][i] = received->counts[i];
        places[0][i] = sent->places[i], places[1][i] = received->places[i];
    }
    if (is_large && is_varying)
        return MPI_Alltoallv_c(from, counts[0], places[0], type, into, counts[1], places[1],
                               received_type, comm);
    if (is_large)
        return MPI_Alltoall_c(from, counts[0][0], type, into, counts[1][0], received_type, comm);
#else
    (void)is_large, (void)ranks;
#endif
    if (is_varying)
        return MPI_Alltoallv(from, sent->counts, sent->places, type, into, received->counts,
                             received->places, received_type, comm);
    return MPI_Alltoall(from, sent->counts[0], type, into, received->counts[0], received_type,
                        comm);
}

static void exchange(MPI_Comm comm, const struct type *types, unsigned call)
{
    int ranks, rank, sent_units[MAX_RANKS], received_units[MAX_RANKS];
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const bool is_varying = draw(2), is_in_place = draw(4) == 0, is_large = draw(2);
    const unsigned family = draw(4) > 0 ? 0 : draw(FAMILIES);
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
    const unsigned own = draw(1000) + (unsigned)rank; /* sides and ranks differ in type */
    const struct type *known = types + family_begins[family];
    make_side(&sent, known[own % family_sizes[family]], sent_units, ranks, !is_varying);
    make_side(&received, known[own / 7 % family_sizes[family]], received_units, ranks, !is_varying);
    char *native = copy_of(&received), *before = copy_of(&sent);
    const void *from = is_in_place ? MPI_IN_PLACE : sent.memory + sent.origin;
    int codes[2] = {call_ours(from, &sent, &received, is_varying, is_large, ranks, comm)};
    if (is_varying)
        codes[1] =
            PMPI_Alltoallv(from, sent.counts, sent.places, sent.type.type, native + received.origin,
                           received.counts, received.places, received.type.type, comm);
    else
        codes[1] = PMPI_Alltoall(from, sent.counts[0], sent.type.type, native + received.origin,
                                 received.counts[0], received.type.type, comm);
    if (codes[0] != codes[1])
        differ("the code", call, 0);
    compare(&received, native, "what was received", call);
    compare(&sent, before, "what was sent", call);
    free(native), free(before), free(sent.memory), free(received.memory);
}

/* What each rank of MPI_COMM_WORLD is in the next communicator. */
struct role {
    int color, key;
    unsigned group, host;
};

static MPI_Comm make_communicator(const struct role *roles)
{
    int world;
    MPI_Comm comm;
    char host[32];
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    snprintf(host, sizeof host, "%c%u", 'a' + (char)roles[world].group, roles[world].host);
    setenv("CONTEND_EXCHANGE_HOST", host, 1);
    MPI_Comm_split(MPI_COMM_WORLD, roles[world].color, roles[world].key, &comm);
    return comm;
}

/* Some of the ranks in any order, on hosts of any clusters. */
static MPI_Comm draw_communicator(int world_ranks)
{
    struct role roles[MAX_RANKS];
    const unsigned colors = 1 + (draw(3) == 0), groups = 1 + draw(MAX_GROUPS), hosts = 1 + draw(3);
    for (int rank = 0; rank < world_ranks; rank++)
        roles[rank] = (struct role){(int)draw(colors), (int)draw(97), draw(groups), draw(hosts)};
    return make_communicator(roles);
}

static void shuffle(int *numbers, int count)
{
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)draw((unsigned)i + 1), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

/* Groups of these sizes: one after the other, in turns, or at random; the ranks are any. */
static MPI_Comm make_groups(const int *sizes, int world_ranks)
{
    struct role roles[MAX_RANKS];
    int order[MAX_RANKS], groups[MAX_RANKS], left[MAX_GROUPS], ranks = 0;
    const unsigned arrangement = draw(3), hosts = 1 + draw(3);
    memcpy(left, sizes, sizeof left);
    for (int rank = 0; rank < world_ranks; rank++)
        order[rank] = rank;
    shuffle(order, world_ranks);
    while (left[0] + left[1] + left[2] > 0)
        for (int group = 0; group < MAX_GROUPS; group++)
            for (; left[group] > 0; left[group]--) {
                groups[ranks++] = group;
                if (arrangement == 1) {
                    left[group]--;
                    break;
                }
            }
    if (arrangement == 2)
        shuffle(groups, ranks);
    for (int i = 0; i < world_ranks; i++)
        roles[order[i]] = i < ranks ? (struct role){0, i, (unsigned)groups[i], draw(hosts)}
                                    : (struct role){.color = MPI_UNDEFINED};
    return make_communicator(roles);
}

static void report(unsigned calls, char **names)
{
    printf("{\"calls\": %u", calls);
    for (; *names != NULL; names++)
        printf(", \"%s\": %ld", *names, calls_of(*names));
    printf(", \"held\": %ld}\n", held());
}

/* A communicator's calls; then it is freed, but for the last one, which is left to MPI_Finalize. */
struct run {
    struct type types[TYPES];
    uint64_t seed;
    unsigned calls, each, begun;
    MPI_Comm comm;
};

static void use(struct run *run, MPI_Comm comm, unsigned calls)
{
    if (run->comm != MPI_COMM_NULL)
        MPI_Comm_free(&run->comm);
    run->comm = comm;
    for (unsigned i = 0; i < calls; i++) {
        begin_draws(run->seed, ++run->begun);
        if (comm != MPI_COMM_NULL)
            exchange(comm, run->types, run->begun);
    }
}

static void use_any(struct run *run, int world_ranks)
{
    for (unsigned call = 0; call < run->calls; call += run->each) {
        begin_draws(~run->seed, call);
        const unsigned left = run->calls - call;
        use(run, draw_communicator(world_ranks), left < run->each ? left : run->each);
    }
}

static void use_groups(struct run *run, int most_third, int most, int world_ranks)
{
    int sizes[MAX_GROUPS];
    for (sizes[2] = most_third > 0; sizes[2] <= most_third; sizes[2]++)
        for (sizes[0] = 1; sizes[0] < most - sizes[2]; sizes[0]++)
            for (sizes[1] = 1; sizes[0] + sizes[1] + sizes[2] <= most; sizes[1]++) {
                begin_draws(~run->seed, run->begun);
                use(run, make_groups(sizes, world_ranks), run->calls);
            }
}

int main(int argc, char **argv)
{
    int world, world_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
    if (argc < 4 || world_ranks > MAX_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    struct run run = {.seed = strtoull(argv[2], NULL, 10),
                      .calls = (unsigned)strtoul(argv[3], NULL, 10),
                      .each = strcmp(argv[1], "tried") == 0 ? MANY : FEW,
                      .comm = MPI_COMM_NULL};
    srand((unsigned)world + 1);
    make_types(run.types);
    if (strcmp(argv[1], "random") == 0 || strcmp(argv[1], "tried") == 0)
        use_any(&run, world_ranks);
    else if (strcmp(argv[1], "pairs") == 0)
        use_groups(&run, 0, world_ranks, world_ranks);
    else
        use_groups(&run, 7, world_ranks < 9 ? world_ranks : 9, world_ranks);
    free_types(run.types);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (world == 0)
        report(run.begun, argv + 4);
    return 0;
}
