/* Where the ranks run: hosts, cores, and which of them should read one clock.
 *
 * Hosts are told apart by name, machines by the boot identifier of their kernel: several emulated
 * hosts on one machine compete for the same cores, and read the same clock unless a time namespace
 * shifts it. Where some kernel hides its identifier, ranks that share memory are known to share a
 * kernel.
 */
#include "places.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "require.h"

struct place {
    int rank;
    char host[MPI_MAX_PROCESSOR_NAME];
    char machine[MPI_MAX_PROCESSOR_NAME]; /* boot identifier, or else the host again */
    char time_namespace[64];              /* "" where the kernel has none */
    bool has_boot_id;                     /* machine is a boot identifier */
    int memory;                           /* the first rank that shares memory with this one */
    cpu_set_t cores;
    int n_cores;
};

static void find_cores(struct place *place)
{
    CPU_ZERO(&place->cores);
    if (sched_getaffinity(0, sizeof place->cores, &place->cores) == 0)
        place->n_cores = CPU_COUNT(&place->cores);
    else /* a machine with more than CPU_SETSIZE processors */
        place->n_cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void find_machine(struct place *place)
{
    memcpy(place->machine, place->host, sizeof place->machine);
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file == NULL)
        return; /* not every container shows it: the host name has to do */
    char line[64];
    if (fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        snprintf(place->machine, sizeof place->machine, "%s", line);
        place->has_boot_id = true;
    }
    fclose(file);
}

static void find_time_namespace(struct place *place)
{
    /* of the fixed form time:[4026531834]; the place was zeroed, which ends the text */
    (void)!readlink("/proc/self/ns/time", place->time_namespace, sizeof place->time_namespace - 1);
}

static struct place find_own_place(void)
{
    struct place place;
    memset(&place, 0, sizeof place); /* padding too: it is sent as bytes */
    int length = 0;
    REQUIRE_MPI(MPI_Get_processor_name(place.host, &length));
    find_machine(&place);
    find_time_namespace(&place);
    find_cores(&place);
    return place;
}

static int compare_hosts(const void *left, const void *right)
{
    return strcmp(((const struct place *)left)->host, ((const struct place *)right)->host);
}

static int compare_machines(const void *left, const void *right)
{
    return strcmp(((const struct place *)left)->machine, ((const struct place *)right)->machine);
}

static void count_hosts(struct contend_places *places, struct place *all, int n)
{
    qsort(all, (size_t)n, sizeof *all, compare_hosts);
    places->hosts = contend_allocate((size_t)n * sizeof *places->hosts, "list of hosts");
    places->host_of = contend_allocate((size_t)n * sizeof *places->host_of, "hosts of ranks");
    for (int i = 0, first = 0; i < n; i++) {
        if (i == 0 || compare_hosts(&all[i - 1], &all[i]) != 0) {
            memcpy(places->hosts[places->n_hosts++], all[i].host, sizeof all[i].host);
            first = i;
        }
        places->host_of[all[i].rank] = places->n_hosts - 1;
        if (i - first + 1 > places->processes_per_node)
            places->processes_per_node = i - first + 1;
    }
}

static void count_cores(struct contend_places *places, struct place *all, int n)
{
    qsort(all, (size_t)n, sizeof *all, compare_machines);
    cpu_set_t cores; /* of one machine: each rank may be bound to one of them */
    CPU_ZERO(&cores);
    for (int i = 0, first = 0; i < n; i++) {
        if (i > 0 && compare_machines(&all[i - 1], &all[i]) != 0) {
            CPU_ZERO(&cores);
            first = i;
        }
        CPU_OR(&cores, &cores, &all[i].cores);
        if (i + 1 < n && compare_machines(&all[i], &all[i + 1]) == 0)
            continue; /* not yet the last rank of this machine */
        const int n_cores = CPU_COUNT(&cores) > 0 ? CPU_COUNT(&cores) : all[i].n_cores;
        if (i - first + 1 > n_cores)
            places->is_oversubscribed = true;
        if (first == 0 || n_cores < places->cores_available)
            places->cores_available = n_cores;
    }
}

static bool is_one_clock(const struct place *left, const struct place *right)
{
    const bool is_known = left->has_boot_id && right->has_boot_id;
    return strcmp(left->time_namespace, right->time_namespace) == 0 &&
           (is_known ? compare_machines(left, right) == 0 : left->memory == right->memory);
}

/* groups[rank] = {clock, host} */
static void group_clocks(const struct place *all, int n, int (*groups)[2])
{
    for (int rank = 0; rank < n; rank++) {
        int clock = 0, host = 0;
        while (!is_one_clock(all + clock, all + rank))
            clock++;
        while (!is_one_clock(all + host, all + rank) || compare_hosts(all + host, all + rank) != 0)
            host++;
        groups[rank][0] = clock;
        groups[rank][1] = host;
    }
}

static int first_sharing_memory(MPI_Comm comm, int rank)
{
    MPI_Comm sharing;
    REQUIRE_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing));
    REQUIRE_MPI(MPI_Bcast(&rank, 1, MPI_INT, 0, sharing)); /* ranks are in order there */
    REQUIRE_MPI(MPI_Comm_free(&sharing));
    return rank;
}

struct contend_places contend_find_places(MPI_Comm comm)
{
    struct contend_places places = {0};
    int rank, n;
    REQUIRE_MPI(MPI_Comm_rank(comm, &rank));
    REQUIRE_MPI(MPI_Comm_size(comm, &n));
    struct place own = find_own_place(), *all = NULL;
    int (*groups)[2] = NULL, group[2];
    own.rank = rank;
    own.memory = first_sharing_memory(comm, rank);
    if (rank == 0) {
        all = contend_allocate((size_t)n * sizeof *all, "places of all ranks");
        groups = contend_allocate((size_t)n * sizeof *groups, "clocks of all ranks");
    }
    REQUIRE_MPI(MPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, comm));
    if (rank == 0) {
        group_clocks(all, n, groups); /* before they are sorted */
        count_hosts(&places, all, n);
        count_cores(&places, all, n);
    }
    REQUIRE_MPI(MPI_Scatter(groups, 2, MPI_INT, group, 2, MPI_INT, 0, comm));
    free(all);
    free(groups);
    places.clock = group[0];
    places.host = group[1];
    int is_oversubscribed = places.is_oversubscribed;
    REQUIRE_MPI(MPI_Bcast(&is_oversubscribed, 1, MPI_INT, 0, comm));
    places.is_oversubscribed = is_oversubscribed;
    return places;
}

void contend_free_places(struct contend_places *places)
{
    free(places->hosts);
    free(places->host_of);
    places->hosts = NULL;
    places->host_of = NULL;
}
