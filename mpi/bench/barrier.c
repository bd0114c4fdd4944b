/* Barrier by the MPI library: MPI_Barrier.
 *
 * Idea: whatever algorithm the library chooses for n processes. It moves no data, so m says nothing
 * and is 0 in a campaign.
 * Timed: MPI_Barrier alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {.reduces = false};

static double run(struct contend_point *point)
{
    REQUIRE_MPI(MPI_Barrier(point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "barrier", .run = run, CONTEND_OF_SHAPE(&shape)};
