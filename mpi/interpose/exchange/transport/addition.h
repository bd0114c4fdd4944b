/* What all ranks of a communicator have together. */
#ifndef CONTEND_ADDITION_H
#define CONTEND_ADDITION_H

#include <mpi.h>
#include <stdint.h>

#include "../state.h"

enum { CONTEND_SUMS = 20, CONTEND_MAXIMA = 26 };

struct contend_addition {
    int64_t sum[CONTEND_SUMS];
    double greatest[CONTEND_MAXIMA];
};

/* Adds up what all ranks have, finds the greatest, and leaves both there, the same bits at all of
 * them. Called by all ranks. Returns an MPI error code, after which nothing of it is defined. */
int contend_add_up(const struct contend_state *state, struct contend_addition *all);

/* Leaves the greatest of all ranks of each of so many values, CONTEND_MAXIMA at most; HUGE_VAL
 * where MPI fails. */
void contend_find_greatest(const struct contend_state *state, int count, double *values);

/* Whether every rank says so; false where MPI fails. */
bool contend_all_agree(const struct contend_state *state, bool mine);

/* The same beside other calls, by MPI's own reduction. */
struct contend_adder {
    MPI_Datatype type;
    MPI_Op operation;
};

/* Both are MPI_DATATYPE_NULL and MPI_OP_NULL where MPI fails. */
struct contend_adder contend_make_adder(void);
void contend_free_adder(struct contend_adder *adder);

/* `all` is defined, and both may be used again, when the request is over; MPI_REQUEST_NULL where
 * MPI fails. */
MPI_Request contend_begin_adding(const struct contend_state *state,
                                 const struct contend_adder *adder,
                                 const struct contend_addition *own, struct contend_addition *all);

#endif
