/* One call on its way through the recorder. */
#ifndef CONTEND_VISIT_H
#define CONTEND_VISIT_H

#include <mpi.h>
#include <stdbool.h>

#include "../modes.h"
#include "record.h"

struct contend_visit {
    struct contend_record record;
};

/* Whether the call is recorded: not where recording is off, nor calls that the MPI library, or
 * what it calls back, makes from within another. Each true is followed by settle and leave. */
bool contend_enter(struct contend_visit *visit, int kind);

/* After the call: what is noted from here on is kept from other threads. */
void contend_settle(struct contend_visit *visit, int code);

/* Appends the record. */
void contend_leave(struct contend_visit *visit);

/* For changes before the call. */
void contend_lock(void);
void contend_unlock(void);
bool contend_lock_if_free(void);

#endif
