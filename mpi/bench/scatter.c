/* Scatter by the MPI library: MPI_Scatter.
 *
 * Idea: whatever algorithm the library chooses for a block of m bytes (MPI_BYTE) from rank 0 to
 * each rank and n processes.
 * Timed: MPI_Scatter alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {
    .root_sends = CONTEND_BLOCKS, .root_receives = CONTEND_BLOCK, .others_receive = CONTEND_BLOCK};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Scatter(data->sent, data->count, data->type, data->received, data->count,
                            data->type, CONTEND_ROOT, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "scatter", .run = run, CONTEND_OF_SHAPE(&shape)};
