/* Calls of MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw on many communicators, with random groups,
 * counts and datatypes, against the PMPI ones byte for byte, holes and gaps included; some with
 * large counts, begun, started from a request that persists, or made by neighbours of a graph in
 * which every rank is a neighbour of all.
 *
 *   fuzz random SEED CALLS NAME...     CALLS calls, 8 on each of communicators of any ranks
 *   fuzz tried SEED CALLS NAME...      the same with 250 calls on each, so that trials begin
 *   fuzz pairs SEED CALLS NAME...      all groups of n1 and n2 ranks, as many as there are, CALLS
 *                                      calls on each
 *   fuzz triples SEED CALLS NAME...    the same for three groups of up to 9 ranks in all
 *   fuzz met SEED CALLS NAME...        communicators of ranks that have met in MPI_Init, every other
 *                                      one on host a or b: most of the 250 calls on each are of one
 *                                      operation and about one size
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
static bool is_met;           /* hosts are the same in all communicators */
static unsigned alike;        /* units that most blocks of the communicator have at least half of */

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

enum kind { EQUAL, VARYING, TYPED, KINDS };
enum form { PLAIN, LARGE, BEGUN, PERSISTENT, OF_NEIGHBOURS, FORMS };

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

/* One side of a call: where each block begins, in extents or for MPI_Alltoallw in bytes, and a
 * buffer with room around. */
struct side {
    MPI_Datatype types[MAX_RANKS];
    int counts[MAX_RANKS], places[MAX_RANKS];
    char *memory;
    size_t size, origin;
};

/* Every block of a type, all of the same where the call has one. */
static void make_side(struct side *side, struct type *types, const int *units, int ranks,
                      enum kind kind)
{
    size_t bytes = 0;
    int at = 0;
    for (int i = 0; i < ranks; i++) { /* the last block first, so that order is not place */
        const int other = kind == EQUAL ? i : ranks - 1 - i;
        MPI_Aint lower, extent;
        MPI_Type_get_extent(types[other].type, &lower, &extent);
        side->types[other] = types[other].type;
        side->counts[other] = units[other] * types[other].elements;
        side->places[other] = kind == TYPED ? (int)bytes : at;
        const int elements = side->counts[other] + (kind == EQUAL ? 0 : i % 3);
        at += elements;
        bytes += ((size_t)elements * (size_t)extent + 7) / 8 * 8;
    }
    side->origin = 64;
    side->size = bytes + 2 * side->origin + 64;
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

/* The arguments of a call by its kind, with what stands before and behind those of all. */
#define OF_KIND(kind, equal, varying, typed, from, to, sent, received, counts_of, ...)             \
    ((kind) == EQUAL ? equal(from, (sent)->counts[0], (sent)->types[0], to, (received)->counts[0], \
                             (received)->types[0], __VA_ARGS__)                                    \
     : (kind) == VARYING ? varying(from, counts_of(sent), (sent)->types[0], to,                    \
                                   counts_of(received), (received)->types[0], __VA_ARGS__)         \
                         : typed(from, counts_of(sent), (sent)->types, to, counts_of(received),    \
                                 (received)->types, __VA_ARGS__))
#define OWN(side) (side)->counts, (side)->places
#define WIDE(side)                                                                                 \
    wide_counts((MPI_Count[MAX_RANKS]){0}, side), wide_places((MPI_Aint[MAX_RANKS]){0}, side)
#define IN_BYTES(side) (side)->counts, wide_places((MPI_Aint[MAX_RANKS]){0}, side)

static MPI_Aint *wide_places(MPI_Aint *places, const struct side *side)
{
    for (int i = 0; i < MAX_RANKS; i++)
        places[i] = side->places[i];
    return places;
}

static int call_neighbours(const void *from, char *to, const struct side *sent,
                           const struct side *received, enum kind kind, int ranks, MPI_Comm comm)
{
    int all[MAX_RANKS], code;
    MPI_Comm graph;
    for (int i = 0; i < ranks; i++)
        all[i] = i;
    MPI_Dist_graph_create_adjacent(comm, ranks, all, all, ranks, all, all, MPI_INFO_NULL, 0,
                                   &graph);
    if (kind == TYPED)
        code = MPI_Neighbor_alltoallw(from, IN_BYTES(sent), sent->types, to, IN_BYTES(received),
                                      received->types, graph);
    else if (kind == VARYING)
        code = MPI_Neighbor_alltoallv(from, OWN(sent), sent->types[0], to, OWN(received),
                                      received->types[0], graph);
    else
        code = MPI_Neighbor_alltoall(from, sent->counts[0], sent->types[0], to, received->counts[0],
                                     received->types[0], graph);
    MPI_Comm_free(&graph);
    return code;
}

static int wait_for(int code, MPI_Request *request)
{
    return code == MPI_SUCCESS ? MPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

#if MPI_VERSION >= 4
static MPI_Count *wide_counts(MPI_Count *counts, const struct side *side)
{
    for (int i = 0; i < MAX_RANKS; i++)
        counts[i] = side->counts[i];
    return counts;
}

static int call_large(const void *from, char *to, const struct side *sent,
                      const struct side *received, enum kind kind, MPI_Comm comm)
{
    return OF_KIND(kind, MPI_Alltoall_c, MPI_Alltoallv_c, MPI_Alltoallw_c, from, to, sent, received,
                   WIDE, comm);
}
#endif

#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
/* The exchange twice. */
static int call_persistent(const void *from, char *to, const struct side *sent,
                           const struct side *received, enum kind kind, MPI_Comm comm)
{
    MPI_Request request;
    int code = OF_KIND(kind, MPI_Alltoall_init, MPI_Alltoallv_init, MPI_Alltoallw_init, from, to,
                       sent, received, OWN, comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2 && code == MPI_SUCCESS; i++)
        code = wait_for(MPI_Start(&request), &request);
    MPI_Request_free(&request);
    return code;
}
#endif

/* What this MPI lacks is a plain call. */
static int call_ours(const void *from, const struct side *sent, const struct side *received,
                     enum kind kind, enum form form, int ranks, MPI_Comm comm)
{
    char *to = received->memory + received->origin;
    MPI_Request request;
    if (form == OF_NEIGHBOURS)
        return call_neighbours(from, to, sent, received, kind, ranks, comm);
    if (form == BEGUN)
        return wait_for(OF_KIND(kind, MPI_Ialltoall, MPI_Ialltoallv, MPI_Ialltoallw, from, to, sent,
                                received, OWN, comm, &request),
                        &request);
#if MPI_VERSION >= 4
    if (form == LARGE)
        return call_large(from, to, sent, received, kind, comm);
#endif
#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
    if (form == PERSISTENT)
        return call_persistent(from, to, sent, received, kind, comm);
#endif
    return OF_KIND(kind, MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, from, to, sent, received, OWN,
                   comm);
}

/* Half of the calls are plain, a quarter large. */
static enum form draw_form(void)
{
    return draw(2) ? PLAIN : draw(2) ? LARGE : (enum form)(BEGUN + draw(FORMS - BEGUN));
}

/* Of any types that hold the same, of one where the call has one; sides and ranks differ in them.
 */
static void pick_types(struct type *picked, const struct type *types, unsigned family, unsigned own,
                       bool is_typed)
{
    const struct type *known = types + family_begins[family];
    for (unsigned i = 0; i < MAX_RANKS; i++)
        picked[i] = known[(own + (is_typed ? 5 * i : 0)) % family_sizes[family]];
}

static void exchange(MPI_Comm comm, const struct type *types, unsigned call)
{
    int ranks, rank, sent_units[MAX_RANKS], received_units[MAX_RANKS];
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const bool is_alike = is_met && draw(40) > 0;
    const enum kind any = (enum kind)draw(KINDS), kind = is_alike ? (enum kind)(alike % KINDS) : any;
    const enum form form = is_alike ? PLAIN : draw_form();
    /* Intel MPI 2021.18 by itself fails in those that are begun in place. */
    const bool is_in_place = draw(4) == 0 && (form == PLAIN || form == LARGE);
    const unsigned family = draw(4) > 0 ? 0 : draw(FAMILIES);
    const unsigned drawn = 1 + draw(draw(4) == 0 ? 400 : 8), most = is_alike ? alike : drawn;
    const int equal = is_alike ? (int)most : (int)draw(most + 1);
    uint64_t seed = shared_state;
    for (int i = 0; i < ranks; i++)
        for (int j = 0; j < ranks; j++) {
            shared_state = seed + (uint64_t)(is_in_place ? i * j * 977 + i + j : i * 977 + j * 13);
            draw(2);
            const int varying = is_alike         ? (int)(most - draw(most / 2 + 1))
                                : draw(3) == 0 ? 0
                                               : (int)draw(most + 1);
            const int units = kind == EQUAL ? equal : varying;
            if (i == rank)
                sent_units[j] = units;
            if (j == rank)
                received_units[i] = units;
        }
    shared_state = seed;
    struct side sent, received;
    struct type sent_types[MAX_RANKS], received_types[MAX_RANKS];
    const unsigned own = draw(1000) + (unsigned)rank;
    pick_types(sent_types, types, family, own, kind == TYPED);
    pick_types(received_types, types, family, own / 7, kind == TYPED);
    make_side(&sent, sent_types, sent_units, ranks, kind);
    make_side(&received, received_types, received_units, ranks, kind);
    char *native = copy_of(&received), *before = copy_of(&sent);
    const void *from = is_in_place ? MPI_IN_PLACE : sent.memory + sent.origin;
    const int ours = call_ours(from, &sent, &received, kind, form, ranks, comm);
    const int code = OF_KIND(kind, PMPI_Alltoall, PMPI_Alltoallv, PMPI_Alltoallw, from,
                             native + received.origin, &sent, &received, OWN, comm);
    if (ours != code)
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
    if (!is_met)
        setenv("CONTEND_EXCHANGE_HOST", host, 1);
    alike = 1 + draw(200);
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

/* Before MPI_Init, where ranks tell each other their hosts; launchers say which rank this is. */
static void set_host(void)
{
    const char *pmi = getenv("PMI_RANK"), *own = pmi != NULL ? pmi : getenv("OMPI_COMM_WORLD_RANK");
    setenv("CONTEND_EXCHANGE_HOST", own != NULL && atoi(own) % 2 ? "b1" : "a1", 1);
}

int main(int argc, char **argv)
{
    int world, world_ranks;
    is_met = argc > 1 && strcmp(argv[1], "met") == 0;
    if (is_met)
        set_host();
    else
        setenv("CONTEND_EXCHANGE_MEET", "0", 0); /* hosts are drawn for each communicator */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
    if (argc < 4 || world_ranks > MAX_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    struct run run = {.seed = strtoull(argv[2], NULL, 10),
                      .calls = (unsigned)strtoul(argv[3], NULL, 10),
                      .each = is_met || strcmp(argv[1], "tried") == 0 ? MANY : FEW,
                      .comm = MPI_COMM_NULL};
    srand((unsigned)world + 1);
    make_types(run.types);
    if (is_met || strcmp(argv[1], "random") == 0 || strcmp(argv[1], "tried") == 0)
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
