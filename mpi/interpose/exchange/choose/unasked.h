/* Calls of MPI_Alltoallv and MPI_Alltoallw whose size nobody asks for. */
#ifndef CONTEND_UNASKED_H
#define CONTEND_UNASKED_H

#include "check.h"

/* Whether a call is the library's own without asking for its size: nothing was seen that would be
 * worth it, and it costs too much of what has been exchanged so far. */
bool contend_rests(struct contend_state *state, struct contend_turn *turn);

/* After the first asking on a communicator, which is made at its first call where the buffer of the
 * link is known: whether calls overflow it. */
void contend_see(struct contend_state *state, struct contend_asked *asked,
                 const struct contend_turn *turn);

/* After a size was asked for: in vain where the library's own call is the best again and again, so
 * that it is asked for ever less often. */
void contend_plan_rest(struct contend_check *check, const struct contend_turn *turn);

/* A size is looked at by calls whose size nobody asks for, and nothing was timed so far. */
void contend_leave_unasked(struct contend_asked *seen);

/* Whether two calls have about as many bytes. */
bool contend_is_like(double bytes, double others);

/* A size was asked for, and a rank has a doubt about the call. */
void contend_ask_in_vain(struct contend_state *state, struct contend_turn *turn);

/* Whether a call has about the bytes of the one that was looked at last, as far as a rank sees. */
bool contend_is_alike_to_look(const struct contend_turn *turn);

/* All ranks know by now how long a call took that was looked at, and how many bytes it had. */
void contend_finish_look(struct contend_state *state);

#endif
