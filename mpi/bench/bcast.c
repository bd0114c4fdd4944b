/* Broadcast by the MPI library: MPI_Bcast.
 *
 * Idea: whatever algorithm the library chooses for m bytes (MPI_BYTE) of rank 0 and n processes.
 * Timed: MPI_Bcast alone, until the last rank has returned from it.
 */
#include "collective.h"
#include "require.h"

static const struct contend_shape shape = {.root_sends = CONTEND_BLOCK,
                                           .others_receive = CONTEND_BLOCK};

static double run(struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    unsigned char *buffer = point->rank == CONTEND_ROOT ? data->sent : data->received;
    REQUIRE_MPI(MPI_Bcast(buffer, data->count, data->type, CONTEND_ROOT, point->comm));
    return 0.0;
}

const struct contend_experiment contend_experiment = {
    .name = "bcast", .run = run, CONTEND_OF_SHAPE(&shape)};
