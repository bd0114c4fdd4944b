/* How the clocks of ranks differ, so that it can be told when all had come and when all had gone.
 */
#ifndef CONTEND_COMMON_CLOCK_H
#define CONTEND_COMMON_CLOCK_H

#include "state.h"

/* Sets the state's offset_s: what the common clock shows more than MPI_Wtime of this rank. Called
 * by all ranks. It is true for a while, until clocks have drifted apart. */
int contend_synchronise(struct contend_state *state);

#endif
