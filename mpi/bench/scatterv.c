/* Scatter of a list of blocks by the MPI library: MPI_Scatterv.
 *
 * Idea: whatever algorithm the library chooses for a block from rank 0 to each rank and n
 * processes, all blocks of m bytes (MPI_BYTE) one behind the other, which only rank 0 knows.
 * Timed: MPI_Scatterv alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {
    .root_sends = CONTEND_BLOCKS, .root_receives = CONTEND_BLOCK, .others_receive = CONTEND_BLOCK};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Scatterv(data->sent, data->counts, data->places, data->type, data->received,
                             data->count, data->type, CONTEND_ROOT, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "scatterv", .run = run, CONTEND_OF_SHAPE(&shape)};
