/* Node-aware aggregation: balanced LG with the nodes as groups.
 *
 * Source: Bienz, Olson, Gropp 2019, "Node-aware improvements to allreduce", EuroMPI, for the idea;
 * the carriers are those of balanced LG, so that processes per node may differ.
 * Idea: ranks of a node share their memory, so gathering the blocks for another node's rank in one
 * message costs little beside what the network takes per message.
 * Cost: with p processes on each of N nodes, N - 1 messages of p blocks per rank instead of
 * p (N - 1) of one.
 * Restrictions: two nodes or more, one of them with two ranks or more; always the level of nodes.
 */
#include "../aggregate.h"
#include "../rows.h"

static atomic_long calls;

const struct contend_algorithm contend_node_aware = {.name = "node_aware",
                                                     .is_on_nodes = true,
                                                     .carrier = contend_row_carrier,
                                                     .suits = contend_has_carriers,
                                                     .run = contend_aggregate,
                                                     .calls = &calls};
