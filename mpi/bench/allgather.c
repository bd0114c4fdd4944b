/* All-gather by the MPI library: MPI_Allgather.
 *
 * Idea: whatever algorithm the library chooses for a block of m bytes (MPI_BYTE) of each rank and n
 * processes.
 * Timed: MPI_Allgather alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {.root_sends = CONTEND_BLOCK,
                                           .others_send = CONTEND_BLOCK,
                                           .root_receives = CONTEND_BLOCKS,
                                           .others_receive = CONTEND_BLOCKS};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Allgather(data->sent, data->count, data->type, data->received, data->count,
                              data->type, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "allgather", .run = run, CONTEND_OF_SHAPE(&shape)};
