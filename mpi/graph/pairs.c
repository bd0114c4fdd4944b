/* Ping-pong between pairs of processes, many pairs at a time: mpiexec -n N graph FILE pingpong
 * --sizes M [as every experiment].
 *
 * Source: the rounds of a tournament (Kirkman 1847, "On a problem in combinations"), in which each
 * of P processes meets each other one in P - 1 rounds; the ping-pong is that of bench/pingpong.c.
 * Idea: a graph of the file is a round, its edges the pairs, no process in two of them: m bytes
 * there and m bytes back, all pairs of a round at once.
 * Timed: on the first process of each pair, the beginning and the end of the round trip, as two
 * parts of the repetition. Before it, untimed, an empty message says that the other one is ready.
 * Restriction: at most one pair for each process; one process is one node.
 */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "pattern.h"
#include "require.h"

enum tag { TAG_READY = 1, TAG_THERE, TAG_BACK };

/* What this process has of a round. */
struct meeting {
    int edge; /* -1: none in this round */
    int peer;
    bool is_first;
    unsigned char *sent;
    unsigned char *received;
    double *ends; /* [2 * edges]: beginning and end of each trip, 0 for those of others */
};

static const struct contend_graph *round_of(const struct contend_point *point)
{
    const struct contend_graphs *graphs = point->context;
    return graphs->graphs + point->algorithm;
}

static void find_peer(struct meeting *meeting, const struct contend_graph *round, int rank)
{
    meeting->edge = -1;
    for (size_t i = 0; i < round->n_edges; i++) {
        const struct contend_edge *edge = round->edges + i;
        if (edge->src != rank && edge->dst != rank)
            continue;
        meeting->edge = (int)i;
        meeting->is_first = edge->src == rank;
        meeting->peer = meeting->is_first ? edge->dst : edge->src;
    }
}

static void setup(struct contend_point *point)
{
    const struct contend_graph *round = round_of(point);
    const size_t bytes = 2 * round->n_edges * sizeof(double);
    struct meeting *meeting = contend_allocate(sizeof *meeting, "state of a round");
    *meeting = (struct meeting){.sent = contend_allocate(point->m, "send buffer"),
                                .received = contend_allocate(point->m, "receive buffer"),
                                .ends = contend_allocate(bytes, "ends")};
    memset(meeting->ends, 0, bytes);
    find_peer(meeting, round, point->rank);
    if (meeting->edge >= 0) {
        contend_pattern_fill(meeting->sent, point->m, point->rank, meeting->peer);
        contend_pattern_poison(meeting->received, point->m, meeting->peer, point->rank);
    }
    point->state = meeting;
}

static void answer(const struct contend_point *point, const struct meeting *meeting)
{
    const int m = (int)point->m, peer = meeting->peer;
    REQUIRE_MPI(MPI_Send(NULL, 0, MPI_BYTE, peer, TAG_READY, point->comm));
    REQUIRE_MPI(
        MPI_Recv(meeting->received, m, MPI_BYTE, peer, TAG_THERE, point->comm, MPI_STATUS_IGNORE));
    REQUIRE_MPI(MPI_Send(meeting->sent, m, MPI_BYTE, peer, TAG_BACK, point->comm));
}

static double run(struct contend_point *point)
{
    const struct meeting *meeting = point->state;
    if (meeting->edge < 0)
        return 0.0;
    if (!meeting->is_first) {
        answer(point, meeting);
        return 0.0;
    }
    const int m = (int)point->m, peer = meeting->peer;
    double *ends = meeting->ends + 2 * meeting->edge;
    REQUIRE_MPI(MPI_Recv(NULL, 0, MPI_BYTE, peer, TAG_READY, point->comm, MPI_STATUS_IGNORE));
    ends[0] = contend_now();
    REQUIRE_MPI(MPI_Send(meeting->sent, m, MPI_BYTE, peer, TAG_THERE, point->comm));
    REQUIRE_MPI(
        MPI_Recv(meeting->received, m, MPI_BYTE, peer, TAG_BACK, point->comm, MPI_STATUS_IGNORE));
    ends[1] = contend_now();
    return 0.0;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct meeting *meeting = point->state;
    return meeting->edge < 0 || contend_pattern_check(meeting->received, point->m, meeting->peer,
                                                      point->rank, detail, size);
}

static void teardown(struct contend_point *point)
{
    struct meeting *meeting = point->state;
    free(meeting->sent);
    free(meeting->received);
    free(meeting->ends);
    free(meeting);
}

static size_t n_parts(const struct contend_point *point) { return 2 * round_of(point)->n_edges; }

static const double *part_ends(const struct contend_point *point)
{
    const struct meeting *meeting = point->state;
    return meeting->ends;
}

static bool is_disjoint(const struct contend_graph *round, int nodes)
{
    bool *is_taken = contend_allocate((size_t)nodes * sizeof *is_taken, "who is in a pair");
    memset(is_taken, 0, (size_t)nodes * sizeof *is_taken);
    bool is_right = true;
    for (size_t i = 0; i < round->n_edges && is_right; i++) {
        const struct contend_edge *edge = round->edges + i;
        is_right = !is_taken[edge->src] && !is_taken[edge->dst];
        is_taken[edge->src] = is_taken[edge->dst] = true;
    }
    free(is_taken);
    return is_right;
}

bool contend_are_disjoint(const struct contend_graphs *graphs, char *error, size_t size)
{
    for (size_t i = 0; i < graphs->count; i++) {
        if (is_disjoint(graphs->graphs + i, graphs->nodes))
            continue;
        snprintf(error, size, "%s has a process in two pairs; give it one in each round",
                 graphs->names[i]);
        return false;
    }
    return true;
}

struct contend_experiment contend_pairs_experiment(const struct contend_graphs *graphs)
{
    return (struct contend_experiment){
        .name = "pairs",
        .algorithms = (const char *const *)graphs->names,
        .processes_min = graphs->nodes,
        .setup = setup,
        .run = run,
        .check = check,
        .teardown = teardown,
        .n_parts = n_parts,
        .part_ends = part_ends,
        .context = graphs,
    };
}
