/* LG, "local group": total exchange on two clusters, as published.
 *
 * Source: Jeannot, Steffenel 2007, "Fast and efficient total exchange on two clusters", Euro-Par.
 * Idea: with groups of n1 <= n2 ranks, the block for j of the other group goes first to a carrier
 * in the own one: from the smaller group the rank at place j mod n1, from the larger one the rank
 * at place j in the sender's row of n1 ranks. A carrier sends one packed message per destination.
 * Cost: 2 max(n1, n2) messages over the slow link, which every byte crosses once.
 * Restrictions: two groups, and n1 divides n2: in a row of fewer ranks some blocks have no carrier.
 */
#include "../aggregate.h"

static atomic_long calls;

static bool suits(const struct contend_partition *groups)
{
    return groups->groups == 2 && contend_has_carriers(groups) &&
           groups->largest % groups->smallest == 0;
}

static int carrier(const struct contend_partition *groups, int src, int dst)
{
    const int group = groups->group_of[src];
    const int row = groups->place_of[src] / groups->smallest * groups->smallest;
    return groups->members[groups->first[group] + row + groups->place_of[dst] % groups->smallest];
}

const struct contend_algorithm contend_lg = {
    .name = "lg", .carrier = carrier, .suits = suits, .run = contend_aggregate, .calls = &calls};
