/* Starts a repetition on all ranks together, or not at all once rank 0 says stop. */
#ifndef CONTEND_START_H
#define CONTEND_START_H

#include <mpi.h>
#include <stdbool.h>

#include "arguments.h"
#include "clocks.h"

struct contend_starter {
    MPI_Comm comm;
    int rank;
    enum contend_start start; /* any but CONTEND_START_AUTO */
    bool may_spin;
    double slack;                 /* s from rank 0's order to the instant; computed on rank 0 */
    double margin;                /* s by which this rank was early; computed */
    struct contend_clocks clocks; /* of a window */
    double checked;               /* when the clocks were last looked at */
    bool has_begun;               /* a repetition since then */
    struct contend_skew skew;     /* the largest after repetitions since it was last taken */
    char note[192];               /* why it is no window though one was wanted; "" else */
};

/* Finds or makes the clock that a window needs; where that fails and `start` is
 * CONTEND_START_AUTO, it is a barrier. `places` must live as long. */
struct contend_starter contend_make_starter(MPI_Comm comm, enum contend_start start,
                                            const struct contend_places *places);

void contend_free_starter(struct contend_starter *starter);

/* Returns true when the repetition begins, at *begin by contend_now; false when rank 0
 * (whose `stops` alone counts) stops. */
bool contend_begin(struct contend_starter *starter, bool stops, double *begin);

/* After every repetition, untimed. On rank 0 true if some rank reached the instant too late. */
bool contend_end(struct contend_starter *starter);

/* How far apart the ranks' clocks were in the repetitions since this was last asked, at worst; NAN
 * where they start by a barrier. Collective. */
struct contend_skew contend_take_skew(struct contend_starter *starter);

#endif
