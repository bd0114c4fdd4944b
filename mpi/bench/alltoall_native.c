/* Total exchange by the MPI library: MPI_Alltoall.
 *
 * Idea: whatever algorithm the library chooses for m bytes (MPI_BYTE) per pair and n processes.
 * Timed: MPI_Alltoall alone, until the last rank has returned from it.
 */
#include <stdlib.h>

#include "blocks.h"
#include "experiment.h"
#include "require.h"

static void setup(struct contend_point *point)
{
    struct contend_blocks *blocks = contend_allocate(sizeof *blocks, "buffers");
    *blocks = contend_make_blocks(point);
    point->state = blocks;
}

static double run(struct contend_point *point)
{
    const struct contend_blocks *blocks = point->state;
    const int m = (int)point->m;
    REQUIRE_MPI(
        MPI_Alltoall(blocks->sent, m, MPI_BYTE, blocks->received, m, MPI_BYTE, point->comm));
    return 0.0;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    return contend_check_blocks(point->state, point, detail, size);
}

static void teardown(struct contend_point *point)
{
    contend_free_blocks(point->state);
    free(point->state);
}

static const char *const algorithms[] = {"native", NULL};

const struct contend_experiment contend_experiment = {
    .name = "alltoall",
    .algorithms = algorithms,
    .processes_min = 2,
    .setup = setup,
    .run = run,
    .check = check,
    .teardown = teardown,
};
