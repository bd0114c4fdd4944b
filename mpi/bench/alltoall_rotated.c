/* Total exchange, all messages at once, in rotated order: the catalogue's alltoall/rotated.
 *
 * Source: the direct exchange of Steffenel, Martinasso, Trystram 2007 ("Assessing contention
 * effects on MPI_Alltoall communications", GPC); without forwarding, hence with all the contention.
 * Idea: rank i posts receives from i-1, i-2, ... and sends to i+1, i+2, ... (mod n), then waits for
 * all; the rotation keeps the ranks from sending to the same destination at the same time.
 * Cost without contention: (n-1) (alpha + m beta).
 * Timed: copy of the own block, all posts and MPI_Waitall, until the last rank is done.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "experiment.h"
#include "require.h"

enum { TAG_BLOCK = 1 };

struct rotated {
    struct contend_blocks blocks;
    MPI_Request *requests; /* [2 (n-1)] */
};

static void setup(struct contend_point *point)
{
    struct rotated *rotated = contend_allocate(sizeof *rotated, "buffers");
    const size_t count = 2 * ((size_t)point->n - 1);
    rotated->blocks = contend_make_blocks(point);
    rotated->requests = contend_allocate(count * sizeof(MPI_Request), "requests");
    point->state = rotated;
}

static double run(struct contend_point *point)
{
    const struct rotated *rotated = point->state;
    const struct contend_blocks *blocks = &rotated->blocks;
    const int n = point->n, rank = point->rank, m = (int)point->m;
    MPI_Request *request = rotated->requests;
    for (int step = 1; step < n; step++) {
        const int src = (rank - step + n) % n;
        REQUIRE_MPI(MPI_Irecv(blocks->received + (size_t)src * point->m, m, MPI_BYTE, src,
                              TAG_BLOCK, point->comm, request++));
    }
    for (int step = 1; step < n; step++) {
        const int dst = (rank + step) % n;
        REQUIRE_MPI(MPI_Isend(blocks->sent + (size_t)dst * point->m, m, MPI_BYTE, dst, TAG_BLOCK,
                              point->comm, request++));
    }
    memcpy(blocks->received + (size_t)rank * point->m, blocks->sent + (size_t)rank * point->m,
           point->m);
    REQUIRE_MPI(MPI_Waitall(2 * (n - 1), rotated->requests, MPI_STATUSES_IGNORE));
    return 0.0;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct rotated *rotated = point->state;
    return contend_check_blocks(&rotated->blocks, point, detail, size);
}

static void teardown(struct contend_point *point)
{
    struct rotated *rotated = point->state;
    contend_free_blocks(&rotated->blocks);
    free(rotated->requests);
    free(rotated);
}

static const char *const algorithms[] = {"rotated", NULL};

const struct contend_experiment contend_experiment = {
    .name = "alltoall",
    .algorithms = algorithms,
    .processes_min = 2,
    .setup = setup,
    .run = run,
    .check = check,
    .teardown = teardown,
};
