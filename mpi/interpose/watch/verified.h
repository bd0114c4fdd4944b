/* What is written of the calls of a program that is verified. */
#ifndef CONTEND_VERIFIED_H
#define CONTEND_VERIFIED_H

#include "ledger.h"

/* What the file says of this process, while MPI is there to ask. */
void contend_name_verified(int rank, int ranks, const char *library);

/* Writes all to a file of this process in the folder that $CONTEND_VERIFY names. */
void contend_write_verified(const struct contend_ledger *ledger);

#endif
