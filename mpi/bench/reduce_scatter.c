/* Reduction, a block to each rank, by the MPI library: MPI_Reduce_scatter.
 *
 * Idea: whatever algorithm the library chooses for vectors of n blocks of m bytes and n processes.
 * All blocks are of one size, but it is MPI_Reduce_scatter that is called: OSU and IMB time it
 * under this name, and libraries choose its algorithm apart from that of MPI_Reduce_scatter_block
 * (reduce_scatter_block).
 * Timed: MPI_Reduce_scatter alone, until the last rank has returned from it.
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
    REQUIRE_MPI(MPI_Reduce_scatter(data->sent, data->received, data->counts, data->type, data->op,
                                   point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "reduce_scatter", .run = run, CONTEND_OF_SHAPE(&shape)};
