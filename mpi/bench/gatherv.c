/* Gather of a list of blocks by the MPI library: MPI_Gatherv.
 *
 * Idea: whatever algorithm the library chooses for a block from each rank to rank 0 and n
 * processes, all blocks of m bytes (MPI_BYTE) one behind the other, which only rank 0 knows.
 * Timed: MPI_Gatherv alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {
    .root_sends = CONTEND_BLOCK, .others_send = CONTEND_BLOCK, .root_receives = CONTEND_BLOCKS};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    REQUIRE_MPI(MPI_Gatherv(data->sent, data->count, data->type, data->received, data->counts,
                            data->places, data->type, CONTEND_ROOT, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "gatherv", .run = run, CONTEND_OF_SHAPE(&shape)};
