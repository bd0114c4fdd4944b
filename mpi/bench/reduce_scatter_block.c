/* Reduction, an equal block to each rank, by the MPI library: MPI_Reduce_scatter_block.
 *
 * Idea: whatever algorithm the library chooses for vectors of n blocks of m bytes and n processes.
 * Timed: MPI_Reduce_scatter_block alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {.root_sends = CONTEND_BLOCKS,
                                           .others_send = CONTEND_BLOCKS,
                                           .root_receives = CONTEND_BLOCK,
                                           .others_receive = CONTEND_BLOCK,
                                           .reduces = true};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Reduce_scatter_block(data->sent, data->received, data->count, data->type,
                                         data->op, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "reduce_scatter_block", .run = run, CONTEND_OF_SHAPE(&shape)};
