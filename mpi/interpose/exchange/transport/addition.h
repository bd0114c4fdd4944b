/* What all ranks of a communicator have together. */
#ifndef CONTEND_ADDITION_H
#define CONTEND_ADDITION_H

#include <stdint.h>

#include "../state.h"

enum { CONTEND_SUMS = 20, CONTEND_MAXIMA = 21 };

struct contend_addition {
    int64_t sum[CONTEND_SUMS];
    double greatest[CONTEND_MAXIMA];
};

/* Adds up what all ranks have, finds the greatest, and leaves both there, the same bits at all of
 * them. Called by all ranks. Returns an MPI error code, after which nothing of it is defined. */
int contend_add_up(const struct contend_state *state, struct contend_addition *all);

#endif
