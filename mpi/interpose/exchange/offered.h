/* The portfolio as it is offered to be tried. */
#ifndef CONTEND_OFFERED_H
#define CONTEND_OFFERED_H

#include "../try/offers.h"

/* Reads the plan; returns a number that is the same at all ranks whose offers are. */
uint64_t contend_offer_portfolio(void);

/* Those for an operation; how many, at most `most`. */
int contend_portfolio_for(enum contend_operation operation, int most,
                          const struct contend_offer **into);

/* Whether exchanges on the communicator can be served so, the same at all its ranks, which call it
 * together where it has no state yet. */
bool contend_can_exchange(MPI_Comm comm, const struct contend_choice *choice);

#endif
