/* Which rank of a communicator is in which group, at every level of the plan. */
#include "groups.h"

#include <arpa/inet.h>
#include <fnmatch.h>
#include <ifaddrs.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../choose/plan.h"
#include "../ledger.h"

_Static_assert(sizeof((struct contend_seat){0}.group) / sizeof(int32_t) == CONTEND_MAX_LEVELS,
               "a seat has a group for every level");

/* A key of a group, and a rank that is in it. */
struct keyed {
    uint64_t key;
    int rank;
};

/* $CONTEND_EXCHANGE_HOST, for machines whose hosts do not know their own name, or the name. */
static void find_name(char *name, size_t size)
{
    const char *given = getenv("CONTEND_EXCHANGE_HOST");
    name[0] = '\0';
    if (given != NULL && given[0] != '\0')
        snprintf(name, size, "%s", given);
    else if (gethostname(name, size - 1) != 0)
        name[0] = '\0';
    name[size - 1] = '\0';
}

/* In full, or up to the first dot. */
static bool matches_name(const char *pattern, const char *name)
{
    if (fnmatch(pattern, name, FNM_NOESCAPE) == 0)
        return true;
    char brief[HOST_NAME_MAX + 1];
    snprintf(brief, sizeof brief, "%.*s", (int)strcspn(name, "."), name);
    return fnmatch(pattern, brief, FNM_NOESCAPE) == 0;
}

/* Whether two addresses begin with the same bits. */
static bool begin_alike(const unsigned char *left, const unsigned char *right, unsigned bits)
{
    const unsigned char mask = (unsigned char)(0xff00u >> bits % 8);
    return memcmp(left, right, bits / 8) == 0 &&
           (bits % 8 == 0 || ((left[bits / 8] ^ right[bits / 8]) & mask) == 0);
}

static bool is_in_subnet(const struct contend_group_rule *rule, const struct ifaddrs *addresses)
{
    for (const struct ifaddrs *one = addresses; one != NULL; one = one->ifa_next) {
        if (one->ifa_addr == NULL || one->ifa_addr->sa_family != rule->family)
            continue;
        const unsigned char *address =
            rule->family == AF_INET
                ? (const void *)&((const struct sockaddr_in *)(const void *)one->ifa_addr)->sin_addr
                : (const void *)&((const struct sockaddr_in6 *)(const void *)one->ifa_addr)
                      ->sin6_addr;
        if (begin_alike(address, rule->address, rule->prefix))
            return true;
    }
    return false;
}

struct contend_seat contend_find_seat(const struct contend_plan *plan)
{
    char name[HOST_NAME_MAX + 1];
    find_name(name, sizeof name);
    struct contend_seat seat = {.host = contend_digest(0, name, strlen(name))};
    for (int level = 0; level < CONTEND_MAX_LEVELS; level++)
        seat.group[level] = CONTEND_NOWHERE;
    struct ifaddrs *addresses = NULL;
    if (getifaddrs(&addresses) != 0)
        addresses = NULL;
    for (int i = 0; i < plan->rule_count; i++) {
        const struct contend_group_rule *rule = &plan->rules[i];
        int32_t *group = &seat.group[rule->level];
        if (*group != rule->index && (rule->pattern != NULL ? matches_name(rule->pattern, name)
                                                            : is_in_subnet(rule, addresses)))
            *group = *group == CONTEND_NOWHERE ? rule->index : CONTEND_AMBIGUOUS;
    }
    if (addresses != NULL)
        freeifaddrs(addresses);
    return seat;
}

bool contend_names_host(const struct contend_plan *plan)
{
    const struct contend_seat seat = contend_find_seat(plan);
    for (int level = 0; level < plan->level_count; level++)
        if (seat.group[level] != CONTEND_NOWHERE)
            return true;
    return plan->level_count == 0;
}

static int compare_keys(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->rank - b->rank;
}

/* Groups are numbered by their lowest rank, whatever the order of the keys. */
static void number_groups(struct contend_partition *partition, const struct keyed *sorted)
{
    const int processes = partition->processes;
    int *lowest = partition->members; /* of the group of a rank, for now */
    for (int i = 0, begin = 0; i < processes; i++) {
        if (i > 0 && sorted[i].key != sorted[i - 1].key)
            begin = i;
        lowest[sorted[i].rank] = sorted[begin].rank;
        partition->place_of[sorted[i].rank] = i - begin;
    }
    for (int rank = 0; rank < processes; rank++)
        partition->group_of[rank] =
            lowest[rank] == rank ? partition->groups++ : partition->group_of[lowest[rank]];
}

static void list_members(struct contend_partition *partition)
{
    memset(partition->first, 0, (size_t)(partition->processes + 1) * sizeof(int));
    for (int rank = 0; rank < partition->processes; rank++)
        partition->first[partition->group_of[rank] + 1]++;
    partition->smallest = partition->processes;
    for (int group = 0; group < partition->groups; group++) {
        const int size = partition->first[group + 1];
        partition->largest = size > partition->largest ? size : partition->largest;
        partition->smallest = size < partition->smallest ? size : partition->smallest;
        partition->first[group + 1] += partition->first[group];
    }
    for (int rank = 0; rank < partition->processes; rank++)
        partition
            ->members[partition->first[partition->group_of[rank]] + partition->place_of[rank]] =
            rank;
}

static bool make_partition(struct contend_partition *partition, struct keyed *keys, int processes)
{
    int *memory = contend_take((size_t)(4 * (size_t)processes + 1) * sizeof(int));
    if (memory == NULL)
        return false;
    *partition = (struct contend_partition){.processes = processes,
                                            .group_of = memory,
                                            .place_of = memory + processes,
                                            .members = memory + 2 * (size_t)processes,
                                            .first = memory + 3 * (size_t)processes};
    qsort(keys, (size_t)processes, sizeof *keys, compare_keys);
    number_groups(partition, keys);
    list_members(partition);
    return true;
}

/* A group is told by its index at the level and at all above it; a node by its host as well. False
 * where a rank is in no group. */
static bool find_keys(const struct contend_plan *plan, const struct contend_seat *seats, int level,
                      struct keyed *keys, int processes)
{
    const bool is_node = level == CONTEND_NODE;
    const int named = is_node ? plan->level_count : level + 1;
    for (int rank = 0; rank < processes; rank++) {
        const struct contend_seat *seat = &seats[rank];
        for (int above = 0; above < named && !is_node; above++)
            if (seat->group[above] < 0)
                return false;
        uint64_t key = contend_digest(0, seat->group, (size_t)named * sizeof seat->group[0]);
        if (is_node)
            key = contend_digest(key, &seat->host, sizeof seat->host);
        keys[rank] = (struct keyed){key, rank};
    }
    return true;
}

bool contend_partition_all(const struct contend_plan *plan, const struct contend_seat *seats,
                           int processes, struct contend_partition *partitions)
{
    struct keyed *keys = contend_take((size_t)processes * sizeof *keys);
    bool is_ok = keys != NULL;
    for (int level = 0; level <= CONTEND_NODE; level++) {
        const bool is_there = level < plan->level_count || level == CONTEND_NODE;
        partitions[level] = (struct contend_partition){0};
        if (is_ok && is_there && find_keys(plan, seats, level, keys, processes))
            is_ok = make_partition(&partitions[level], keys, processes);
    }
    contend_release(keys);
    if (!is_ok)
        contend_free_partitions(partitions);
    return is_ok;
}

void contend_free_partitions(struct contend_partition *partitions)
{
    for (int level = 0; level <= CONTEND_NODE; level++) {
        contend_release(partitions[level].group_of);
        partitions[level] = (struct contend_partition){0};
    }
}
