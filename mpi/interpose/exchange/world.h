/* Whether the ranks of a communicator began together. */
#ifndef CONTEND_WORLD_H
#define CONTEND_WORLD_H

#include <mpi.h>
#include <stdbool.h>

/* Whether all ranks are of this MPI_COMM_WORLD; the same at all of them. */
bool contend_is_of_world(MPI_Comm comm);

/* Whether this process was spawned by others, as long as it has not left them. */
bool contend_has_parent(void);

#endif
