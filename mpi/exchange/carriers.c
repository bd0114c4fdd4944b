/* Balanced carriers of LG, whatever the sizes of the groups. */
#include "carriers.h"

struct contend_passage contend_balanced_route(const struct contend_partition *groups, int leaders,
                                              int src, int dst)
{
    (void)leaders;
    const int group = groups->group_of[src];
    const int own = contend_group_size(groups, group);
    const int other = contend_group_size(groups, groups->group_of[dst]);
    const int p = groups->place_of[src], j = groups->place_of[dst];
    const int full = own / other * other, rest = own - full;
    int carrier = j % own, turn = j / own; /* to a group as large or larger */
    if (own > other && p < full) {
        carrier = p / other * other + j;
        turn = p / other;
    } else if (own > other) {
        const int piece = (int)(((int64_t)j * rest + p - full) / other);
        carrier = full + piece;
        turn = own / other + j - (int)((int64_t)piece * other / rest);
    }
    return (struct contend_passage){groups->members[groups->first[group] + carrier], dst,
                                    contend_group_by_group(groups, src, dst, turn)};
}
