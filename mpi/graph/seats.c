/* Which process sends and which receives each message of a graph. */
#include "seats.h"

#include <stdlib.h>
#include <string.h>

#include "require.h"

#define EXIT_ARGUMENTS 2

struct members {
    int *node;    /* [n] of each rank */
    int *count;   /* [nodes] processes of each node */
    int *next;    /* [nodes] which of them is given the next end of a message */
    int n, nodes; /* ranks; nodes at most n */
};

static void number_by_host(MPI_Comm comm, struct members *members)
{
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    char (*all)[MPI_MAX_PROCESSOR_NAME] =
        contend_allocate((size_t)members->n * sizeof *all, "host of every rank");
    int length = 0;
    REQUIRE_MPI(MPI_Get_processor_name(own, &length));
    REQUIRE_MPI(MPI_Allgather(own, sizeof own, MPI_CHAR, all, sizeof own, MPI_CHAR, comm));
    for (int rank = 0; rank < members->n; rank++) {
        int same = 0;
        while (strcmp(all[same], all[rank]) != 0)
            same++;
        members->node[rank] = same < rank ? members->node[same] : members->nodes++;
    }
    free(all);
}

static struct members find_members(MPI_Comm comm, enum contend_node node)
{
    struct members members = {0};
    REQUIRE_MPI(MPI_Comm_size(comm, &members.n));
    const size_t bytes = (size_t)members.n * sizeof(int);
    members.node = contend_allocate(bytes, "node of every rank");
    members.count = contend_allocate(bytes, "processes of every node");
    members.next = contend_allocate(bytes, "turns of every node");
    memset(members.count, 0, bytes);
    memset(members.next, 0, bytes);
    if (node == CONTEND_NODE_HOST)
        number_by_host(comm, &members);
    else
        for (members.nodes = 0; members.nodes < members.n; members.nodes++)
            members.node[members.nodes] = members.nodes;
    for (int rank = 0; rank < members.n; rank++)
        members.count[members.node[rank]]++;
    return members;
}

/* The rank whose turn it is on a node. */
static int take(struct members *members, int node)
{
    if (node >= members->nodes)
        contend_abort(EXIT_ARGUMENTS,
                      "a graph has a node %d, and the launch has %d hosts; give more of them, or "
                      "fewer processes per node",
                      node, members->nodes);
    int turn = members->next[node]++ % members->count[node];
    for (int rank = 0;; rank++)
        if (members->node[rank] == node && turn-- == 0)
            return rank;
}

struct contend_seat *contend_find_seats(MPI_Comm comm, const struct contend_graph *graph,
                                        enum contend_node node)
{
    struct members members = find_members(comm, node);
    struct contend_seat *seats = contend_allocate(graph->n_edges * sizeof *seats, "seats");
    for (size_t i = 0; i < graph->n_edges; i++) {
        seats[i].sender = take(&members, graph->edges[i].src);
        seats[i].receiver = take(&members, graph->edges[i].dst);
    }
    free(members.node);
    free(members.count);
    free(members.next);
    return seats;
}
