/* What is kept of the collective calls of a process and of its job, from MPI_Init to its end. */
#ifndef CONTEND_WATCH_JOB_H
#define CONTEND_WATCH_JOB_H

#include <stdatomic.h>

#include "call.h"
#include "sums.h"

/* The ledgers; NULL where their mode is off. Several threads hold the lock, see contend_hold. */
extern struct contend_ledger *contend_watched_calls, *contend_verified_calls;

/* When the next line of this rank is due, in ticks. */
extern atomic_llong contend_line_due;

/* Where several threads may be in MPI at once, keeps the others out. */
void contend_enter_ledgers(void);
void contend_leave_ledgers(void);

/* Collective: MPI_Init is over, MPI_Finalize begins. */
void contend_watch_start(void);
void contend_watch_finish(void);

void contend_watch_abort(void);

/* Appends what this rank has seen so far to the file of the job. `ended`: NULL while it runs. */
void contend_write_own_line(const char *ended);

/* Counts a call that is in no ledger. */
void contend_count_other(enum contend_operation operation, enum contend_form form);

#endif
