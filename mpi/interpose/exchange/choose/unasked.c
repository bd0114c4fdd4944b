/* Calls of MPI_Alltoallv and MPI_Alltoallw whose size nobody asks for.
 *
 * A rank knows its own counts alone, and asking all of them takes one way over the slow link. So
 * calls are the library's own at first, and some are looked at: the first, second, third, fourth,
 * sixth, eighth... Beside the calls that follow, all ranks learn how long they took and how many
 * bytes they had, which is what the contest of that size has to know of the library. Then sizes are
 * asked for when that contest is due to try somebody, and as long as somebody leads there who gains
 * more than the asking; else only where it is cheap. */
#include "unasked.h"

#include <limits.h>

#include "round.h"

#define PATIENCE 8 /* calls in a row that are the library's own, before some go unasked */
#define LONGEST_REST 1024
#define ALIKE 2  /* times the bytes */
#define EVEN 1.5 /* times the mean of the ranks, of whom none is the bottleneck then */

/* 1, 2, 3, 4, 6, 8, 12, 16... */
static bool is_step(int calls)
{
    const int odd = calls % 3 == 0 ? calls / 3 : calls;
    return (odd & (odd - 1)) == 0;
}

/* Whether somebody leads at the size that was seen last, or is due to have a trial, or the times of
 * one are to be told. */
static bool is_promising(struct contend_state *state, struct contend_asked *seen)
{
    if (seen == NULL)
        return false;
    if (contend_carried(state) != NULL)
        return true;
    if (seen->contest.is_decided)
        return seen->contest.winner != 0;
    return contend_leader(&seen->contest) != 0 || contend_is_due(state, seen);
}

/* Ranks wait for each other there, which may cost more than the asking: so where all calls were of
 * one size, nobody asks in vain. */
static bool is_cheap(const struct contend_check *check, enum contend_exchange_kind kind)
{
    return (check->seen[kind] == NULL || check->is_mixed[kind]) && check->asking_s > 0 &&
           contend_allowance(check) + check->gained_s >= check->asking_s;
}

bool contend_rests(struct contend_state *state, struct contend_turn *turn)
{
    struct contend_check *check = state->check;
    if (check == NULL)
        return false;
    struct contend_asked *asked = &check->unasked[turn->kind], *seen = check->seen[turn->kind];
    if (check->rests > 0)
        check->rests--;
    else if (is_promising(state, seen) || is_cheap(check, turn->kind))
        return false;
    if (contend_is_open(seen))
        seen->calls += seen->calls < INT_MAX;
    turn->why = "too little was exchanged so far to ask for sizes";
    asked->contest.count = 1;
    asked->calls += asked->calls < INT_MAX;
    turn->asked = asked;
    turn->is_trial = is_step(asked->calls) && check->round->asked == NULL;
    turn->candidate = 0;
    return true;
}

void contend_plan_rest(struct contend_check *check, const struct contend_turn *turn)
{
    if (turn->is_trial || turn->candidate != 0) {
        check->natives = check->rested = 0;
        return;
    }
    check->natives++;
    if (check->natives <= PATIENCE)
        return;
    check->natives = PATIENCE;
    check->rested = check->rested == 0 ? 1 : check->rested;
    check->rested = check->rested < LONGEST_REST ? 2 * check->rested : LONGEST_REST;
    check->rests = check->rested;
}

bool contend_is_alike_to_look(const struct contend_turn *turn)
{
    struct contend_asked *asked = turn->asked;
    const int64_t bytes = turn->volume.sent, looked = asked->volume.sent;
    if (turn->is_trial) {
        asked->volume = turn->volume;
        return true;
    }
    return bytes / ALIKE <= looked && looked / ALIKE <= bytes;
}

/* The newest that there is room for. */
static void add_trial(struct contend_candidate *candidate, double seconds)
{
    if (candidate->trials == CONTEND_TRIALS)
        for (int i = 1; i < CONTEND_TRIALS; i++)
            candidate->seconds[i - 1] = candidate->seconds[i];
    else
        candidate->trials++;
    candidate->seconds[candidate->trials - 1] = seconds;
}

/* Of calls of other bytes nothing counts for what the library takes. */
static void forget_others(struct contend_asked *asked)
{
    asked->native_s = asked->native_calls = asked->look_s = asked->look_calls = 0;
}

void contend_finish_look(struct contend_state *state)
{
    struct contend_check *check = state->check;
    const struct contend_round *round = check->round;
    struct contend_asked *asked = &check->unasked[round->kind];
    const double *all = round->all;
    const double seconds = all[CONTEND_END] - all[CONTEND_BEGIN];
    const int64_t processes = state->processes;
    asked->contest.candidate[0] = (struct contend_candidate){.trials = 1, .seconds = {seconds}};
    check->exchanged_s += -all[CONTEND_TAKEN] - asked->least_s;
    asked->least_s = -all[CONTEND_TAKEN];
    if (!check->is_connected || !contend_is_new(check, all[CONTEND_END], seconds))
        return; /* the time would be that of a rank, or of connections */
    struct contend_asked *seen =
        &check
             ->asked[round->kind][contend_size_class(round->volume.sent / (processes * processes))];
    if (seen != check->seen[round->kind]) {
        check->is_mixed[round->kind] |= check->seen[round->kind] != NULL;
        forget_others(asked);
    }
    check->seen[round->kind] = seen;
    if (seen->contest.count == 0) {
        contend_open_contest(state, seen, round->kind, &round->volume);
        if (all[CONTEND_MOST] * processes <= EVEN * round->volume.sent)
            contend_expect_spacing(state, &seen->contest, &round->volume, check->asking_s);
        seen->is_seen = true;
        seen->rounds = 1;
        seen->contest.candidate[0].is_trying = false;
        seen->next = seen->contest.count;
    }
    if (!seen->is_seen || seen->contest.is_decided)
        return;
    contend_bound_contest(state, &seen->contest, &round->volume);
    add_trial(&seen->contest.candidate[0], seconds);
    seen->contest.excess_s = asked->look_calls > 0 ? -all[CONTEND_EXCESS] : 0;
}
