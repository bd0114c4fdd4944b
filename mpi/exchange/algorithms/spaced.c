/* Spaced direct exchange: messages leave at the rate of the slow link.
 *
 * Source: this project; pacing by time as in rate-based transport (Aggarwal, Savage, Anderson 2000,
 * "Understanding the performance of TCP pacing").
 * Idea: every block goes straight to its destination, in chunks. In turn t position p of a group
 * sends to position (t - p) mod S of the next group, of the one after, ..., where S is the largest
 * group. Nobody waits for an answer: between two messages to a group a rank lets pass the time in
 * which the link there carries one of each rank of its own group, and ahead of that they send no
 * more than its buffer holds.
 * Cost: n1 n2 m over the bandwidth of the link, plus one way, and what headers take.
 * Restrictions: two groups or more. Where the plan does not know the link's bandwidth, all leaves
 * at once. Ranks of a group are taken to send as much as each other. */
#include "../aggregate.h"

static atomic_long calls;

static bool suits(const struct contend_partition *groups) { return groups->groups > 1; }

static struct contend_passage route(const struct contend_partition *groups, int leaders, int src,
                                    int dst)
{
    (void)leaders;
    const int64_t turn = (groups->place_of[src] + groups->place_of[dst]) % groups->largest;
    return (struct contend_passage){
        src, dst, turn * groups->groups + contend_group_distance(groups, src, dst)};
}

const struct contend_algorithm contend_spaced = {.name = "spaced",
                                                 .is_cut = true,
                                                 .is_spaced = true,
                                                 .route = route,
                                                 .suits = suits,
                                                 .run = contend_aggregate,
                                                 .calls = &calls};
