/* A tree of ranks: what the common clock, which is that of its first, shows more than the clock of
 * this rank, and a start that all ranks share.
 *
 * Source: Hunold, Carpen-Amarie 2018, "Hierarchical clock synchronization in MPI", IEEE CLUSTER.
 * Idea: ranks form a binomial tree; each asks the one above it. A message there and back bounds the
 * offset from both sides; the narrowest bounds of a few count. Ranks under one kernel and in one
 * time namespace read one clock, and their offset is 0 unless messages contradict.
 * Messages go along the tree and nowhere else, so that a library that connects two ranks at their
 * first message connects no others (src/contend/programs/traces/recording/operations.py). */
#include "offsets.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "modes.h"

enum { TOLD = 3 };
/* Communicators have messages of the program, too: no program is likely to take this tag. */
enum { TAG = 32749 };
/* One clock read on two cores of a machine may differ by less than this. */
#define ALIKE_NS 1000
/* A start in common is not waited for longer. */
#define MOST_MARGIN_NS 1000000000

/* The kernel's id and the time namespace, in one number; 0 where they are not known. */
static int64_t own_clock(void)
{
    char text[128] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file == NULL)
        return 0;
    const size_t length = fread(text, 1, sizeof text / 2, file);
    fclose(file);
    if (length == 0 || readlink("/proc/self/ns/time", text + length, sizeof text - 1 - length) < 0)
        return 0;
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *at = text; *at != '\0'; at++)
        sum = (sum ^ (unsigned char)*at) * 0x100000001b3u;
    return (int64_t)sum;
}

static int ask(MPI_Comm comm, int other, int exchanges, int64_t clock,
               struct contend_clock_offset *found)
{
    int64_t low = INT64_MIN, high = INT64_MAX, there, told[TOLD];
    for (int i = 0; i < exchanges; i++) {
        const int64_t sent = contend_nanoseconds();
        int code = PMPI_Send(NULL, 0, MPI_INT64_T, other, TAG, comm);
        if (code == MPI_SUCCESS)
            code = PMPI_Recv(&there, 1, MPI_INT64_T, other, TAG, comm, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
        const int64_t back = contend_nanoseconds();
        if (i == 0 || back - sent < found->round_trip)
            found->round_trip = back - sent;
        low = there - back > low ? there - back : low;
        high = there - sent < high ? there - sent : high;
    }
    const int code = PMPI_Recv(told, TOLD, MPI_INT64_T, other, TAG, comm, MPI_STATUS_IGNORE);
    const int64_t width = high > low ? high - low : 0;
    const int is_alike = clock != 0 && told[2] == clock && low <= ALIKE_NS && high >= -ALIKE_NS;
    found->offset = told[0] + (is_alike ? 0 : low + width / 2);
    found->bound = told[1] + (is_alike ? 0 : (width + 1) / 2);
    return code;
}

static int answer(MPI_Comm comm, int other, int exchanges, int64_t clock,
                  const struct contend_clock_offset *own)
{
    const int64_t told[TOLD] = {own->offset, own->bound, clock};
    for (int i = 0; i < exchanges; i++) {
        int code = PMPI_Recv(NULL, 0, MPI_INT64_T, other, TAG, comm, MPI_STATUS_IGNORE);
        const int64_t now = contend_nanoseconds();
        if (code == MPI_SUCCESS)
            code = PMPI_Send(&now, 1, MPI_INT64_T, other, TAG, comm);
        if (code != MPI_SUCCESS)
            return code;
    }
    return PMPI_Send(told, TOLD, MPI_INT64_T, other, TAG, comm);
}

/* The rank above lacks the lowest bit that is set; -1 for rank 0. */
static int above(int rank) { return rank > 0 ? rank & (rank - 1) : -1; }

/* The distance to the farthest rank below, or 0; that to the next one is half of it, and so on. */
static int farthest_below(int rank, int n)
{
    int span = 1;
    while (span < n && (rank & span) == 0)
        span *= 2;
    do
        span /= 2;
    while (span > 0 && rank + span >= n);
    return span;
}

int contend_tell_all(MPI_Comm comm, int rank, int n, int64_t *value)
{
    int code = MPI_SUCCESS;
    if (rank > 0)
        code = PMPI_Recv(value, 1, MPI_INT64_T, above(rank), TAG, comm, MPI_STATUS_IGNORE);
    for (int span = farthest_below(rank, n); span > 0 && code == MPI_SUCCESS; span /= 2)
        code = PMPI_Send(value, 1, MPI_INT64_T, rank + span, TAG, comm);
    return code;
}

/* On rank 0 the greatest sum of round trips on the way to any rank. */
static int longest_way(MPI_Comm comm, int rank, int n, int64_t *way)
{
    int64_t longest = 0, theirs;
    int code = MPI_SUCCESS;
    for (int span = farthest_below(rank, n); span > 0 && code == MPI_SUCCESS; span /= 2) {
        code = PMPI_Recv(&theirs, 1, MPI_INT64_T, rank + span, TAG, comm, MPI_STATUS_IGNORE);
        longest = theirs > longest ? theirs : longest;
    }
    *way += longest;
    if (rank > 0 && code == MPI_SUCCESS)
        code = PMPI_Send(way, 1, MPI_INT64_T, above(rank), TAG, comm);
    return code;
}

static int rank_at(struct contend_tree tree, int place)
{
    return tree.ranks == NULL ? place : tree.ranks[place];
}

int contend_find_offset(MPI_Comm comm, struct contend_tree tree, int exchanges,
                        struct contend_clock_offset *found)
{
    const int64_t clock = own_clock();
    int code = MPI_SUCCESS;
    if (tree.place > 0)
        code = ask(comm, rank_at(tree, above(tree.place)), exchanges, clock, found);
    for (int span = farthest_below(tree.place, tree.count); span > 0 && code == MPI_SUCCESS;
         span /= 2)
        code = answer(comm, rank_at(tree, tree.place + span), exchanges, clock, found);
    found->at = contend_nanoseconds();
    return code;
}

/* The sum of round trips to the farthest rank is twice what a message takes to it. */
int contend_start_together(MPI_Comm comm, int rank, int n, const struct contend_clock_offset *own)
{
    int64_t start = own->round_trip;
    int code = longest_way(comm, rank, n, &start);
    if (code != MPI_SUCCESS)
        return code;
    if (rank == 0) {
        const int64_t most = MOST_MARGIN_NS;
        start = contend_nanoseconds() + (start < most ? start : most);
    }
    code = contend_tell_all(comm, rank, n, &start);
    for (int64_t left;
         code == MPI_SUCCESS && (left = start - own->offset - contend_nanoseconds()) > 0;)
        nanosleep(&(struct timespec){.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000},
                  NULL);
    return code;
}
