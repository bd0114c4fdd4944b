/* What is known of a size before anything is timed: who may serve it, what no call can beat, and
 * whether spaced messages are sure to gain. */
#include "opening.h"

#include <math.h>

#include "candidates.h"
#include "round.h"

#define SPACED 1.25 /* times what the slow link takes at least, that spaced messages take */

/* Seconds that the bytes between two groups take on the slow link at least: for ever where there
 * are none, so that no way over it can gain. */
static double bound_of(const struct contend_state *state, const struct contend_volume *volume)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    const struct contend_level *link = &state->plan->levels[state->level];
    if (groups->groups != 2 ||
        link->bandwidth <= 0) /* which two a slower link joins is not known */
        return 0;
    const int64_t bytes = contend_most_crossing(volume, groups);
    return bytes > 0 ? link->latency_s + (double)bytes / link->bandwidth : HUGE_VAL;
}

void contend_open_contest(struct contend_state *state, struct contend_asked *asked,
                          enum contend_exchange_kind kind, const struct contend_volume *volume)
{
    contend_find_candidates(state, volume, &asked->contest);
    asked->calls = state->check->unasked[kind].calls;
    asked->contest.bound_s = bound_of(state, volume);
}

void contend_expect_spacing(const struct contend_state *state, struct contend_contest *contest,
                            const struct contend_volume *volume, double asking_s)
{
    const bool is_bound = contest->bound_s > 0 && !isinf(contest->bound_s);
    if (!is_bound || !contend_is_sure_of_spacing(state, volume, contest))
        return;
    contest->likely_s = SPACED * contest->bound_s + asking_s;
    contest->candidate[1].is_trying = contend_has_clock(state->check);
}

void contend_begin_spaced(struct contend_asked *asked)
{
    asked->is_reversed = true;
    asked->contest.candidate[0].is_trying = false;
    asked->next = 1;
}

bool contend_owes_look(const struct contend_check *check, const struct contend_asked *asked)
{
    return contend_is_open(asked) && asked->is_reversed && !asked->is_seen && asked->rounds > 0 &&
           asked->contest.candidate[0].trials == 0 && !asked->has_not_met &&
           asked->calls >= asked->look_at && check->round->asked == NULL;
}

void contend_begin_look(struct contend_asked *asked)
{
    asked->contest.candidate[0].is_trying = true;
    asked->next = 0;
}

void contend_bound_contest(const struct contend_state *state, struct contend_contest *contest,
                           const struct contend_volume *volume)
{
    if (isinf(contest->bound_s))
        contest->bound_s = bound_of(state, volume);
}
