/* What the calls of this process add up to, by operation, processes, bytes and algorithm. */
#ifndef CONTEND_VERIFY_LEDGER_H
#define CONTEND_VERIFY_LEDGER_H

#include "call.h"

void contend_add(const struct contend_key *key, double seconds);

/* Notes what the file says of this process, when MPI is there to ask. */
void contend_note_world(void);

/* Writes all to a file of $CONTEND_VERIFY, once; without it nothing. */
void contend_write_ledger(void);

#endif
