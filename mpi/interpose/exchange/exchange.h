/* One call, served by the portfolio where all ranks agree to. */
#ifndef CONTEND_EXCHANGE_H
#define CONTEND_EXCHANGE_H

#include "../collective.h"
#include "turn.h"

/* The turn is empty but for who is to serve it.
 * True when the call is done, with what it returns in `code`; false where the caller makes the
 *  native call, at all ranks alike. Either way the turn is ended where it has a state. */
bool contend_exchange(const struct contend_collective *call, struct contend_turn *turn, int *code);

#endif
