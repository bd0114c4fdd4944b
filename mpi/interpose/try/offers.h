/* Algorithms that can be tried, and what the MPI library offers of them. */
#ifndef CONTEND_OFFERS_H
#define CONTEND_OFFERS_H

#include "../collective.h"

struct contend_choice;

struct contend_offer {
    enum contend_operation operation;
    const char *name; /* the library's */
    int number;       /* the library's; 0: it has none */
    const struct contend_choice
        *choice; /* of the exchange's portfolio; NULL: it is the library's */
};

/* Starts MPI_T, and finds what the library has; between MPI_Init and MPI_Finalize. Says on standard
 * error why there is nothing, if so. */
void contend_find_offers(void);

/* Before MPI_Init: where a library has to be told that it will be told more, which by itself
 * changes nothing. */
void contend_prepare_offers(void);

/* Ends MPI_T, before MPI_Finalize: Open MPI dies of one that outlives MPI. */
void contend_end_offers(void);

/* Those for an operation on so many ranks, the likeliest first; how many, at most `most`. */
int contend_offers_for(enum contend_operation operation, int ranks, int most,
                       const struct contend_offer **offers);

/* Whether an offer needs a communicator of its own: Open MPI reads what it is told when one is
 * made. */
bool contend_offers_by_communicator(void);

/* A communicator of the ranks of `owner` whose calls are made by the offers of a number. Called by
 * all of them; MPI_COMM_NULL where it could not be made. */
MPI_Comm contend_make_offering(MPI_Comm owner, int number);

/* Around a call on the program's own communicator, with other libraries. */
void contend_take_offer(const struct contend_offer *offer);
void contend_give_back_offer(const struct contend_offer *offer);

#endif
