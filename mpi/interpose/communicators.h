/* What MPI says of a communicator, and communicators of this library's own. */
#ifndef CONTEND_COMMUNICATORS_H
#define CONTEND_COMMUNICATORS_H

#include <mpi.h>
#include <stdbool.h>

/* Processes of a communicator of one group; 0 for others and for what MPI would refuse. */
int contend_processes(MPI_Comm comm);

/* The ranks in MPI_COMM_WORLD of `count` ranks from `first` on, MPI_UNDEFINED for those of another
 * one; false where MPI fails. */
bool contend_world_ranks(MPI_Comm comm, int first, int count, int *ranks);

/* Whether all ranks are of this MPI_COMM_WORLD; the same at all of them. */
bool contend_is_of_world(MPI_Comm comm);

/* Whether this process was spawned by others, as long as it has not left them. */
bool contend_has_parent(void);

/* Whether there may be one more of this library's own. */
bool contend_has_room_for_private(void);

/* Makes one of the ranks of `owner`, whose errors are returned. Called by all of them. False, and
 * MPI_COMM_NULL, where it could not be made. */
bool contend_make_private(MPI_Comm owner, MPI_Comm *made);

/* Nothing for MPI_COMM_NULL. */
void contend_free_private(MPI_Comm *comm);

#endif
