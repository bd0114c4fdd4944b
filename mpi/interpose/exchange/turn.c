/* One call from its beginning to its end, where something is noted of it. */
#include "turn.h"

#include <math.h>

#include "../modes.h"
#include "choose/check.h"
#include "report/explain.h"

void contend_turn_begin(struct contend_turn *turn, struct contend_state *state,
                        const struct contend_choice *choice)
{
    turn->choice = choice;
    if (!turn->is_trial && !contend_is_open(turn->asked) && !state->is_noted)
        return;
    turn->state = state;
    turn->begin = contend_seconds();
}

/* Calls of sizes that are decided have an estimate of the library's own time. Waiting for ranks
 * that come late counts against what was saved. */
static void count(const struct contend_turn *turn, double seconds)
{
    const struct contend_algorithm *algorithm =
        turn->choice == NULL ? &contend_native : turn->choice->algorithm;
    const double native = turn->asked == NULL ? HUGE_VAL : contend_native_time(turn->asked);
    const bool is_known = turn->choice != NULL && !turn->is_trial && !isinf(native);
    const struct contend_tally call = {.calls = 1,
                                       .bytes = (double)turn->bytes,
                                       .seconds = seconds,
                                       .saved_calls = is_known,
                                       .saved_s = is_known ? native - seconds : 0};
    contend_count_call(turn->kind, turn->size, algorithm, &call);
}

void contend_turn_end(struct contend_turn *turn, int code)
{
    const double now = contend_seconds(), seconds = now - turn->begin;
    if (contend_is_open(turn->asked) && turn->choice == NULL)
        contend_note_native(turn, seconds);
    if (turn->is_trial)
        contend_settle_trial(turn, code == MPI_SUCCESS ? now : HUGE_VAL);
    if (!turn->state->is_noted)
        return;
    const bool is_told = turn->kind != CONTEND_EQUAL && turn->before > 0;
    count(turn, is_told ? now - turn->before : seconds);
    if (turn->state->rank == 0 && turn->state->plan->explain[0] != '\0')
        contend_explain(turn);
}
