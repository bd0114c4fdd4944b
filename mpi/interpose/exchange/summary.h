/* What all calls of a program add up to, in a file of JSON at MPI_Finalize. */
#ifndef CONTEND_SUMMARY_H
#define CONTEND_SUMMARY_H

#include "state.h"

/* Called by all ranks of a communicator that have just agreed on it: whoever talks there to the
 * whole world can do so at the end. */
void contend_meet(const struct contend_state *state);

/* What was asked for: totals explained, the file written. MPI_Finalize has begun, and MPI works. */
void contend_sum_up(void);

#endif
