/* Which rank of a communicator is in which group, at every level of the plan. */
#ifndef CONTEND_GROUPS_H
#define CONTEND_GROUPS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct contend_plan;

/* The ranks of a communicator in groups, both in order; arrays of one piece of memory. */
struct contend_partition {
    int processes, groups, largest, smallest; /* sizes of groups */
    int *group_of;                            /* [processes] */
    int *place_of;                            /* [processes], within the group */
    int *first;                               /* [groups + 1], into members */
    int *members;                             /* [processes], group after group */
};

/* In place of a group: no rule knows the host, or those of two groups do. */
enum { CONTEND_NOWHERE = -1, CONTEND_AMBIGUOUS = -2 };

/* What a rank tells the others of itself. */
struct contend_seat {
    uint64_t host;     /* digest of its name */
    int32_t group[16]; /* at each level but the node */
};

/* The seat of this process by the rules of the plan. */
struct contend_seat contend_find_seat(const struct contend_plan *plan);

/* Whether this host is in some group of the plan, where it has any. */
bool contend_names_host(const struct contend_plan *plan);

/* One partition per level of the plan, as its levels are indexed. False without memory; then
 * nothing is left to free. Those of levels at which a rank is in no group have no groups. */
bool contend_partition_all(const struct contend_plan *plan, const struct contend_seat *seats,
                           int processes, struct contend_partition *partitions);

void contend_free_partitions(struct contend_partition *partitions);

static inline int contend_group_size(const struct contend_partition *groups, int group)
{
    return groups->first[group + 1] - groups->first[group];
}

/* More groups than one, one of them larger than one rank: else there is nothing to carry. */
static inline bool contend_has_carriers(const struct contend_partition *groups)
{
    return groups->groups > 1 && groups->largest > 1;
}

#endif
