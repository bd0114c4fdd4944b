/* Leaders that speak for their groups.
 *
 * Source: leaders as in Traff, "Improved MPI all-to-all communication on a Giganet SMP cluster",
 * EuroPVM/MPI 2002, there one per node; several of them are ours.
 * Idea: in each group the first L ranks are leaders, or all if there are less. The leader l of a
 * group takes in what comes for the positions j with j mod L_B = l, where L_B is the number of its
 * leaders; it gets it from the leader l mod L_A of each other group, and hands it out.
 * Cost: the leaders of all groups times the other groups are the messages over the slow links,
 * which every byte crosses once; all bytes pass the links of the leaders.
 * Restrictions: two groups or more, one of them of two ranks or more. Two leaders where the plan
 * says nothing. */
#include "../transport/aggregate.h"

static atomic_long calls;

enum { USUAL_LEADERS = 2 };

static int leaders_of(const struct contend_partition *groups, int group, int leaders)
{
    const int size = contend_group_size(groups, group);
    const int wanted = leaders > 0 ? leaders : USUAL_LEADERS;
    return wanted < size ? wanted : size;
}

static struct contend_passage route(const struct contend_partition *groups, int leaders, int src,
                                    int dst)
{
    const int own = groups->group_of[src], other = groups->group_of[dst];
    const int own_leaders = leaders_of(groups, own, leaders);
    const int lane = groups->place_of[dst] % leaders_of(groups, other, leaders);
    return (struct contend_passage){groups->members[groups->first[own] + lane % own_leaders],
                                    groups->members[groups->first[other] + lane],
                                    contend_group_by_group(groups, src, dst, lane / own_leaders)};
}

const struct contend_algorithm contend_leaders = {.name = "leaders",
                                                  .route = route,
                                                  .suits = contend_has_carriers,
                                                  .run = contend_aggregate,
                                                  .calls = &calls};
