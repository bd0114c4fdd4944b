/* The first calls of a size time who serves it best; then that one stays. */
#ifndef CONTEND_CHECK_H
#define CONTEND_CHECK_H

#include "../turn.h"
#include "contest.h"

/* What a rank knows of the check of one size: what is agreed, and its own times of this round. */
struct contend_asked {
    struct contend_contest contest;
    int next;                                                  /* candidate */
    int rounds;                                                /* that are over */
    double begin[CONTEND_CANDIDATES], end[CONTEND_CANDIDATES]; /* of trials, by the common clock */
    double lead[CONTEND_CANDIDATES]; /* seconds in which the size was agreed on before */
    double agreement, meeting;       /* seconds of the last reduction, of what came before trials */
};

struct contend_check {
    struct contend_asked asked[CONTEND_EXCHANGE_KINDS][CONTEND_SIZES];
    bool is_connected; /* all ranks to each other */
    double met_s;      /* when the common clock was new, by itself; 0: there is none yet */
    int natives; /* calls other than MPI_Alltoall in a row that were found best left to the library
                  */
    int rests, rested; /* of it that are left to the library unasked: still, and last time */
};

/* NULL without memory. */
struct contend_check *contend_make_check(void);

/* Counts what unfinished checks have cost, and frees all. */
void contend_free_check(struct contend_check *check);

/* Who serves blocks of that many bytes, the same at all ranks; NULL: the library's own. Where the
 * communicator is not checked, that is the plan's choice. */
const struct contend_choice *contend_pick(struct contend_state *state, int64_t bytes,
                                          struct contend_turn *turn);

/* The candidate of the turn cannot run, as all ranks know. */
void contend_refuse_candidate(struct contend_turn *turn);

/* After a trial that ended then, by contend_seconds; HUGE_VAL where it failed. */
void contend_settle_trial(struct contend_turn *turn, double end);

/* Whether the call is the library's own unless a trial gives it to another: what would be checked
 * is tried elsewhere. */
bool contend_leaves_to_trials(const struct contend_state *state, const struct contend_turn *turn);

/* Whether a call of MPI_Alltoallv or MPI_Alltoallw is the library's own without asking for its
 * size. */
bool contend_rests(struct contend_state *state);

/* Seconds that a call takes the library alone, as the trials said. */
double contend_native_time(const struct contend_asked *asked);

#endif
