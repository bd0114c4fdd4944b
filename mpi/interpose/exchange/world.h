/* What all ranks of MPI_COMM_WORLD have told each other when MPI_Init ended. */
#ifndef CONTEND_WORLD_H
#define CONTEND_WORLD_H

#include "state.h"

struct contend_world {
    const char *why;            /* every exchange is the library's own; NULL: some may not be */
    struct contend_seat *seats; /* [processes of MPI_COMM_WORLD] */
    double met_s;               /* when the common clock was new, by itself; 0: there is none */
    double offset_s;            /* the common clock, later than that of this rank */
    double agreement_s;         /* of one agreement of all ranks, the same at all of them */
    double asking_s;            /* of one addition over all ranks, likewise */
    double meeting_s;           /* of what comes before anything is timed; likewise */
    bool is_connected;          /* any two ranks have sent each other a message */
};

/* Called by all ranks at the end of MPI_Init: exchanges pay for none of this then. */
void contend_begin_world(void);

/* Before MPI ends. */
void contend_end_world(void);

/* NULL where MPI_Init was not seen. */
const struct contend_world *contend_world(void);

/* The seats of a communicator's ranks, all of them of this world; false where MPI fails. */
bool contend_seats_of(MPI_Comm comm, int processes, struct contend_seat *seats);

/* Whether no group, nor a host of several ranks, tells a communicator's ranks apart. All ranks find
 * the same without a message, and without memory that might not be there. */
bool contend_is_one_group(MPI_Comm comm, int processes);

#endif
