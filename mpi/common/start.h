/* Starts a repetition on all ranks together, or not at all once rank 0 says stop. */
#ifndef CONTEND_START_H
#define CONTEND_START_H

#include <mpi.h>
#include <stdbool.h>

#include "arguments.h"

struct contend_starter {
    MPI_Comm comm;
    int rank;
    enum contend_start start; /* any but CONTEND_START_AUTO */
    bool may_spin;
    double slack;  /* s from rank 0's order to the instant; computed on rank 0 */
    double margin; /* s by which this rank was early; computed */
};

/* Sets the epoch of the clock. Aborts if a window is wanted and the clocks disagree. */
struct contend_starter contend_make_starter(MPI_Comm comm, enum contend_start start, bool may_spin);

/* Returns true when the repetition begins, at *begin by this rank's clock; false when rank 0
 * (whose `stops` alone counts) stops. */
bool contend_begin(struct contend_starter *starter, bool stops, double *begin);

/* After every repetition, untimed. On rank 0 true if some rank reached the instant too late. */
bool contend_end(struct contend_starter *starter);

#endif
