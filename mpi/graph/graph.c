/* Messages that share a network: mpiexec -n N graph FILE process|host --sizes M [as every
 * experiment]; with pingpong in place of these, the edges are pairs as pairs.c says.
 *
 * Source: the static-synchronous contention graphs of Martinasso, Mehaut, Euro-Par 2011, section
 * 3.3.
 * Idea: all messages of a graph, m bytes each, begin together; each process posts its receives and
 * its sends at once and notes when each of them is over. A node of a graph is a process, or a host
 * whose processes share its messages.
 * Timed: the end of each message, from the common start until its receiver has all of it, and the
 * whole until the last process is done.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "driver.h"
#include "graphs.h"
#include "pairs.h"
#include "pattern.h"
#include "require.h"
#include "seats.h"

#define EXIT_ARGUMENTS 2

struct source {
    struct contend_graphs graphs;
    enum contend_node node;
};

/* One end of a message that this process has. */
struct message {
    int edge;
    int peer;
    bool is_received;
    unsigned char *data;
};

struct sharing {
    struct message *messages; /* [count]: what is received, then what is sent */
    int count;
    MPI_Request *requests; /* [count] */
    int *done;             /* [count] */
    double *ends;          /* [edges], 0 for messages that end elsewhere */
};

static const struct contend_graph *graph_of(const struct contend_point *point)
{
    const struct source *source = point->context;
    return source->graphs.graphs + point->algorithm;
}

static void add(struct sharing *sharing, const struct contend_point *point, int edge, int peer,
                bool is_received)
{
    unsigned char *data = contend_allocate(point->m, "message");
    const int receiver = is_received ? point->rank : peer;
    if (is_received)
        contend_pattern_poison(data, point->m, edge, receiver);
    else
        contend_pattern_fill(data, point->m, edge, receiver);
    sharing->messages[sharing->count++] = (struct message){edge, peer, is_received, data};
}

static void setup(struct contend_point *point)
{
    const struct source *source = point->context;
    const struct contend_graph *graph = graph_of(point);
    const size_t n = graph->n_edges;
    struct contend_seat *seats = contend_find_seats(point->comm, graph, source->node);
    struct sharing *sharing = contend_allocate(sizeof *sharing, "state of a graph");
    *sharing =
        (struct sharing){.messages = contend_allocate(n * sizeof(struct message), "messages"),
                         .requests = contend_allocate(n * sizeof(MPI_Request), "requests"),
                         .done = contend_allocate(n * sizeof(int), "what is done"),
                         .ends = contend_allocate(n * sizeof(double), "ends")};
    memset(sharing->ends, 0, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        if (seats[i].receiver == point->rank)
            add(sharing, point, (int)i, seats[i].sender, true);
    for (size_t i = 0; i < n; i++)
        if (seats[i].sender == point->rank)
            add(sharing, point, (int)i, seats[i].receiver, false);
    free(seats);
    point->state = sharing;
}

static double run(struct contend_point *point)
{
    const struct sharing *sharing = point->state;
    for (int i = 0; i < sharing->count; i++) {
        const struct message *message = sharing->messages + i;
        if (message->is_received)
            REQUIRE_MPI(MPI_Irecv(message->data, (int)point->m, MPI_BYTE, message->peer,
                                  message->edge, point->comm, sharing->requests + i));
        else
            REQUIRE_MPI(MPI_Isend(message->data, (int)point->m, MPI_BYTE, message->peer,
                                  message->edge, point->comm, sharing->requests + i));
    }
    for (int left = sharing->count, n_done = 0; left > 0; left -= n_done) {
        REQUIRE_MPI(MPI_Waitsome(sharing->count, sharing->requests, &n_done, sharing->done,
                                 MPI_STATUSES_IGNORE));
        const double now = contend_now();
        for (int i = 0; i < n_done; i++)
            if (sharing->messages[sharing->done[i]].is_received)
                sharing->ends[sharing->messages[sharing->done[i]].edge] = now;
    }
    return 0.0;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct sharing *sharing = point->state;
    const struct contend_graph *graph = graph_of(point);
    for (int i = 0; i < sharing->count; i++) {
        const struct message *message = sharing->messages + i;
        if (!message->is_received || contend_pattern_check(message->data, point->m, message->edge,
                                                           point->rank, detail, size))
            continue;
        snprintf(detail, size, "message %d, from node %d to node %d, is not as it was sent",
                 message->edge + 1, graph->edges[message->edge].src,
                 graph->edges[message->edge].dst);
        return false;
    }
    return true;
}

static void teardown(struct contend_point *point)
{
    struct sharing *sharing = point->state;
    for (int i = 0; i < sharing->count; i++)
        free(sharing->messages[i].data);
    free(sharing->messages);
    free(sharing->requests);
    free(sharing->done);
    free(sharing->ends);
    free(sharing);
}

static size_t n_parts(const struct contend_point *point) { return graph_of(point)->n_edges; }

static const double *part_ends(const struct contend_point *point)
{
    const struct sharing *sharing = point->state;
    return sharing->ends;
}

static bool parse_node(const char *text, enum contend_node *node)
{
    *node = strcmp(text, "host") == 0 ? CONTEND_NODE_HOST : CONTEND_NODE_PROCESS;
    return *node == CONTEND_NODE_HOST || strcmp(text, "process") == 0;
}

static struct contend_experiment sharing_experiment(const struct source *source)
{
    return (struct contend_experiment){
        .name = "graph",
        .algorithms = (const char *const *)source->graphs.names,
        .processes_min = source->graphs.nodes,
        .setup = setup,
        .run = run,
        .check = check,
        .teardown = teardown,
        .n_parts = n_parts,
        .part_ends = part_ends,
        .context = source,
    };
}

int main(int argc, char **argv)
{
    struct source source;
    char error[512] = "give a file of graphs, and process or host for what a node of them is, or "
                      "pingpong where its edges are pairs";
    const bool is_pairs = argc > 2 && strcmp(argv[2], "pingpong") == 0;
    if (argc < 3 || !(is_pairs || parse_node(argv[2], &source.node)) ||
        !contend_read_graphs(argv[1], &source.graphs, error, sizeof error) ||
        (is_pairs && !contend_are_disjoint(&source.graphs, error, sizeof error))) {
        fprintf(stderr, "contend: graph: %s\n", error);
        return EXIT_ARGUMENTS;
    }
    const struct contend_experiment experiment =
        is_pairs ? contend_pairs_experiment(&source.graphs) : sharing_experiment(&source);
    const int code = contend_drive(&experiment, argc - 2, argv + 2);
    contend_free_graphs(&source.graphs);
    return code;
}
