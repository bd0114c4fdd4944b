/* One call from its beginning to its end, where something is noted of it. */
#ifndef CONTEND_TURN_H
#define CONTEND_TURN_H

#include "report/summary.h"
#include "schedule/volume.h"
#include "state.h"

struct contend_asked;

struct contend_turn {
    struct contend_state *state; /* NULL: nothing is noted of it */
    enum contend_exchange_kind kind;
    int size;                            /* class of its blocks */
    int64_t bytes;                       /* that the rank sends, where calls are reported */
    const struct contend_choice *choice; /* that serves it; NULL: the library's own */
    const struct contend_choice *given;  /* that is to serve it; NULL: the plan or a check says */
    bool is_tried;                       /* others have trials: nothing is checked here */
    const char *why;                     /* the library's own does, "" where it was chosen */
    struct contend_asked *asked;         /* NULL: its size is not checked */
    bool is_trial, is_refused;           /* refused: the candidate cannot run, at any rank */
    bool is_survey;                      /* the library's own, its size asked for before */
    int candidate;                       /* on trial */
    double crossing_if_even;             /* the greatest of all ranks, where sizes are asked for */
    struct contend_volume volume; /* of all ranks; of this one where its size is not asked for */
    double before, begin;         /* seconds of a clock: before the ranks met for it, and after */
};

/* Before a call is served by the choice: the clock is read if anybody wants to know. */
void contend_turn_begin(struct contend_turn *turn, struct contend_state *state,
                        const struct contend_choice *choice);

/* After the call, with what MPI returned; for turns with a state. */
void contend_turn_end(struct contend_turn *turn, int code);

#endif
