/* Forms of an all-to-all exchange that are not blocking calls of all ranks, and what stands beside
 * them; every result is checked.
 *
 *   forms MODE [COUNT]
 *
 * MODE is one of those at the end of this file; what it prints, modes.h says. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "modes.h"

#define HAS_PERSISTENT (MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5)

/* One int from each rank to each other, by every description of a call. */
static int sent[MOST], received[MOST], counts[MOST], places[MOST], bytes[MOST];
static MPI_Aint far_places[MOST];
static MPI_Datatype types[MOST];

static void describe(int salt)
{
    for (int i = 0; i < ranks; i++) {
        sent[i] = value(rank, i, salt);
        received[i] = -1;
        counts[i] = 1;
        places[i] = i;
        bytes[i] = i * (int)sizeof(int);
        far_places[i] = bytes[i];
        types[i] = MPI_INT;
    }
}

#define EVEN sent, 1, MPI_INT, received, 1, MPI_INT
#define UNEVEN sent, counts, places, MPI_INT, received, counts, places, MPI_INT
#define TYPED(places_) sent, counts, places_, types, received, counts, places_, types

/* A call, and one that returns a request, of which `...` are the arguments. */
#define CALL(name, salt, ...)                                                                      \
    describe(salt);                                                                                \
    name(__VA_ARGS__);                                                                             \
    check(received, 1, salt);
#define BEGIN(name, salt, ...)                                                                     \
    describe(salt);                                                                                \
    name(__VA_ARGS__, &request);                                                                   \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                         \
    check(received, 1, salt);

static MPI_Comm graph_of_all(void)
{
    int all[MOST];
    MPI_Comm graph;
    for (int i = 0; i < ranks; i++)
        all[i] = i;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ranks, all, all, ranks, all, all, MPI_INFO_NULL,
                                   0, &graph);
    return graph;
}

/* What no algorithm is for, and COUNT calls that one serves. */
static void use_left(void)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm graph = graph_of_all();
    MPI_Request request;
    for (int i = 0; i < 2; i++) {
        BEGIN(MPI_Ialltoall, 1, EVEN, world)
        BEGIN(MPI_Ialltoallv, 2, UNEVEN, world)
        BEGIN(MPI_Ialltoallw, 3, TYPED(bytes), world)
    }
    CALL(MPI_Neighbor_alltoall, 4, EVEN, graph)
    CALL(MPI_Neighbor_alltoallv, 5, UNEVEN, graph)
    CALL(MPI_Neighbor_alltoallw, 6, TYPED(far_places), graph)
    BEGIN(MPI_Ineighbor_alltoall, 7, EVEN, graph)
    BEGIN(MPI_Ineighbor_alltoallv, 8, UNEVEN, graph)
    BEGIN(MPI_Ineighbor_alltoallw, 9, TYPED(far_places), graph)
#if HAS_PERSISTENT
    MPI_Request kept[3];
    describe(10);
    MPI_Alltoall_init(EVEN, world, MPI_INFO_NULL, &kept[0]);
    MPI_Alltoallv_init(UNEVEN, world, MPI_INFO_NULL, &kept[1]);
    MPI_Alltoallw_init(TYPED(bytes), world, MPI_INFO_NULL, &kept[2]);
    for (int i = 0; i < 6; i++) {
        describe(10 + i);
        MPI_Start(&kept[i % 3]);
        MPI_Wait(&kept[i % 3], MPI_STATUS_IGNORE);
        check(received, 1, 10 + i);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&kept[i]);
#endif
    MPI_Comm_free(&graph);
    for (int i = 0; i < times; i++)
        exchange(world, 1, i);
}

/* Communicators that are copied or split and freed while a request of theirs is under way, between
 * calls that are served. */
static void use_open(void)
{
    MPI_Request request;
    for (int i = 0; i < times; i++) {
        MPI_Comm half, comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        exchange(comm, 1, i);
        describe(i);
#if HAS_PERSISTENT
        if (i % 2) {
            MPI_Alltoallw_init(TYPED(bytes), comm, MPI_INFO_NULL, &request);
            MPI_Start(&request);
        } else
#endif
            MPI_Ialltoall(EVEN, comm, &request);
        MPI_Comm_split(comm, 0, rank, &half);
        exchange(half, 2, i);
        MPI_Comm_free(&half);
        MPI_Comm_free(&comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(received, 1, i);
        if (request != MPI_REQUEST_NULL)
            MPI_Request_free(&request);
    }
}

/* Every form of a blocking call on an intercommunicator of even and odd ranks. */
static void use_between(void)
{
    MPI_Comm half, between;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
    for (int i = 0; i < 4; i++) {
        describe(i);
        if (i == 0)
            MPI_Alltoall(EVEN, between);
        else if (i == 1)
            MPI_Alltoallv(UNEVEN, between);
        else if (i == 2)
            MPI_Alltoallw(TYPED(bytes), between);
        else
            MPI_Ialltoallw(TYPED(bytes), between, &request);
        if (i == 3)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < ranks / 2; k++)
            require(received[k] == value(2 * k + 1 - rank % 2, rank / 2, i),
                    "a block between groups is wrong");
    }
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

/* Blocks of several types in place: those of an odd sum are two ints in a type with a negative
 * lower bound, others one int behind. */
static void use_in_place(void)
{
    enum { ROOM = 4 };
    int data[ROOM * MOST], own_counts[MOST], own_places[MOST];
    MPI_Datatype own_types[MOST], pair, bounded;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, -4, 16, &bounded);
    MPI_Type_commit(&bounded);
    for (int call = 0; call < 6; call++) {
        for (int i = 0; i < ranks; i++) {
            const int is_pair = (i + rank) % 2, at = ROOM * (ranks - 1 - i);
            own_types[i] = is_pair ? bounded : MPI_INT;
            own_counts[i] = 1;
            own_places[i] = at * (int)sizeof(int);
            for (int k = 0; k < ROOM; k++)
                data[at + k] = value(rank, i, ROOM * call + k);
        }
        MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, own_counts, own_places, own_types,
                      MPI_COMM_WORLD);
        for (int i = 0; i < ranks; i++)
            for (int k = 0; k < ROOM; k++) {
                const int is_data = k == 0 || (k == 2 && (i + rank) % 2);
                const int src = is_data ? i : rank, dst = is_data ? rank : i;
                require(data[ROOM * (ranks - 1 - i) + k] == value(src, dst, ROOM * call + k),
                        "a block in place is wrong");
            }
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&bounded);
}

static const struct mode modes[] = {
    {"left", use_left, 0},
    {"open", use_open, 0},
    {"between", use_between, 0},
    {"in_place", use_in_place, 0},
};

int main(int argc, char **argv) { return run_mode(modes, argc, argv); }
