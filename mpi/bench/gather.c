/* Gather by the MPI library: MPI_Gather.
 *
 * Idea: whatever algorithm the library chooses for a block of m bytes (MPI_BYTE) from each rank to
 * rank 0 and n processes.
 * Timed: MPI_Gather alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {
    .root_sends = CONTEND_BLOCK, .others_send = CONTEND_BLOCK, .root_receives = CONTEND_BLOCKS};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Gather(data->sent, data->count, data->type, data->received, data->count,
                           data->type, CONTEND_ROOT, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "gather", .run = run, CONTEND_OF_SHAPE(&shape)};
