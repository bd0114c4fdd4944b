/* What the common clock, which is that of rank 0, shows more than the clock of this rank.
 *
 * Source: Hunold, Carpen-Amarie 2018, "Hierarchical clock synchronization in MPI", IEEE CLUSTER.
 * Idea: ranks form a binomial tree; each asks the one above it. A message there and back bounds the
 * offset from both sides; the narrowest bounds of a few count. Ranks under one kernel and in one
 * time namespace read one clock, and their offset is 0 unless messages contradict. */
#include "offsets.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "visit.h"

enum { EXCHANGES = 16, TAG = 1, TOLD = 3 };
/* One clock read on two cores of a machine may differ by less than this. */
#define ALIKE_NS 1000

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

static int ask(MPI_Comm comm, int other, int64_t clock, struct contend_clock_offset *found)
{
    int64_t low = INT64_MIN, high = INT64_MAX, there, told[TOLD];
    for (int i = 0; i < EXCHANGES; i++) {
        const int64_t sent = contend_nanoseconds();
        int code = PMPI_Send(NULL, 0, MPI_INT64_T, other, TAG, comm);
        if (code == MPI_SUCCESS)
            code = PMPI_Recv(&there, 1, MPI_INT64_T, other, TAG, comm, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
        const int64_t back = contend_nanoseconds();
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

static int answer(MPI_Comm comm, int other, int64_t clock, const struct contend_clock_offset *own)
{
    const int64_t told[TOLD] = {own->offset, own->bound, clock};
    for (int i = 0; i < EXCHANGES; i++) {
        int code = PMPI_Recv(NULL, 0, MPI_INT64_T, other, TAG, comm, MPI_STATUS_IGNORE);
        const int64_t now = contend_nanoseconds();
        if (code == MPI_SUCCESS)
            code = PMPI_Send(&now, 1, MPI_INT64_T, other, TAG, comm);
        if (code != MPI_SUCCESS)
            return code;
    }
    return PMPI_Send(told, TOLD, MPI_INT64_T, other, TAG, comm);
}

/* The rank above lacks the lowest bit that is set; those below are answered the farthest first. */
int contend_find_offset(MPI_Comm comm, struct contend_clock_offset *found)
{
    int rank, n, span = 1;
    const int64_t clock = own_clock();
    int code = PMPI_Comm_rank(comm, &rank);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_size(comm, &n);
    *found = (struct contend_clock_offset){0};
    if (code == MPI_SUCCESS && rank > 0)
        code = ask(comm, rank & (rank - 1), clock, found);
    if (code != MPI_SUCCESS)
        return code;
    while (span < n && (rank & span) == 0)
        span *= 2;
    for (span /= 2; span > 0 && code == MPI_SUCCESS; span /= 2)
        if (rank + span < n)
            code = answer(comm, rank + span, clock, found);
    found->at = contend_nanoseconds();
    return code;
}
