/* What ranks do together before anything is timed. */
#ifndef CONTEND_MEETING_H
#define CONTEND_MEETING_H

#include "../state.h"

/* Sets the state's offset_s: what the common clock shows more than the clock of this rank. Called
 * by all ranks. It is true for a while, until clocks have drifted apart. */
int contend_synchronise(struct contend_state *state);

/* A message without bytes between any two ranks. Called by all ranks. */
int contend_connect(struct contend_state *state);

#endif
