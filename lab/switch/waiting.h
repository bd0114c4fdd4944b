/* Waiting for the next frame or the next due moment, with as little delay as Linux allows. */
#ifndef CONTEND_WAITING_H
#define CONTEND_WAITING_H

#include <stdint.h>

#include "forwarding.h"

struct contend_waiting {
    int descriptor; /* of epoll */
    int64_t lead;   /* computed: ns by which long sleeps end early */
};

/* Asks for prompt wake-ups; what an ordinary user may not have, is done without. */
struct contend_waiting contend_prepare_waiting(const struct contend_switch *device);
void contend_end_waiting(struct contend_waiting *waiting);

/* Until a frame comes, until one is due, until about the moment of a refresh, or until a signal. */
void contend_wait(struct contend_waiting *waiting, const struct contend_switch *device, int64_t due,
                  int64_t refresh);

#endif
