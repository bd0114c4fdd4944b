/* Reduction to one rank by the MPI library: MPI_Reduce.
 *
 * Idea: whatever algorithm the library chooses for the sum of vectors of m bytes on rank 0 and n
 * processes.
 * Timed: MPI_Reduce alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {.root_sends = CONTEND_BLOCK,
                                           .others_send = CONTEND_BLOCK,
                                           .root_receives = CONTEND_BLOCK,
                                           .reduces = true};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Reduce(data->sent, data->received, data->count, data->type, data->op,
                           CONTEND_ROOT, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "reduce", .run = run, CONTEND_OF_SHAPE(&shape)};
