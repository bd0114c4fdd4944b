/* The times of a round of trials, told to all ranks beside the calls that follow. */
#ifndef CONTEND_ROUND_H
#define CONTEND_ROUND_H

#include "../transport/addition.h"
#include "check.h"

/* Of all these the greatest counts, so that what should be least is negated. */
enum {
    CONTEND_END,
    CONTEND_BEGIN = CONTEND_CANDIDATES,
    CONTEND_LEAD = 2 * CONTEND_CANDIDATES,
    CONTEND_WAITED = 3 * CONTEND_CANDIDATES, /* for the last reduction */
    CONTEND_MEETING,
    CONTEND_MET,
    CONTEND_EXCESS,
    CONTEND_SHORTEST, /* of the first trial, by the clock of a rank */
    CONTEND_TAKEN,    /* by calls of the library's own */
    CONTEND_LOOKED,   /* the next, of a look, where a call that is asked for carries it */
    CONTEND_EVEN,     /* contend_crossing_if_even of a call whose size nobody asked for */
    CONTEND_AGREEMENT,
    CONTEND_ASKING,
    CONTEND_NUMBERS
};

struct contend_round {
    struct contend_asked *asked; /* NULL: none is under way */
    enum contend_exchange_kind kind;
    int age;         /* calls since */
    bool is_carried; /* by the next asking for a size, where none else is begun */
    MPI_Request request;
    struct contend_adder adder;
    struct contend_addition own, all; /* sums: the volume of a call whose size nobody asked for */
};

_Static_assert((int)CONTEND_NUMBERS <= (int)CONTEND_MAXIMA, "room for all times");
_Static_assert((int)CONTEND_VOLUMES <= (int)CONTEND_SUMS, "room for a volume");

struct contend_round *contend_make_round(void);

/* Every rank has begun what is under way. */
void contend_free_round(struct contend_round *round);

/* Begins to tell all ranks the times of the round of a size, which is over. */
void contend_begin_round(struct contend_state *state, struct contend_asked *asked,
                         enum contend_exchange_kind kind);

/* Tells it beside calls, where there was no asking for a size. */
void contend_tell_round(struct contend_state *state);

/* Waits until all is told. Whether all ranks' calls went well, as all of them know then. */
bool contend_end_round(struct contend_round *round);

#endif
