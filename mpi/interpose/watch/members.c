/* What is known of a communicator from its first collective call on.
 *
 * Its identity, alike on all its ranks without a message: a hash of the ranks of the world that it
 * has, and how many communicators of the same ranks were met before it. All its ranks meet them in
 * one order, as a collective call on one of them has to be over before the next; but for threads,
 * which may be first at several: then the ids of such communicators say nothing.
 * It is kept as an attribute, which goes with the communicator; the last few that a thread has used
 * are found by their handle, until any communicator goes. */
#include "members.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../communicators.h"
#include "../modes.h"
#include "ledger.h"

struct origin {
    uint64_t hash;
    const void *thread; /* that was first at its communicators */
    uint32_t communicators;
    bool is_ambiguous;
};
_Static_assert(CONTEND_ORIGIN_BYTES >= CONTEND_ORIGINS * sizeof(struct origin),
               "the bound of memory counts them so");

static int32_t *nodes; /* [world_size] */
static int world_size, node_count;
static struct origin origins[CONTEND_ORIGINS];
static int origin_count;
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static int keyval = MPI_KEYVAL_INVALID;
atomic_uint contend_handles_freed;
__thread struct contend_recent contend_recent[CONTEND_RECENT]
    __attribute__((tls_model("initial-exec")));

static int by_hash(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

bool contend_know_nodes(const uint64_t *hosts, int ranks)
{
    uint64_t *sorted = malloc((size_t)ranks * sizeof *sorted);
    nodes = malloc((size_t)ranks * sizeof *nodes);
    if (sorted != NULL && nodes != NULL) {
        memcpy(sorted, hosts, (size_t)ranks * sizeof *sorted);
        qsort(sorted, (size_t)ranks, sizeof *sorted, by_hash);
        for (int i = 0; i < ranks; i++)
            if (i == 0 || sorted[i] != sorted[node_count - 1])
                sorted[node_count++] = sorted[i];
        for (int i = 0; i < ranks; i++)
            nodes[i] = (int32_t)((uint64_t *)bsearch(&hosts[i], sorted, (size_t)node_count,
                                                     sizeof *sorted, by_hash) -
                                 sorted);
        world_size = ranks;
    }
    free(sorted);
    return world_size > 0;
}

int contend_node_count(void) { return node_count; }

static int delete_members(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    atomic_fetch_add(&contend_handles_freed, 1);
    free(value);
    return MPI_SUCCESS;
}

/* In world ranks; NULL where one is of another world, or there is no memory. */
static int *ranks_of(MPI_Comm comm, int n)
{
    int *ranks = malloc((size_t)n * sizeof *ranks);
    bool is_ok = ranks != NULL && contend_world_ranks(comm, 0, n, ranks);
    for (int i = 0; is_ok && i < n; i++)
        is_ok = ranks[i] >= 0 && ranks[i] < world_size;
    if (!is_ok) {
        free(ranks);
        ranks = NULL;
    }
    return ranks;
}

/* Finds on how many nodes they are, and how many on each: -1 where these differ. */
static void place(struct contend_members *members, const int *ranks)
{
    int32_t *counts = calloc((size_t)node_count, sizeof *counts);
    for (int i = 0; counts != NULL && i < members->n; i++)
        members->nodes += counts[nodes[ranks[i]]]++ == 0;
    for (int i = 0; counts != NULL && i < node_count; i++)
        if (counts[i] > 0 && counts[i] * members->nodes != members->n)
            members->ppn = -1;
    if (counts != NULL && members->ppn == 0)
        members->ppn = members->n / members->nodes;
    free(counts);
}

/* The lock is held. CONTEND_ORIGINS where there is no room. */
static int origin_of(uint64_t hash)
{
    int at = 0;
    while (at < origin_count && origins[at].hash != hash)
        at++;
    if (at == origin_count && at < CONTEND_ORIGINS)
        origins[origin_count++] = (struct origin){.hash = hash, .thread = contend_recent};
    return at;
}

static void identify(struct contend_members *members, const int *ranks)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (int i = 0; i < members->n; i++)
        hash = (hash ^ (uint64_t)(uint32_t)ranks[i]) * 0x100000001b3u;
    pthread_mutex_lock(&meeting);
    const int at = origin_of(hash);
    if (at < CONTEND_ORIGINS) {
        origins[at].is_ambiguous = origins[at].is_ambiguous || origins[at].thread != contend_recent;
        members->origin = (uint16_t)at;
        members->id = contend_lot(hash, origins[at].communicators++) | 1;
    }
    pthread_mutex_unlock(&meeting);
}

static struct contend_members *meet(MPI_Comm comm)
{
    struct contend_members *members = calloc(1, sizeof *members);
    int is_between = 0;
    if (members == NULL)
        return NULL;
    PMPI_Comm_size(comm, &members->n);
    PMPI_Comm_test_inter(comm, &is_between);
    if (is_between)
        members->kind = CONTEND_BETWEEN;
    else if (world_size > 0 && members->n > 1) {
        int *ranks = contend_is_of_world(comm) ? ranks_of(comm, members->n) : NULL;
        if (ranks == NULL)
            members->kind = CONTEND_ABROAD;
        else {
            place(members, ranks);
            identify(members, ranks);
        }
        free(ranks);
    }
    return members;
}

/* Where MPI was never initialised as a whole, nothing is kept. */
static bool has_keyval(void)
{
    int has_begun = 0, made = MPI_KEYVAL_INVALID;
    pthread_mutex_lock(&meeting);
    if (keyval == MPI_KEYVAL_INVALID && PMPI_Initialized(&has_begun) == MPI_SUCCESS && has_begun &&
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_members, &made, NULL) == MPI_SUCCESS)
        keyval = made;
    pthread_mutex_unlock(&meeting);
    return keyval != MPI_KEYVAL_INVALID;
}

static struct contend_members *look_up(MPI_Comm comm)
{
    void *value = NULL;
    int is_there = 0;
    if (comm == MPI_COMM_NULL || !has_keyval() ||
        PMPI_Comm_get_attr(comm, keyval, &value, &is_there) != MPI_SUCCESS)
        return NULL;
    if (is_there)
        return value;
    struct contend_members *members = meet(comm);
    if (members != NULL && PMPI_Comm_set_attr(comm, keyval, members) != MPI_SUCCESS) {
        free(members);
        members = NULL;
    }
    return members;
}

struct contend_members *contend_meet_members(MPI_Comm comm, struct contend_recent *recent)
{
    recent->freed = atomic_load_explicit(&contend_handles_freed, memory_order_acquire);
    recent->members = look_up(comm);
    recent->handle = HANDLE(comm);
    return recent->members;
}

bool contend_is_ambiguous(int origin) { return origins[origin].is_ambiguous; }
