/* Balanced LG: total exchange between any number of groups of any sizes.
 *
 * Source: LG (Jeannot, Steffenel 2007) between every two groups; the carriers of partial groups are
 * ours, as the paper's rule names ranks that do not exist there.
 * Idea: see contend_balanced_route. Groups send to the next group first, then to the one after.
 * Cost: between groups of a <= b ranks 2 b + a - gcd(a, b) messages, where a divides b 2 b; every
 * byte crosses once. A rank of the larger group sends and receives a blocks in the first phase.
 * Restrictions: two groups or more, one of them of two ranks or more. */
#include "../schedule/itinerary.h"
#include "../transport/aggregate.h"

static atomic_long calls;

const struct contend_algorithm contend_lg_balanced = {.name = "lg_balanced",
                                                      .route = contend_balanced_route,
                                                      .suits = contend_has_carriers,
                                                      .run = contend_aggregate,
                                                      .calls = &calls};
