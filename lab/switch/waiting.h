/* Waiting for the next frame or the next due moment, with as little delay as Linux allows. */
#ifndef CONTEND_WAITING_H
#define CONTEND_WAITING_H

#include "forwarding.h"

/* Asks for prompt wake-ups; what an ordinary user may not have, is done without. Returns what
 * contend_wait waits on. */
int contend_prepare_waiting(const struct contend_switch *device);

/* Until a frame comes, until the moment, or until a signal. */
void contend_wait(int waiting, int64_t until);

#endif
