/* LG, the exchange of local groups, as published.
 *
 * Source: Jeannot, Steffenel, "Fast and efficient total exchange on two clusters", Euro-Par 2007.
 * Idea: with groups of n1 <= n2 ranks, the block for position j of the other group goes first to a
 * carrier in the own one: from the smaller group to position j mod n1, from position p of the
 * larger one to floor(p / n1) n1 + j. A carrier sends one packed message per destination.
 * Cost: 2 n2 messages over the slow link, which every byte crosses once.
 * Restrictions: two groups, and n1 divides n2: else some of these carriers do not exist. Where they
 * do, they are those of lg_balanced.
 */
#include "../schedule/itinerary.h"
#include "../transport/aggregate.h"

static atomic_long calls;

static bool suits(const struct contend_partition *groups)
{
    return groups->groups == 2 && contend_has_carriers(groups) &&
           groups->largest % groups->smallest == 0;
}

const struct contend_algorithm contend_lg = {.name = "lg",
                                             .route = contend_balanced_route,
                                             .suits = suits,
                                             .run = contend_aggregate,
                                             .calls = &calls};
