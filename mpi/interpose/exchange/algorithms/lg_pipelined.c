/* LG in chunks, so that the slow link has work while the groups still exchange inside.
 *
 * Source: this project; pipelining as in segmented broadcasts, phases of LG (Jeannot, Steffenel
 * 2007).
 * Idea: each block is cut in K = ceil(m / s) chunks, and each chunk goes as in lg_balanced. A rank
 * sends what is local of the first chunk, and of the second, what crosses of the first, what is
 * local of the third, what crosses of the second, ...
 * Cost: K times the messages of lg_balanced; every byte crosses once, and but for the first chunk
 * the local phase hides behind the slow link.
 * Restrictions: two groups or more, one of them of two ranks or more. Chunks are of 16 KiB where
 * the plan says nothing. */
#include "../schedule/itinerary.h"
#include "../transport/aggregate.h"

static atomic_long calls;

const struct contend_algorithm contend_lg_pipelined = {.name = "lg_pipelined",
                                                       .is_cut = true,
                                                       .route = contend_balanced_route,
                                                       .suits = contend_has_carriers,
                                                       .run = contend_aggregate,
                                                       .calls = &calls};
