/* Bytes of an exchange whose blocks differ, as far as decisions need them. */
#include "volume.h"

#include "../transport/call.h"
#include "groups.h"

struct contend_volume contend_volume_of(const struct contend_call *call,
                                        const struct contend_partition *groups, int rank)
{
    struct contend_volume volume = {0};
    int64_t *crossing =
        &volume.crossing[CONTEND_PAIRED * (groups->group_of[rank] % CONTEND_PAIRED)];
    for (int other = 0; other < call->processes; other++) {
        const int64_t bytes = contend_capped_bytes(&call->sent, other);
        volume.sent += bytes;
        if (groups->groups <= CONTEND_PAIRED && groups->group_of[other] != groups->group_of[rank])
            crossing[groups->group_of[other]] += bytes;
    }
    return volume;
}

double contend_crossing_if_even(const struct contend_volume *own,
                                const struct contend_partition *groups, int rank)
{
    const int64_t most = contend_most_crossing(own, groups);
    return most < 0 ? 0 : (double)most * contend_group_size(groups, groups->group_of[rank]);
}

struct contend_volume contend_equal_volume(const struct contend_partition *groups, int64_t bytes)
{
    struct contend_volume volume = {.sent = bytes * groups->processes * groups->processes};
    for (int from = 0; groups->groups <= CONTEND_PAIRED && from < groups->groups; from++)
        for (int to = 0; to < groups->groups; to++)
            if (from != to)
                volume.crossing[CONTEND_PAIRED * from + to] =
                    bytes * contend_group_size(groups, from) * contend_group_size(groups, to);
    return volume;
}

int64_t contend_most_crossing(const struct contend_volume *volume,
                              const struct contend_partition *groups)
{
    int64_t most = groups->groups <= CONTEND_PAIRED ? 0 : -1;
    for (int i = 0; most >= 0 && i < CONTEND_PAIRED * CONTEND_PAIRED; i++)
        most = volume->crossing[i] > most ? volume->crossing[i] : most;
    return most;
}
