/* The first calls of a size time who serves it best; then that one stays. */
#ifndef CONTEND_CHECK_H
#define CONTEND_CHECK_H

#include "../turn.h"
#include "contest.h"

/* What a rank knows of the check of one size: what is agreed, and its own times of this round. */
struct contend_asked {
    struct contend_contest contest;
    int next;                      /* candidate */
    int rounds;                    /* that are over */
    int calls;                     /* made while this is open */
    double taken_s;                /* of this rank, by the library's own */
    double native_s, native_calls; /* the same; of calls like those looked at, if nobody asked */
    double look_s, look_calls;     /* of these the trials */
    double least_s;                /* of taken_s, the least of any rank, as all knew it last */
    struct contend_volume volume;  /* of this rank in the call that was looked at last, unasked */
    double if_even;                /* contend_crossing_if_even of that call, of all ranks */
    bool is_reversed;     /* another has the first call: the library's own is looked at later */
    double look_at;       /* calls, after which that is due */
    bool is_unasked_look; /* a call whose size nobody asked for is that look */
    bool is_seen;         /* calls whose size nobody asked for time the library's own */
    double met_s;         /* when ranks met for it, by the common clock; 0: not yet told */
    bool has_not_met;     /* the look had no common clock, or made connections */
    double begin[CONTEND_CANDIDATES], end[CONTEND_CANDIDATES]; /* of trials, by the common clock */
    double lead[CONTEND_CANDIDATES]; /* seconds in which the size was agreed on before */
    double agreement, meeting;       /* seconds of the last reduction, of what came before trials */
};

struct contend_check {
    struct contend_asked asked[CONTEND_EXCHANGE_KINDS][CONTEND_SIZES];
    struct contend_asked unasked[CONTEND_EXCHANGE_KINDS]; /* calls whose size nobody asked for */
    struct contend_asked *seen[CONTEND_EXCHANGE_KINDS]; /* the size of these that was last; NULL */
    bool is_begun[CONTEND_EXCHANGE_KINDS];              /* there was such a call */
    bool is_mixed[CONTEND_EXCHANGE_KINDS];              /* these were of several sizes */
    double exchanged_s; /* what the library's own calls take, of all calls so far, as agreed */
    double spent_s;     /* what finding out has cost of that */
    double agreement_s, asking_s, meeting_s; /* what they take: the last comes before trials */
    struct contend_round *round; /* that is over, while its times are reduced; NULL: none */
    bool is_connected;           /* all ranks to each other */
    double met_s; /* when the common clock was new, by itself; 0: there is none yet */
    int natives;  /* calls other than MPI_Alltoall in a row that were found best left to the library
                   */
    int rests, rested; /* of it that are left to the library unasked: still, and last time */
    double gained_s;   /* against the library's own, by calls whose size was asked for */
};

/* NULL without memory. */
struct contend_check *contend_make_check(void);

/* Counts what unfinished checks have cost, and frees all. */
void contend_free_check(struct contend_check *check);

/* Ranks that have met at the end of MPI_Init know each other's clocks and connections. */
void contend_take_over_meeting(struct contend_state *state);

/* At the begin of every call: ends a round whose times have been reduced meanwhile. */
void contend_go_on_with_check(struct contend_state *state);

/* The times of a round that the next asking for a size carries, of this rank: CONTEND_MAXIMA at
 * most of which the greatest of all ranks counts; NULL where there is none. */
const double *contend_carried(const struct contend_state *state);

/* They came back with the size. */
void contend_end_carried(struct contend_state *state, const double *all);

/* Who serves blocks of that many bytes, the same at all ranks; NULL: the library's own. Where the
 * communicator is not checked, that is the plan's choice. */
const struct contend_choice *contend_pick(struct contend_state *state, int64_t bytes,
                                          struct contend_turn *turn);

/* The candidate of the turn cannot run, as all ranks know. */
void contend_refuse_candidate(struct contend_turn *turn);

/* After a trial that ended then, by contend_seconds; HUGE_VAL where it failed. */
void contend_settle_trial(struct contend_turn *turn, double end);

/* Whether calls are timed until it is decided who serves them; not where nothing is checked. */
static inline bool contend_is_open(const struct contend_asked *asked)
{
    return asked != NULL && asked->contest.count > 0 && !asked->contest.is_decided;
}

/* Whether it is of calls whose size nobody asks for. */
static inline bool contend_is_unasked(const struct contend_asked *asked)
{
    return asked->contest.count == 1 && !asked->contest.is_decided;
}

/* After a call of the library's own, of a size that is not decided. */
void contend_note_native(struct contend_turn *turn, double seconds);

/* Whether the call is the library's own unless a trial gives it to another: what would be checked
 * is tried elsewhere. */
bool contend_leaves_to_trials(const struct contend_state *state, const struct contend_turn *turn);

/* Whether the next call of a size is to be a trial. Asked by all ranks at the same call. */
bool contend_is_due(struct contend_state *state, struct contend_asked *asked);

/* Seconds that finding out may cost now. */
double contend_allowance(const struct contend_check *check);

/* Whether there is a common clock, and all ranks are connected, before anything is timed. */
static inline bool contend_has_clock(const struct contend_check *check)
{
    return check->met_s > 0 && check->is_connected;
}

/* Whether a common clock is still exact enough to time calls that take so long. */
bool contend_is_new(const struct contend_check *check, double now, double call_s);

/* Seconds that a call takes the library alone, as the trials said. */
double contend_native_time(const struct contend_asked *asked);

#endif
