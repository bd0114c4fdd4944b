/* The times of a round of trials, told to all ranks beside the calls that follow.
 *
 * One MPI_Iallreduce takes the maximum of times and adds up bytes, so that every rank has the same
 * bits. It is one message where two would be one more to get lost. Where sizes are asked for,
 * the next asking carries the times, so that the call after a trial knows how it went. */
#include "round.h"

#include <math.h>
#include <string.h>

#include "../../modes.h"
#include "../ledger.h"

struct contend_round *contend_make_round(void)
{
    struct contend_round *round = contend_take(sizeof *round);
    if (round != NULL)
        *round = (struct contend_round){.request = MPI_REQUEST_NULL, .adder = contend_make_adder()};
    return round;
}

void contend_free_round(struct contend_round *round)
{
    if (round == NULL)
        return;
    PMPI_Wait(&round->request, MPI_STATUS_IGNORE);
    contend_free_adder(&round->adder);
    contend_release(round);
}

static void fill(double *own, const struct contend_state *state, const struct contend_asked *asked)
{
    for (int i = 0; i < CONTEND_CANDIDATES; i++) {
        own[CONTEND_END + i] = asked->end[i];
        own[CONTEND_BEGIN + i] = asked->begin[i];
        own[CONTEND_LEAD + i] = -asked->lead[i];
    }
    own[CONTEND_WAITED] = -asked->agreement;
    own[CONTEND_MEETING] = -asked->meeting;
    own[CONTEND_MET] = asked->met_s;
    own[CONTEND_EXCESS] = 0;
    if (asked->look_calls > 0 && asked->native_calls > 0)
        own[CONTEND_EXCESS] =
            asked->look_s / asked->look_calls - asked->native_s / asked->native_calls;
    own[CONTEND_SHORTEST] = asked->begin[0] - asked->end[0];
    own[CONTEND_TAKEN] = -asked->taken_s;
    own[CONTEND_EVEN] = own[CONTEND_LOOKED] =
        contend_crossing_if_even(&asked->volume, &state->partitions[state->level], state->rank);
    own[CONTEND_AGREEMENT] = -state->agreement_s;
    own[CONTEND_ASKING] = -state->asking_s;
    if (isinf(asked->meeting)) /* MPI failed there */
        own[CONTEND_END] = HUGE_VAL;
}

void contend_tell_round(struct contend_state *state)
{
    struct contend_round *round = state->check->round;
    round->is_carried = false;
    round->age = 0;
    round->request = contend_begin_adding(state, &round->adder, &round->own, &round->all);
}

void contend_begin_round(struct contend_state *state, struct contend_asked *asked,
                         enum contend_exchange_kind kind)
{
    struct contend_round *round = state->check->round;
    round->own = (struct contend_addition){.sum = {0}};
    fill(round->own.greatest, state, asked);
    memcpy(round->own.sum, &asked->volume, sizeof asked->volume);
    round->asked = asked;
    round->kind = kind;
    round->age = 0;
    round->is_carried = kind != CONTEND_EQUAL && !contend_is_unasked(asked);
    if (!round->is_carried)
        contend_tell_round(state);
    memset(asked->begin, 0, sizeof asked->begin);
    memset(asked->end, 0, sizeof asked->end);
    memset(asked->lead, 0, sizeof asked->lead);
    asked->meeting = asked->met_s = 0;
}

bool contend_end_round(struct contend_round *round)
{
    const bool is_begun = round->is_carried || round->request != MPI_REQUEST_NULL;
    const double begin = contend_seconds();
    const int code = PMPI_Wait(&round->request, MPI_STATUS_IGNORE);
    round->asked->agreement = contend_seconds() - begin;
    bool is_sound = is_begun && code == MPI_SUCCESS;
    for (int i = 0; i < CONTEND_NUMBERS && is_sound; i++)
        is_sound = !(isinf(round->all.greatest[i]) && round->all.greatest[i] > 0);
    return is_sound;
}
