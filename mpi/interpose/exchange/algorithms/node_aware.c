/* Node-aware aggregation: one message from each node to each other.
 *
 * Source: Bienz, Gropp, Olson, "Node aware sparse matrix-vector multiplication", JPDC 130, 2019,
 * three steps; there for as many processes on every node.
 * Idea: nodes are paired by distance d = 1, 2, ...: all that a node has for the node d further is
 * collected by its position (d - 1) mod its size, crosses in one message to the position (d - 1)
 * mod the size of the other node, and is handed out there.
 * Cost: N (N - 1) messages between N nodes, the fewest that can be; every byte crosses once.
 * Restrictions: two nodes or more, one of them with two ranks or more; always the level of nodes.
 */
#include "../transport/aggregate.h"

static atomic_long calls;

static struct contend_passage route(const struct contend_partition *groups, int leaders, int src,
                                    int dst)
{
    (void)leaders;
    const int own = groups->group_of[src], other = groups->group_of[dst];
    const int before = (other - own + groups->groups) % groups->groups - 1;
    const int *members = groups->members;
    return (struct contend_passage){
        members[groups->first[own] + before % contend_group_size(groups, own)],
        members[groups->first[other] + before % contend_group_size(groups, other)],
        contend_group_by_group(groups, src, dst, before / groups->smallest)};
}

const struct contend_algorithm contend_node_aware = {.name = "node_aware",
                                                     .is_on_nodes = true,
                                                     .route = route,
                                                     .suits = contend_has_carriers,
                                                     .run = contend_aggregate,
                                                     .calls = &calls};
