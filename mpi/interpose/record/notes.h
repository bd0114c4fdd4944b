/* What is noted of calls: used by the tables, between settle and leave where nothing else is said.
 */
#ifndef CONTEND_NOTES_H
#define CONTEND_NOTES_H

#include <mpi.h>
#include <stddef.h>

#include "../collective.h"
#include "handles.h"
#include "visit.h"

#define ONE(n, t) ((struct contend_data){.count = (n), .type = (t)})

/* Point-to-point: points.c. */
void contend_note_message(struct contend_visit *visit, MPI_Comm comm, int dest, int tag,
                          struct contend_data data);
void contend_note_receive(struct contend_visit *visit, MPI_Comm comm, int source, int tag,
                          struct contend_data data);
void contend_note_status(struct contend_visit *visit, const MPI_Status *status);
void contend_note_received(struct contend_visit *visit, MPI_Comm comm, int source, int tag,
                           const MPI_Status *status);
void contend_note_other_half(struct contend_visit *visit, int source, int tag,
                             const MPI_Status *status);
void contend_note_none(struct contend_visit *visit); /* a poll has found nothing */
void contend_note_probed(struct contend_visit *visit, MPI_Comm comm, int source, int tag,
                         bool is_there, const MPI_Status *status);
void contend_note_caught(struct contend_visit *visit, MPI_Message message);
void contend_note_matched(struct contend_visit *visit, MPI_Message message); /* before the call */
int32_t contend_peer(int peer);
int64_t contend_status_bytes(const MPI_Status *status);

/* Requests: requests.c. */
MPI_Status *contend_own_status(MPI_Status *given);              /* before the call */
MPI_Status *contend_own_statuses(int count, MPI_Status *given); /* before the call */
void contend_keep(int count, const MPI_Request *requests);      /* before the call */
void contend_note_begun(struct contend_visit *visit, MPI_Request request, int does);
void contend_note_started(struct contend_visit *visit, int count, const MPI_Request *requests);
void contend_note_cancelled(struct contend_visit *visit, MPI_Request request);
void contend_note_freed(struct contend_visit *visit);
/* `which`: places of those that are over, NULL: all. */
void contend_note_ends(struct contend_visit *visit, int code, bool is_over, int count,
                       const int *which, const MPI_Request *requests, const MPI_Status *statuses);

/* Collectives and others: collectives.c. */
void contend_note_collective(struct contend_visit *visit, const struct contend_collective *call);
void contend_note_reached(struct contend_visit *visit, int target, struct contend_data data);
void contend_note_moved(struct contend_visit *visit, struct contend_data data);

/* Communicators: communicators.c. */
void contend_know_communicator(MPI_Comm comm); /* gives it the next number */
struct contend_known contend_note_comm(struct contend_visit *visit, MPI_Comm comm);
void contend_note_made(struct contend_visit *visit, MPI_Comm parent, MPI_Comm made);
void contend_note_dup_begun(struct contend_visit *visit, MPI_Comm parent, MPI_Comm made);
void contend_note_ending(struct contend_visit *visit, MPI_Comm comm); /* before the call */

#endif
