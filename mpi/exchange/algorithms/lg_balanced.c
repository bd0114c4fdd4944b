/* Balanced LG: total exchange between any number of groups of any sizes.
 *
 * Source: LG (Jeannot, Steffenel 2007) between every two groups; the carriers of a short row are
 * ours, as the paper's rule names ranks that do not exist there.
 * Idea: see contend_row_carrier. A rank of the smaller group gathers from its whole group, one of
 * the larger from its row; the ranks of a short row share its destinations equally.
 * Cost: between groups of n1 <= n2 ranks, n2 messages to the larger group and n1 ceil(n2 / n1) to
 * the smaller; every byte crosses once. A rank sends at most n1 + r - 1 blocks in a row of r ranks.
 * Restrictions: two groups or more, one of them of two ranks or more. */
#include "../aggregate.h"
#include "../rows.h"

static atomic_long calls;

const struct contend_algorithm contend_lg_balanced = {.name = "lg_balanced",
                                                      .carrier = contend_row_carrier,
                                                      .suits = contend_has_carriers,
                                                      .run = contend_aggregate,
                                                      .calls = &calls};
