/* Calls of MPI_Alltoallv and MPI_Alltoallw whose size nobody asks for.
 *
 * A rank knows its own counts alone, and asking all of them takes one way over the slow link, and
 * makes them wait for each other between calls that else overlap. So it is done before the first
 * call, where the link's buffer is known: where that overflows, messages are spaced at once, and
 * the library's own is looked at later, in a call of about the same bytes. Else calls are the
 * library's own and some are looked at: the first, second, third, fourth, sixth, eighth... Beside
 * the calls that follow, all ranks learn how long they took and how many bytes they had, which is
 * what the contest of that size has to know of the library. Then sizes are asked for when that
 * contest is due to try somebody, and as long as somebody leads there who gains more than the
 * asking; else only where it is cheap. */
#include "unasked.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "candidates.h"
#include "opening.h"
#include "round.h"

#define PATIENCE 8 /* calls in a row that are the library's own, before some go unasked */
#define LONGEST_REST 1024
#define ALIKE 2            /* times the bytes */
#define FIRST_IF_UNEVEN 50 /* calls, of which a trial that takes twice as long is 2 % */
#define EVEN 1.75          /* times the mean of the ranks, of whom none is the bottleneck then */

/* Whether there is nothing to find out but another size. */
static bool is_vain(const struct contend_asked *seen)
{
    return seen != NULL && (seen->contest.is_decided || isinf(seen->contest.bound_s));
}

/* 1, 2, 3, 4, 6, 8, 12, 16...; in vain 8, 16, 32..., and all 1024. */
static bool is_step(int calls, bool is_rare)
{
    const int odd = !is_rare && calls % 3 == 0 ? calls / 3 : calls;
    return calls % LONGEST_REST == 0 || ((odd & (odd - 1)) == 0 && (!is_rare || calls >= 8));
}

/* Whether asking once more, in vain, would still be paid for. */
static bool has_gained(const struct contend_check *check)
{
    return contend_allowance(check) + check->gained_s >= check->asking_s;
}

/* Whether somebody leads at the size that was seen last, or is due to have a trial, or the times of
 * one are to be told. */
static bool is_promising(struct contend_state *state, struct contend_asked *seen,
                         enum contend_exchange_kind kind)
{
    if (seen == NULL)
        return false;
    if (contend_carried(state) != NULL)
        return true;
    const struct contend_contest *contest = &seen->contest;
    if (contest->is_decided ? contest->winner != 0 : contend_leader(contest) != 0)
        return !state->check->is_mixed[kind] || has_gained(state->check);
    return contend_is_due(state, seen);
}

/* Ranks wait for each other there, which may cost more than the asking: so where all calls were of
 * one size, nobody asks in vain. */
static bool is_cheap(const struct contend_check *check, enum contend_exchange_kind kind)
{
    return (check->seen[kind] == NULL || check->is_mixed[kind]) && check->asking_s > 0 &&
           has_gained(check);
}

/* Whether nothing was asked so far, where the link's buffer is known: so whether calls overflow it
 * is known before they do. */
static bool is_first_of_link(struct contend_state *state, enum contend_exchange_kind kind)
{
    struct contend_check *check = state->check;
    const struct contend_level *link = &state->plan->levels[state->level];
    const bool is_first = !check->is_begun[kind];
    check->is_begun[kind] = true;
    return is_first && contend_has_clock(check) && link->buffer > 0 && link->bandwidth > 0;
}

/* All that follows from the bytes of a size that is new; `if_even` is what would cross if all ranks
 * sent as much as the one that sends most. */
static void expect(const struct contend_state *state, struct contend_asked *seen,
                   const struct contend_volume *volume, double if_even)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    if (if_even <= EVEN * (double)contend_most_crossing(volume, groups))
        contend_expect_spacing(state, &seen->contest, volume, state->check->asking_s);
    else if (contend_is_sure_of_spacing(state, volume, &seen->contest))
        seen->contest.first = FIRST_IF_UNEVEN;
}

void contend_leave_unasked(struct contend_asked *seen)
{
    seen->is_seen = true;
    seen->rounds = 1;
    for (int i = 0; i < seen->contest.count; i++)
        seen->contest.candidate[i].is_trying = false;
    seen->next = seen->contest.count;
}

void contend_see(struct contend_state *state, struct contend_asked *asked,
                 const struct contend_turn *turn)
{
    struct contend_check *check = state->check;
    if (check->seen[turn->kind] != NULL || !contend_has_clock(check))
        return;
    check->seen[turn->kind] = asked;
    expect(state, asked, &turn->volume, turn->crossing_if_even);
    asked->if_even = turn->crossing_if_even;
    if (!asked->contest.candidate[1].is_trying)
        contend_leave_unasked(asked);
    else if (turn->is_survey)
        contend_begin_spaced(asked);
}

bool contend_rests(struct contend_state *state, struct contend_turn *turn)
{
    struct contend_check *check = state->check;
    if (check == NULL)
        return false;
    struct contend_asked *asked = &check->unasked[turn->kind], *seen = check->seen[turn->kind];
    turn->is_survey = is_first_of_link(state, turn->kind);
    /* Nobody asks for its size: ranks that have waited for each other would all send at once, which
     * no later call of the library's does. */
    if (contend_owes_look(check, seen)) {
        contend_begin_look(seen);
        seen->calls += seen->calls < INT_MAX;
        seen->is_unasked_look = true;
        turn->why = "how long it takes is looked at";
        turn->asked = seen;
        turn->is_trial = true;
        turn->candidate = 0;
        return true;
    }
    if (check->rests > 0)
        check->rests--;
    else if (turn->is_survey || is_promising(state, seen, turn->kind) ||
             is_cheap(check, turn->kind))
        return false;
    if (contend_is_open(seen))
        seen->calls += seen->calls < INT_MAX;
    turn->why = "asking for its size would not have paid";
    asked->contest.count = 1;
    asked->calls += asked->calls < INT_MAX;
    turn->asked = asked;
    turn->is_trial = is_step(asked->calls, is_vain(seen)) && check->round->asked == NULL;
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

void contend_ask_in_vain(struct contend_state *state, struct contend_turn *turn)
{
    struct contend_check *check = state->check;
    if (check == NULL)
        return;
    struct contend_asked *seen = check->seen[turn->kind];
    if (contend_is_open(seen) && seen->rounds == 0)
        contend_leave_unasked(seen);
    check->spent_s += check->asking_s;
    contend_plan_rest(check, turn);
}

bool contend_is_alike_to_look(const struct contend_turn *turn)
{
    struct contend_asked *asked = turn->asked;
    if (turn->is_trial) {
        asked->volume = turn->volume;
        return true;
    }
    return contend_is_like((double)turn->volume.sent, (double)asked->volume.sent);
}

bool contend_is_like(double bytes, double others)
{
    return bytes <= ALIKE * others && others <= ALIKE * bytes;
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
    const double *all = round->all.greatest;
    struct contend_volume volume;
    memcpy(&volume, round->all.sum, sizeof volume);
    const double seconds = all[CONTEND_END] - all[CONTEND_BEGIN];
    const int64_t processes = state->processes;
    asked->contest.candidate[0] = (struct contend_candidate){.trials = 1, .seconds = {seconds}};
    check->exchanged_s += -all[CONTEND_TAKEN] - asked->least_s;
    asked->least_s = -all[CONTEND_TAKEN];
    if (!contend_has_clock(check))
        return; /* the time would be that of a rank, or of connections */
    struct contend_asked *seen =
        &check->asked[round->kind][contend_size_class(volume.sent / (processes * processes))];
    if (seen != check->seen[round->kind]) {
        check->is_mixed[round->kind] |= check->seen[round->kind] != NULL;
        forget_others(asked);
    }
    check->seen[round->kind] = seen;
    if (seen->contest.count == 0) {
        contend_open_contest(state, seen, round->kind, &volume);
        expect(state, seen, &volume, all[CONTEND_EVEN]);
        contend_leave_unasked(seen);
    }
    if (!seen->is_seen || seen->contest.is_decided)
        return;
    contend_bound_contest(state, &seen->contest, &volume);
    seen->has_not_met = !contend_is_new(check, all[CONTEND_END], seconds);
    if (seen->has_not_met)
        return;
    add_trial(&seen->contest.candidate[0], seconds);
    seen->contest.excess_s = asked->look_calls > 0 ? -all[CONTEND_EXCESS] : 0;
}
